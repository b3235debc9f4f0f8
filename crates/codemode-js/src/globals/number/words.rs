//! Signs and names of currencies and units in en-US.

/// A currency: its code, its sign, its narrow sign, its digits after the point, its name for one and for several.
#[derive(Debug)]
pub(super) struct Currency {
    pub(super) code: &'static str,
    pub(super) sign: &'static str,
    pub(super) narrow: &'static str,
    pub(super) digits: usize,
    pub(super) one: &'static str,
    pub(super) several: &'static str,
}

/// A unit: its name, how it is written short after a number for one and for several, narrow, and long for one and for several.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) name: &'static str,
    pub(super) short: (&'static str, &'static str),
    pub(super) narrow: &'static str,
    pub(super) long: (&'static str, &'static str),
}

const fn currency(
    code: &'static str,
    sign: &'static str,
    narrow: &'static str,
    digits: usize,
    one: &'static str,
    several: &'static str,
) -> Currency {
    Currency { code, sign, narrow, digits, one, several }
}

const fn unit(name: &'static str, short: (&'static str, &'static str), narrow: &'static str, long: (&'static str, &'static str)) -> Unit {
    Unit { name, short, narrow, long }
}

/// The currencies that are known by more than their code.
pub(super) const CURRENCIES: &[Currency] = &[
    currency("USD", "$", "$", 2, "US dollar", "US dollars"),
    currency("EUR", "€", "€", 2, "euro", "euros"),
    currency("GBP", "£", "£", 2, "British pound", "British pounds"),
    currency("JPY", "¥", "¥", 0, "Japanese yen", "Japanese yen"),
    currency("CNY", "CN¥", "¥", 2, "Chinese yuan", "Chinese yuan"),
    currency("INR", "₹", "₹", 2, "Indian rupee", "Indian rupees"),
    currency("KRW", "₩", "₩", 0, "South Korean won", "South Korean won"),
    currency("CAD", "CA$", "$", 2, "Canadian dollar", "Canadian dollars"),
    currency("AUD", "A$", "$", 2, "Australian dollar", "Australian dollars"),
    currency("NZD", "NZ$", "$", 2, "New Zealand dollar", "New Zealand dollars"),
    currency("HKD", "HK$", "$", 2, "Hong Kong dollar", "Hong Kong dollars"),
    currency("TWD", "NT$", "$", 2, "New Taiwan dollar", "New Taiwan dollars"),
    currency("MXN", "MX$", "$", 2, "Mexican peso", "Mexican pesos"),
    currency("BRL", "R$", "R$", 2, "Brazilian real", "Brazilian reals"),
    currency("ILS", "₪", "₪", 2, "Israeli new shekel", "Israeli new shekels"),
    currency("PHP", "₱", "₱", 2, "Philippine peso", "Philippine pesos"),
    currency("VND", "₫", "₫", 0, "Vietnamese dong", "Vietnamese dong"),
    currency("CHF", "CHF", "CHF", 2, "Swiss franc", "Swiss francs"),
    currency("SEK", "SEK", "kr", 2, "Swedish krona", "Swedish kronor"),
    currency("NOK", "NOK", "kr", 2, "Norwegian krone", "Norwegian kroner"),
    currency("DKK", "DKK", "kr", 2, "Danish krone", "Danish kroner"),
    currency("PLN", "PLN", "zł", 2, "Polish zloty", "Polish zlotys"),
    currency("CZK", "CZK", "Kč", 2, "Czech koruna", "Czech korunas"),
    currency("SGD", "SGD", "$", 2, "Singapore dollar", "Singapore dollars"),
    currency("ZAR", "ZAR", "R", 2, "South African rand", "South African rand"),
    currency("TRY", "TRY", "₺", 2, "Turkish lira", "Turkish Lira"),
    currency("RUB", "RUB", "₽", 2, "Russian ruble", "Russian rubles"),
];

/// The units that are known.
pub(super) const UNITS: &[Unit] = &[
    unit("bit", (" bit", " bit"), "bit", (" bit", " bits")),
    unit("byte", (" byte", " byte"), "B", (" byte", " bytes")),
    unit("kilobyte", (" kB", " kB"), "kB", (" kilobyte", " kilobytes")),
    unit("megabyte", (" MB", " MB"), "MB", (" megabyte", " megabytes")),
    unit("gigabyte", (" GB", " GB"), "GB", (" gigabyte", " gigabytes")),
    unit("terabyte", (" TB", " TB"), "TB", (" terabyte", " terabytes")),
    unit("millisecond", (" ms", " ms"), "ms", (" millisecond", " milliseconds")),
    unit("second", (" sec", " sec"), "s", (" second", " seconds")),
    unit("minute", (" min", " min"), "m", (" minute", " minutes")),
    unit("hour", (" hr", " hr"), "h", (" hour", " hours")),
    unit("day", (" day", " days"), "d", (" day", " days")),
    unit("week", (" wk", " wks"), "w", (" week", " weeks")),
    unit("month", (" mth", " mths"), "m", (" month", " months")),
    unit("year", (" yr", " yrs"), "y", (" year", " years")),
    unit("millimeter", (" mm", " mm"), "mm", (" millimeter", " millimeters")),
    unit("centimeter", (" cm", " cm"), "cm", (" centimeter", " centimeters")),
    unit("meter", (" m", " m"), "m", (" meter", " meters")),
    unit("kilometer", (" km", " km"), "km", (" kilometer", " kilometers")),
    unit("inch", (" in", " in"), "″", (" inch", " inches")),
    unit("foot", (" ft", " ft"), "′", (" foot", " feet")),
    unit("yard", (" yd", " yd"), "yd", (" yard", " yards")),
    unit("mile", (" mi", " mi"), "mi", (" mile", " miles")),
    unit("gram", (" g", " g"), "g", (" gram", " grams")),
    unit("kilogram", (" kg", " kg"), "kg", (" kilogram", " kilograms")),
    unit("ounce", (" oz", " oz"), "oz", (" ounce", " ounces")),
    unit("pound", (" lb", " lb"), "#", (" pound", " pounds")),
    unit("milliliter", (" mL", " mL"), "mL", (" milliliter", " milliliters")),
    unit("liter", (" L", " L"), "L", (" liter", " liters")),
    unit("celsius", ("°C", "°C"), "°C", (" degree Celsius", " degrees Celsius")),
    unit("fahrenheit", ("°F", "°F"), "°", (" degree Fahrenheit", " degrees Fahrenheit")),
    unit("degree", (" deg", " deg"), "°", (" degree", " degrees")),
    unit("percent", ("%", "%"), "%", (" percent", " percent")),
    unit("kilometer-per-hour", (" km/h", " km/h"), "km/h", (" kilometer per hour", " kilometers per hour")),
    unit("mile-per-hour", (" mph", " mph"), "mph", (" mile per hour", " miles per hour")),
];
