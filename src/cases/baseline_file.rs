//! Baseline files: CSV with the columns `scheme,step,t` and those of the histories.

use crate::analysis::{Baseline, BaselineRun};

/// Reads a baseline.
///
/// # Errors
/// Line and reason.
pub fn parse(text: &str) -> Result<Baseline, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|e| e.to_string())?.clone();
    let names: Vec<&str> = header.iter().collect();
    let ["scheme", "step", "t", columns @ ..] = names.as_slice() else {
        return Err(format!(
            "line 1: found the columns `{}`, allowed: `scheme,step,t` and then columns of the history",
            names.join(",")
        ));
    };
    let mut baseline = Baseline {
        columns: columns.iter().map(|c| (*c).to_string()).collect(),
        runs: Vec::new(),
    };
    for record in reader.records() {
        let record = record.map_err(|e| e.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let number = |i: usize| -> Result<f64, String> {
            let text = &record[i];
            match text.parse::<f64>() {
                Ok(x) if x.is_finite() => Ok(x),
                _ => Err(format!(
                    "line {line}: column {}: found `{text}`, allowed: a finite number",
                    &header[i]
                )),
            }
        };
        let row: Vec<f64> = (3..record.len()).map(number).collect::<Result<_, _>>()?;
        let time = number(2)?;
        let (scheme, step) = (&record[0], &record[1]);
        match baseline.runs.last_mut() {
            Some(run) if run.scheme == *scheme && run.step == *step => {
                run.times.push(time);
                run.rows.push(row);
            }
            _ => baseline.runs.push(BaselineRun {
                scheme: scheme.into(),
                step: step.into(),
                times: vec![time],
                rows: vec![row],
            }),
        }
    }
    Ok(baseline)
}

/// Writes a baseline.
pub fn render(baseline: &Baseline) -> String {
    let mut w = csv::Writer::from_writer(Vec::new());
    let header = ["scheme", "step", "t"].into_iter();
    let written = w
        .write_record(header.chain(baseline.columns.iter().map(String::as_str)))
        .and_then(|()| {
            baseline.runs.iter().try_for_each(|r| {
                r.times
                    .iter()
                    .zip(&r.rows)
                    .try_for_each(|(t, row)| w.serialize((&r.scheme, &r.step, t, row)))
            })
        });
    written.expect("rows of equal length always serialise into memory");
    let bytes = w.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("names and numbers are UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        let text = "scheme,step,t,H,W3\na,0.1,0,1.5,-2e-300\na,0.1,1,0.1,3\nb,0.1,0,1,2\n";
        let b = parse(text).unwrap();
        assert_eq!(b.runs.len(), 2);
        assert_eq!(parse(&render(&b)).unwrap(), b);
    }

    #[test]
    fn bad_numbers_and_headers_are_named() {
        assert!(parse("a,b\n").unwrap_err().contains("scheme,step,t"));
        let e = parse("scheme,step,t,H\na,0.1,0,fast\n").unwrap_err();
        assert!(e.contains("line 2") && e.contains("`fast`"), "{e}");
        assert!(parse("scheme,step,t,H\na,0.1,0,NaN\n").is_err());
        assert!(parse("scheme,step,t,H\na,0.1,0\n").is_err());
    }
}
