//! Dates: UTC is the local zone, and text is read alike on every engine.

use crate::host::check;

#[tokio::test]
async fn a_date_is_made_read_and_written_in_utc() {
    check(&[
        ("return new Date(2024, 0, 15, 10, 30)", r#""2024-01-15T10:30:00.000Z""#),
        ("return [new Date('2024-01-15T10:30').toISOString(), new Date('Jan 15, 2024 10:30').toISOString()]", r#"["2024-01-15T10:30:00.000Z","2024-01-15T10:30:00.000Z"]"#),
        ("const d = new Date('2024-01-15T10:30:00Z'); return [d.getHours(), d.getDate(), d.getDay(), d.getMonth(), d.getFullYear(), d.getTimezoneOffset(), d.getYear()]", "[10,15,1,0,2024,0,124]"),
        ("const d = new Date(0); d.setHours(5, 6); d.setDate(31); d.setMonth(1); return d", r#""1970-03-03T05:06:00.000Z""#),
        ("return `${new Date(0)}`", r#""Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)""#),
        ("const d = new Date(0); return [d.toDateString(), d.toTimeString(), d.toUTCString(), d.toJSON()]", r#"["Thu Jan 01 1970","00:00:00 GMT+0000 (Coordinated Universal Time)","Thu, 01 Jan 1970 00:00:00 GMT","1970-01-01T00:00:00.000Z"]"#),
        ("return [`${new Date(NaN)}`, new Date('nonsense').getTime(), isNaN(new Date(undefined)), new Date(null).getTime()]", r#"["Invalid Date",null,true,0]"#),
        ("return [new Date(new Date(5)).getTime(), new Date('5').getFullYear(), new Date(5, 0).getFullYear(), new Date({valueOf: () => 7}).getTime()]", "[5,2001,1905,7]"),
        ("return [Date.UTC(2024, 0), Date.parse('2024-01-01'), Date.now() > 1.7e12, typeof Date(), Date.length, Date.name]", r#"[1704067200000,1704067200000,true,"string",7,"Date"]"#),
        ("const d = new Date(); return [d instanceof Date, d.constructor === Date, Object.prototype.toString.call(d), Date.prototype.constructor === Date]", r#"[true,true,"[object Date]",true]"#),
        ("class D extends Date { year() { return this.getFullYear() } }; const d = new D(2020, 1); return [d.year(), d instanceof D, d instanceof Date]", "[2020,true,true]"),
        ("return [new Date(2) - new Date(1), new Date(1) < new Date(2), new Date(0) + 1]", r#"[1,true,"Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)1"]"#),
        ("return [Date.prototype.getHours.name, Date.now.name, Date.parse.name, Object.keys(Date)]", r#"["getHours","now","parse",[]]"#),
        ("return typeof Date.now() === 'number' && Number.isInteger(Date.now())", "true"),
        ("try { Date.prototype.toString.call({}) } catch (e) { return e.name }", r#""TypeError""#),
        ("const d = new Date(2024, 1, 29); return structuredClone(d).getDate()", "29"),
    ])
    .await;
}

#[tokio::test]
async fn a_date_is_written_in_en_us() {
    check(&[
        ("const d = new Date(Date.UTC(2024, 0, 15, 9, 5, 7)); return [d.toLocaleString(), d.toLocaleDateString(), d.toLocaleTimeString()]", r#"["1/15/2024, 9:05:07 AM","1/15/2024","9:05:07 AM"]"#),
        ("return new Date(0).toLocaleDateString('en-US', {weekday: 'long', year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC'})", r#""Thursday, January 1, 1970""#),
        ("return new Date(0).toLocaleDateString(undefined, {dateStyle: 'medium'})", r#""Jan 1, 1970""#),
        ("return new Date(0).toLocaleTimeString('en-US', {hour: '2-digit', minute: '2-digit', hour12: false})", r#""00:00""#),
        ("return new Date(NaN).toLocaleString()", r#""Invalid Date""#),
        (
            "try { new Date(0).toLocaleString('en-US', {timeZone: 'Europe/Berlin'}) } catch (e) { return `${e}` }",
            r#""RangeError: time zone Europe/Berlin is not there: a program knows UTC alone; add the hours to the date, and leave timeZone out""#,
        ),
        ("return new Intl.DateTimeFormat('en-US', {year: 'numeric', month: 'short'}).format(new Date(0))", r#""Jan 1970""#),
        ("return [Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.DateTimeFormat().format(0)]", r#"["UTC","1/1/1970"]"#),
        ("return [new Date(0), new Date(86400000)].map(new Intl.DateTimeFormat('en-US').format)", r#"["1/1/1970","1/2/1970"]"#),
        ("try { new Intl.DateTimeFormat().format(new Date(NaN)) } catch (e) { return `${e}` }", r#""RangeError: Invalid time value""#),
    ])
    .await;
}
