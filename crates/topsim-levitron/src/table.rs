//! The independent table of `scripts/levitron_values.py` (60 digits, two ways), for tests.

/// Returns all rows: name, value, note.
pub(crate) fn rows() -> impl Iterator<Item = (&'static str, f64, &'static str)> {
    let text = include_str!("../../topsim-core/tests/data/levitron_values.csv");
    text.lines().skip(1).map(|line| {
        let mut cells = line.splitn(3, ',');
        let name = cells.next().unwrap();
        let value = cells.next().unwrap().parse().unwrap();
        (name, value, cells.next().unwrap())
    })
}

/// Returns one value of the table.
pub(crate) fn table(name: &str) -> f64 {
    let mut found = rows().filter(|r| r.0 == name);
    found.next().unwrap_or_else(|| panic!("{name}")).1
}
