//! Baseline files: CSV with the columns `scheme,step,t` and those of the histories.

use super::{Baseline, BaselineRun};
use crate::text::csv_text;
use topsim_core::verdict::Fineness;

/// Reason why a text is no baseline.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotABaseline {
    /// It is not CSV.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// It begins with other columns.
    #[error(
        "line 1: found the columns `{found}`, allowed: `scheme,step,t` and then columns of the history"
    )]
    Header {
        /// The columns.
        found: String,
    },
    /// A field that is no finite number.
    #[error("line {line}: column {column}: found `{found}`, allowed: a finite number")]
    Number {
        /// Line, from 1.
        line: u64,
        /// Name of the column.
        column: String,
        /// Text of the field.
        found: String,
    },
}

/// Reads a baseline.
///
/// # Errors
/// [`NotABaseline`].
pub fn parse(text: &str) -> Result<Baseline, NotABaseline> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers()?.clone();
    let names: Vec<&str> = header.iter().collect();
    let ["scheme", "step", "t", columns @ ..] = names.as_slice() else {
        return Err(NotABaseline::Header {
            found: names.join(","),
        });
    };
    let mut baseline = Baseline {
        columns: columns.iter().map(|c| (*c).to_string()).collect(),
        runs: Vec::new(),
    };
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        let number = |i: usize| match record[i].parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            _ => Err(NotABaseline::Number {
                line,
                column: header[i].into(),
                found: record[i].into(),
            }),
        };
        let row: Vec<f64> = (3..record.len()).map(number).collect::<Result<_, _>>()?;
        let time = number(2)?;
        let (scheme, fineness) = (&record[0], Fineness::from(record[1].to_string()));
        match baseline.runs.last_mut() {
            Some(run) if run.scheme == *scheme && run.fineness == fineness => {
                run.times.push(time);
                run.rows.push(row);
            }
            _ => baseline.runs.push(BaselineRun {
                scheme: scheme.into(),
                fineness,
                times: vec![time],
                rows: vec![row],
            }),
        }
    }
    Ok(baseline)
}

/// Writes a baseline.
pub fn render(baseline: &Baseline) -> String {
    csv_text(|out| {
        let columns = baseline.columns.iter().map(String::as_str);
        out.write_record(["scheme", "step", "t"].into_iter().chain(columns))?;
        for r in &baseline.runs {
            for (t, row) in r.samples() {
                out.serialize((&r.scheme, &r.fineness, t, row))?;
            }
        }
        Ok(())
    })
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
        let e = parse("a,b\n").unwrap_err();
        assert!(matches!(e, NotABaseline::Header { .. }), "{e}");
        assert!(e.to_string().contains("scheme,step,t"));
        let e = parse("scheme,step,t,H\na,0.1,0,fast\n").unwrap_err();
        let e = e.to_string();
        assert!(e.contains("line 2") && e.contains("`fast`"), "{e}");
        assert!(parse("scheme,step,t,H\na,0.1,0,NaN\n").is_err());
        assert!(parse("scheme,step,t,H\na,0.1,0\n").is_err());
    }
}
