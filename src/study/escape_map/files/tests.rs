use super::*;

fn grid() -> EscapeGrid {
    let x = MapAxis {
        from: 0.0,
        to: 0.012,
        cells: 3,
    };
    let y = MapAxis {
        from: -0.01,
        to: 0.01,
        cells: 2,
    };
    EscapeGrid {
        x,
        y,
        steps: vec![153, -1, 0, 10_000, 7, -1],
        limit: 10_000,
        h: 0.002,
    }
}

#[test]
fn numpy_reads_the_array() {
    let mut bytes = Vec::new();
    npy(&grid(), &mut bytes).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + length) % 64, 0);
    let head = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    assert!(head.ends_with(" \n"));
    assert_eq!(
        head.trim_end(),
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }"
    );
    let data: Vec<i32> = bytes[10 + length..]
        .chunks(4)
        .map(|b| i32::from_le_bytes(b.try_into().unwrap()))
        .collect();
    assert_eq!(data, grid().steps);
}

#[test]
fn the_csv_has_a_row_for_each_cell_and_the_length_foretold() {
    let mut bytes = Vec::new();
    csv(&grid(), &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 7);
    assert_eq!(
        rows[..4],
        [
            "x,z,steps",
            "0.002,-0.005,153",
            "0.006000000000000001,-0.005,-1",
            "0.01,-0.005,0"
        ]
    );
    let g = grid();
    let most = csv_length([&g.x, &g.y], g.limit);
    let full = EscapeGrid {
        steps: vec![10_000; 6],
        ..grid()
    };
    let mut longest = Vec::new();
    csv(&full, &mut longest).unwrap();
    assert_eq!(longest.len() as u64, most);
}

#[test]
fn the_survival_curve_ends_with_the_survivors() {
    let mut text = Vec::new();
    let file = survival("survival.csv".into(), &grid(), &grid().summary());
    (file.write)(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "t,steps,survivors,fraction");
    assert_eq!(rows[1], "0.002,1,5,0.8333333333333334");
    assert_eq!(*rows.last().unwrap(), "20.0,10000,2,0.3333333333333333");
}

#[test]
fn maps_of_one_kind_of_cell_are_drawn_too() {
    for steps in [vec![-1; 6], vec![0; 6], vec![10_000; 6]] {
        let g = EscapeGrid { steps, ..grid() };
        let drawn = svg(&g, &g.summary(), "A map").unwrap();
        assert!(drawn.contains("still there after 20 s"));
    }
}
