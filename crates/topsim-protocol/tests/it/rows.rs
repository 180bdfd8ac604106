//! Rows of histories: whatever a file holds, it is read or refused with line and column, and nothing panics.

use proptest::prelude::*;
use std::fmt::Write;
use topsim_protocol::history::{HistoryError, QuaternionOrder, ReadError, Reading, Rows};

/// Reads to the end.
fn read(text: &[u8], reading: &Reading) -> Result<u64, ReadError> {
    let mut rows = Rows::new(text, reading)?;
    while rows.next_row()?.is_some() {}
    Ok(rows.quality().rows)
}

#[test]
fn errors_carry_line_and_column() {
    let text = b"t,qx,qy,qz,qw\n0,0,0,0,1\n1,0,0,0,one\n";
    let Err(ReadError::Content(e)) = read(text, &Reading::default()) else {
        panic!("it is no number");
    };
    let HistoryError { line, column, .. } = &e;
    assert_eq!((*line, column.as_deref()), (3, Some("qw")));
    let crlf = "\u{feff}t,qw,qx,qy,qz\r\n0,1,0,0,0\r\n 1 , 1 ,0,0,0\r\n";
    assert_eq!(read(crlf.as_bytes(), &Reading::default()).unwrap(), 2);
}

#[test]
fn statements_before_the_columns() {
    let rows = "t,qw,qx,qy,qz\n0,1,0,0,0\n1,1,0,0,0\n";
    let text = format!("# torque_evaluations: 12\n# claim: order=4, energy\n{rows}");
    let stated = Rows::new(text.as_bytes(), &Reading::default()).unwrap();
    assert_eq!(stated.evaluations(), Some(12));
    assert_eq!(stated.claims().unwrap().order, Some(4.0));
    assert_eq!(read(text.as_bytes(), &Reading::default()).unwrap(), 2);
    let unstated = Rows::new(rows.as_bytes(), &Reading::default()).unwrap();
    assert!(unstated.evaluations().is_none() && unstated.claims().is_none());
    for wrong in [
        "# claim: energy\n# torque_evaluations: -1\n",
        "# claim: energy\n# torque_evaluations:\n",
    ] {
        let text = format!("{wrong}{rows}");
        let Err(ReadError::Content(e)) = read(text.as_bytes(), &Reading::default()) else {
            panic!("{wrong}");
        };
        assert!(e.line == 2 && e.allowed.contains("whole number"), "{e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_text_never_panics(text in "[tqwxyzRWeH0-9.,;\n\"nanif+-]{0,200}", xyzw: bool) {
        let order = if xyzw { QuaternionOrder::Xyzw } else { QuaternionOrder::Wxyz };
        let reading = Reading { quaternion: Some(order), euler: "ZXZ:deg".parse().ok(), transposed: xyzw, ..Reading::default() };
        let _ = read(text.as_bytes(), &reading);
    }

    #[test]
    fn random_bytes_in_rows_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut text = b"t,q1,q2,q3,q4,W1,W2,W3\n0,0,0,0,1,1,2,3\n".to_vec();
        text.extend(bytes);
        let reading = Reading { quaternion: Some(QuaternionOrder::Xyzw), ..Reading::default() };
        let _ = read(&text, &reading);
    }

    #[test]
    fn random_numbers_never_panic(rows in prop::collection::vec(prop::collection::vec(any::<f64>(), 8), 0..6)) {
        let mut text = String::from("t,qw,qx,qy,qz,W1,W2,W3\n");
        for r in rows {
            let numbers: Vec<String> = r.iter().map(f64::to_string).collect();
            let _ = writeln!(text, "{}", numbers.join(","));
        }
        let _ = read(text.as_bytes(), &Reading::default());
    }
}
