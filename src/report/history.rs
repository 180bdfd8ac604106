//! The CSV file with the history of a run: `t` and the columns of its family, as shortest round-trip decimals.

use std::io::{self, Read, Write};
use topsim_core::integration::Run;
use topsim_core::models::Columns;

/// Writes the history as CSV.
pub(super) fn write(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record(std::iter::once("t").chain(run.columns.names()))?;
    for k in 0..run.times.len() {
        out.serialize((run.times[k], run.row(k)))?;
    }
    out.flush()
}

/// Reads the times and rows of a history with these columns; `None` if it has other columns or a field is no number.
pub(super) fn read(columns: &Columns, file: impl Read) -> csv::Result<Option<Rows>> {
    let mut reader = csv::Reader::from_reader(file);
    if !reader.headers()?.iter().skip(1).eq(columns.names()) {
        return Ok(None);
    }
    let (mut times, mut rows) = (Vec::new(), Vec::new());
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record)? {
        let mut numbers = record.iter().map(|field| field.parse().ok());
        let Some(Some(time)) = numbers.next() else {
            return Ok(None);
        };
        times.push(time);
        for number in numbers {
            let Some(number) = number else {
                return Ok(None);
            };
            rows.push(number);
        }
    }
    Ok(Some((times, rows)))
}

/// Times, and the numbers of all rows one after another.
pub(super) type Rows = (Vec<f64>, Vec<f64>);

#[cfg(test)]
mod tests {
    use topsim_core::integration::{Grid, bind};
    use topsim_core::math::{Mat3, Vec3};
    use topsim_core::models::{AnyTop, Inertia, NoTorque, RotState, TorqueModel};
    use topsim_core::schemes::RigPos;

    #[test]
    fn every_number_reads_back_to_the_same_bits() {
        let top = AnyTop {
            inertia: Inertia::diagonal(Vec3::new(1.0, 2.0, 2.5)).unwrap(),
            torque: TorqueModel::NoTorque(NoTorque),
            initial: RotState {
                att: Mat3::identity(),
                omega: Vec3::new(0.1, 1e-17, 3.0),
            }
            .into(),
        };
        let run =
            bind(RigPos {}, &top.into())
                .unwrap()
                .run(&Grid::new(0.0, 1.0, 0.1, 0.1), &[], &|_| None);
        let mut text = Vec::new();
        super::write(&run, &mut text).unwrap();
        assert!(text.starts_with(b"t,R11,"));
        let (times, rows) = super::read(&run.columns, &text[..]).unwrap().unwrap();
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&times), bits(&run.times));
        assert_eq!(bits(&rows), bits(&run.rows));
    }
}
