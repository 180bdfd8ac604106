use super::*;
use topsim_core::models::levitron::{Levitron, LevitronParameters};

fn cell(text: &str, row: usize, name: &str) -> f64 {
    let mut lines = text.lines();
    let head = lines.next().unwrap().split(',');
    let column = head.into_iter().position(|n| n == name).unwrap();
    let mut row = lines.nth(row).unwrap().split(',');
    row.nth(column).unwrap().parse().unwrap()
}

/// Returns a value of the independent table of `scripts/levitron_values.py`.
fn exact(name: &str) -> f64 {
    let text = include_str!("../../../crates/topsim-core/tests/data/levitron_values.csv");
    let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let row = rows.find(|row| row[0] == name).unwrap();
    row[1].parse().unwrap()
}

fn near(found: f64, name: &str, rel: f64) {
    let exact = exact(name);
    assert!((found / exact - 1.0).abs() <= rel, "{name}: {found}");
}

fn text(csv: fn(String, &StabilityRegionResult) -> DataFile, of: &StabilityRegionResult) -> String {
    let mut text = Vec::new();
    (csv("region.csv".into(), of).write)(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Columns hold what their heads say, against the independent table.
#[test]
fn files_of_a_region_read_back() {
    let levitron = Levitron::new(LevitronParameters::dullin2004()).unwrap();
    let own = levitron.equilibrium().unwrap().outer;
    let region = StabilityRegion {
        name: "dullin2004".into(),
        levitron,
        sigma: 20.0,
        heights: vec![0.02, 0.028, own],
        spins: vec![10.0, 20.0],
    };
    let found = run_region(&region, &|| false).unwrap();
    let edges = text(edges_csv, &found);
    assert_eq!(edges.lines().nth(1).unwrap(), "0.02,,");
    assert_eq!(cell(&edges, 1, "z_s"), 0.028);
    near(cell(&edges, 1, "sigma_low"), "edge_low_0.028", 1e-12);
    near(cell(&edges, 1, "sigma_high"), "edge_high_0.028", 1e-12);
    // The rows go from low to high, and within a height by spin; the last row is the case's own point.
    for (text, row) in [(text(plane_csv, &found), 5), (text(modes_csv, &found), 1)] {
        assert_eq!(cell(&text, row, "sigma"), 20.0);
        for k in 0..4 {
            let omega = cell(&text, row, &format!("omega_{}", k + 1));
            near(omega, &format!("quartic_omega_{k}"), 1e-12);
            assert_eq!(cell(&text, row, &format!("growth_{}", k + 1)), 0.0);
        }
        assert_eq!(cell(&text, row, "krein_3"), -1.0);
    }
    let plane = text(plane_csv, &found);
    assert_eq!(cell(&plane, 5, "stable"), 1.0);
    assert_eq!(cell(&plane, 5, "negative_modes"), 1.0);
    assert_eq!(cell(&plane, 4, "stable"), 0.0);
    assert!(cell(&plane, 4, "growth") > 0.1);
}
