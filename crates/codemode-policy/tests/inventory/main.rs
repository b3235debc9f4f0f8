//! The inventory: what an agent's model is given, and what hints it gets.

mod desk;
mod hints;
mod offer;
mod surfaces;
