//! A small map for tests, windows that are refused, and the text of the definition.

use super::definition::field;
use super::*;
use crate::kernel::{EscapeProblem, Width};
use tiles::CellStudy;
use topsim_core::models::levitron::{FieldModel, Levitron, LevitronParameters, VerticalGradient};
use topsim_core::models::reduced::ReducedDamping;
use topsim_core::schemes::STRANG;

/// Returns figure 1a of Dullin 2004, with few cells and half a second.
pub(crate) fn small() -> EscapeMap {
    let levitron = Levitron::new(LevitronParameters::dullin2004()).unwrap();
    let z = levitron.equilibrium().unwrap().outer;
    let axis = |from, to, cells| MapAxis { from, to, cells };
    EscapeMap {
        name: "small".into(),
        scheme: "poisson_strang".into(),
        x: axis(0.0, 0.012, 17),
        z: axis(-0.01, 0.01, 13),
        probes: vec![[0.012, 0.0], [0.001, 0.0]],
        escape: EscapeProblem {
            levitron,
            spin: 40.0 * core::f64::consts::PI,
            centre: [0.0, 0.0, z],
            radius: z,
            h: 0.002,
            steps: 250,
            scheme: STRANG,
            damping: ReducedDamping::default(),
        },
        width: Width::best(),
    }
}

#[test]
fn cells_are_counted_row_by_row() {
    let map = small();
    assert_eq!(map.cells(), 17 * 13);
    assert_eq!(map.start(0), map.place([map.x.centre(0), map.z.centre(0)]));
    assert_eq!(map.start(20), map.place([map.x.centre(3), map.z.centre(1)]));
    assert_eq!(map.start(20)[1], 0.0);
}

#[test]
fn windows_that_cannot_be_mapped_are_refused_with_numbers() {
    assert_eq!(small().check(), Ok(()));
    let mut far = small();
    far.probes.push([0.03, 0.02]);
    let e = far.check().unwrap_err();
    assert!(matches!(
        e,
        EscapeMapError::Outside {
            x: 0.03,
            z: 0.02,
            ..
        }
    ));
    let said = e.to_string();
    assert!(
        said.contains("0.0361 m") && said.contains("0.0313 m"),
        "{said}"
    );
    let mut nowhere = small();
    nowhere.x.to = f64::NAN;
    assert!(nowhere.check().is_err());
    let mut wide = small();
    wide.escape.radius = 0.07;
    let e = wide.check().unwrap_err();
    assert!(matches!(e, EscapeMapError::Field { .. }), "{e}");
    wide.escape.radius = f64::NAN;
    assert!(wide.check().is_err());
}

/// Tiles of maps that were begun before must be found again: the words stay.
#[test]
fn the_definition_is_written_as_ever() {
    let mut map = small();
    let definition = map.definition();
    let of = |field: &str| definition.fields()[field].clone();
    assert_eq!(
        of("damping"),
        "Damping { translation: 0.0, spin: 0.0, transverse: 0.0 }"
    );
    assert_eq!(of("field"), "Disk { order: 7, gradient: Exact }");
    assert_eq!(of("x"), "0.0 to 0.012 m in 17 cells");
    assert_eq!(of("step"), "0.002 s");
    assert_eq!(definition.fields().len(), 16);
    for (model, text) in [
        (FieldModel::Exact, "Exact"),
        (
            FieldModel::Ring {
                order: 3,
                gradient: VerticalGradient::Harmonic,
            },
            "Ring { order: 3, gradient: Harmonic }",
        ),
    ] {
        assert_eq!(field(model), text);
    }
    map.escape.damping.spin = 0.25;
    let other = map.definition();
    assert_eq!(definition.differences(&other).len(), 1);
    assert_eq!(
        other.fields()["damping"],
        "Damping { translation: 0.0, spin: 0.25, transverse: 0.0 }"
    );
    // Single starts and the name do not change the definition.
    map = small();
    map.probes.clear();
    map.name = "other".into();
    assert_eq!(map.definition(), definition);
}
