//! Dates put together as en-US has them, and as `Date.prototype.toString` writes them.

use crate::globals::date::options::{DateOptions, Width};
use crate::values::Civil;

const MONTHS: [&str; 12] =
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// What stands for the zone.
const ZONE: (&str, &str) = ("UTC", "Coordinated Universal Time");

/// `Mon Jan 15 2024`.
pub(super) fn date_text(civil: &Civil) -> String {
    let year = if civil.year < 0 { format!("-{:06}", -civil.year) } else { format!("{:04}", civil.year) };
    format!("{} {} {:02} {year}", short(WEEKDAYS[civil.weekday]), short(MONTHS[civil.month - 1]), civil.day)
}

/// `10:30:00 GMT+0000 (Coordinated Universal Time)`.
pub(super) fn time_text(civil: &Civil) -> String {
    format!("{:02}:{:02}:{:02} GMT+0000 ({})", civil.hour, civil.minute, civil.second, ZONE.1)
}

/// The date and the time that the options ask for.
pub(super) fn format(civil: &Civil, options: &DateOptions) -> String {
    let (date, time) = (date_part(civil, options), time_part(civil, options));
    let mut text = match (date.is_empty(), time.is_empty()) {
        (false, false) if options.joined_by_at => format!("{date} at {time}"),
        (false, false) => format!("{date}, {time}"),
        _ => format!("{date}{time}"),
    };
    if let Some(zone) = options.zone {
        text.push_str(if time.is_empty() { ", " } else { " " });
        text.push_str(if zone == Width::Long { ZONE.1 } else { ZONE.0 });
    }
    text
}

fn date_part(civil: &Civil, options: &DateOptions) -> String {
    let weekday = options.weekday.map(|width| named(WEEKDAYS[civil.weekday], width));
    let day = options.day.map(|width| number(civil.day, width));
    let year = options.year.map(|width| {
        // The year before the first is the first before Christ.
        let year = if civil.year <= 0 { 1 - civil.year } else { civil.year };
        if width == Width::TwoDigits { format!("{:02}", year % 100) } else { year.to_string() }
    });
    let Some(width) = options.month else {
        let joined = match (day, year) {
            (Some(day), Some(year)) => format!("{day} {year}"),
            (day, year) => day.or(year).unwrap_or_default(),
        };
        return match weekday {
            // Without a month, the day of the month comes first.
            Some(weekday) if options.day.is_some() && options.year.is_none() => format!("{joined} {weekday}"),
            Some(weekday) if joined.is_empty() => weekday,
            Some(weekday) => format!("{joined} {weekday}"),
            None => joined,
        };
    };
    let text = if matches!(width, Width::Numeric | Width::TwoDigits) {
        let parts: Vec<String> = [Some(number(i64::try_from(civil.month).unwrap_or(0), width)), day, year].into_iter().flatten().collect();
        parts.join("/")
    } else {
        let month = named(MONTHS[civil.month - 1], width);
        match (day, year) {
            (Some(day), Some(year)) => format!("{month} {day}, {year}"),
            (Some(rest), None) | (None, Some(rest)) => format!("{month} {rest}"),
            (None, None) => month,
        }
    };
    match weekday {
        Some(weekday) => format!("{weekday}, {text}"),
        None => text,
    }
}

fn time_part(civil: &Civil, options: &DateOptions) -> String {
    let mut parts = Vec::new();
    if let Some(width) = options.hour {
        let hour = match (options.all_day, civil.hour % 12) {
            (true, _) => civil.hour,
            (false, 0) => 12,
            (false, hour) => hour,
        };
        parts.push(number(hour, if options.all_day { Width::TwoDigits } else { width }));
    }
    if let Some(width) = options.minute {
        let alone = options.hour.is_none() && options.second.is_none();
        parts.push(number(civil.minute, if alone && width == Width::Numeric { Width::Numeric } else { Width::TwoDigits }));
    }
    let fraction = &format!("{:03}", civil.millisecond)[..options.fraction];
    if let Some(width) = options.second {
        let alone = options.hour.is_none() && options.minute.is_none();
        let second = number(civil.second, if alone && width == Width::Numeric { Width::Numeric } else { Width::TwoDigits });
        parts.push(if fraction.is_empty() { second } else { format!("{second}.{fraction}") });
    } else if !fraction.is_empty() {
        parts.push(fraction.to_owned());
    }
    let mut text = parts.join(":");
    if options.hour.is_some() && !options.all_day {
        text.push_str(if civil.hour < 12 { " AM" } else { " PM" });
    }
    text
}

fn number(value: i64, width: Width) -> String {
    if width == Width::TwoDigits { format!("{value:02}") } else { value.to_string() }
}

fn named(name: &str, width: Width) -> String {
    match width {
        Width::Narrow => name[..1].to_owned(),
        Width::Short => short(name).to_owned(),
        _ => name.to_owned(),
    }
}

fn short(name: &str) -> &str {
    &name[..3]
}
