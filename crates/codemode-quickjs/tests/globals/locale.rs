//! Numbers, order and words in en-US.

use crate::host::check;

#[tokio::test]
async fn numbers_are_written_in_en_us() {
    check(&[
        ("return (1234567.891).toLocaleString()", r#""1,234,567.891""#),
        ("return (1234.5).toLocaleString('en-US', {style: 'currency', currency: 'USD'})", r#""$1,234.50""#),
        ("return (0.256).toLocaleString(undefined, {style: 'percent', minimumFractionDigits: 1})", r#""25.6%""#),
        // Not as in Node, whose locales are all there.
        ("return (1234.5).toLocaleString('de-DE')", "\"1,234.5\"\n! locale \"de-DE\" is not there: numbers, dates and order follow en-US"),
        ("return (1234.5).toLocaleString(['en-GB', 'de'])", r#""1,234.5""#),
        ("return new Date(0).toLocaleDateString('en-GB')", "\"1/1/1970\"\n! locale \"en-GB\" is not there: numbers, dates and order follow en-US"),
        ("return new Intl.DateTimeFormat('fr').format(0)", "\"1/1/1970\"\n! locale \"fr\" is not there: numbers, dates and order follow en-US"),
        ("return 12345678901234567890n.toLocaleString()", r#""12,345,678,901,234,567,890""#),
        ("return [1234.5, 'a', null].toLocaleString()", r#""1,234.5,a,""#),
        ("return new Intl.NumberFormat('en-US', {notation: 'compact'}).format(1234567)", r#""1.2M""#),
        ("return [1, 22].map(Intl.NumberFormat('en-US', {minimumIntegerDigits: 2}).format)", r#"["01","22"]"#),
        ("return new Intl.NumberFormat() instanceof Intl.NumberFormat", "true"),
        ("return [Intl.NumberFormat().resolvedOptions().locale, Intl.NumberFormat.supportedLocalesOf(['en-US', 'de']), Intl.NumberFormat.name]", r#"["en-US",["en-US"],"NumberFormat"]"#),
        ("try { (1).toLocaleString('en-US', {style: 'currency'}) } catch (e) { return e.name }", r#""RangeError""#),
        ("try { new Intl.NumberFormat('en-US', {maximumFractionDigits: 101}) } catch (e) { return `${e}` }", r#""RangeError: maximumFractionDigits value is out of range.""#),
        ("try { Number.prototype.toLocaleString.call('1') } catch (e) { return e.name }", r#""TypeError""#),
    ])
    .await;
}

#[tokio::test]
async fn words_are_ordered_counted_and_listed_in_english() {
    check(&[
        ("return ['b', 'a', 'C', 'A', 'é', 'e', 'f'].sort((x, y) => x.localeCompare(y))", r#"["a","A","b","C","e","é","f"]"#),
        ("return ['a10', 'a2'].sort((x, y) => x.localeCompare(y, undefined, {numeric: true}))", r#"["a2","a10"]"#),
        ("return ['a'.localeCompare('A', 'en', {sensitivity: 'base'}), 'a'.localeCompare('b'), 'b'.localeCompare('a'), 'a'.localeCompare('a')]", "[0,-1,1,0]"),
        ("return ['b10', 'b9', 'a'].sort(new Intl.Collator('en', {numeric: true}).compare)", r#"["a","b9","b10"]"#),
        ("const p = new Intl.PluralRules('en'), o = new Intl.PluralRules('en', {type: 'ordinal'}); return [p.select(1), p.select(2), o.select(1), o.select(2), o.select(3), o.select(11), o.select(21)]", r#"["one","other","one","two","few","other","one"]"#),
        ("const f = new Intl.ListFormat('en'); return [f.format(['a']), f.format(['a', 'b']), f.format(['a', 'b', 'c']), new Intl.ListFormat('en', {type: 'disjunction'}).format(['a', 'b', 'c'])]", r#"["a","a and b","a, b, and c","a, b, or c"]"#),
        ("const f = new Intl.RelativeTimeFormat('en', {numeric: 'auto'}); return [f.format(-1, 'day'), f.format(3, 'days'), f.format(-2, 'hour'), new Intl.RelativeTimeFormat('en').format(1, 'day')]", r#"["yesterday","in 3 days","2 hours ago","in 1 day"]"#),
        ("try { new Intl.NumberFormat('not a locale') } catch (e) { return e.name }", r#""RangeError""#),
    ])
    .await;
}
