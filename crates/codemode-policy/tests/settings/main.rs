//! Settings: files of two scopes in a folder of their own, loaded, edited and trusted.

mod desk;
mod edit;
mod limits;
mod load;
mod places;
mod schema;
mod servers;
mod trust;
mod wrong;
