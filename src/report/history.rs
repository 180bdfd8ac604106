//! One CSV history for each run: `t` and the family's columns, shortest round-trip decimals.

use topsim_core::integration::Run;

/// The history as CSV text.
pub(super) fn csv(run: &Run) -> String {
    csv_text(|out| {
        out.write_record(std::iter::once("t").chain(run.columns.names()))?;
        (0..run.times.len()).try_for_each(|k| out.serialize((run.times[k], run.row(k))))
    })
}

/// The CSV text of records of equal length.
pub(crate) fn csv_text(write: impl FnOnce(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    write(&mut out).expect("records of equal length always serialise into memory");
    let bytes = out.into_inner().expect("memory does not fail");
    String::from_utf8(bytes).expect("names and numbers are UTF-8")
}

#[cfg(test)]
mod tests {
    use topsim_core::integration::{Grid, bind};
    use topsim_core::math::{Mat3, Vec3};
    use topsim_core::models::{AnyTop, Free, Inertia, RotState, TorqueModel};
    use topsim_core::schemes::RigPos;

    #[test]
    fn every_number_reads_back_to_the_same_bits() {
        let top = AnyTop {
            inertia: Inertia::diagonal(Vec3::new(1.0, 2.0, 2.5)).unwrap(),
            torque: TorqueModel::Free(Free),
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
        let text = super::csv(&run);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap().get(0), Some("t"));
        for (k, record) in reader.records().enumerate() {
            let record = record.unwrap();
            assert_eq!(record[0].parse::<f64>().unwrap(), run.times[k]);
            for (c, x) in run.row(k).iter().enumerate() {
                assert_eq!(record[c + 1].parse::<f64>().unwrap().to_bits(), x.to_bits());
            }
        }
    }
}
