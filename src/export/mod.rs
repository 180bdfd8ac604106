//! The body, the start and the torque of a case as files for the importers of engines. A file gives the inertia of the body
//! in one of several forms ([`InertiaForm`]), which must all give one motion.

mod body;
mod mjcf;
mod sdf;
mod urdf;
mod usda;
mod xml;

use body::{ExportedBody, Solid};
use clap::ValueEnum;
use topsim_case::Problem;
use topsim_judge::protocol::{NotPosed, ProblemChoice, SolverProblem};

/// A format of files for engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Unified Robot Description Format.
    Urdf,
    /// XML of MuJoCo.
    Mjcf,
    /// Simulation Description Format, of Gazebo.
    Sdf,
    /// Universal Scene Description with UsdPhysics, as text.
    Usda,
}

/// A form in which a file gives the inertia of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InertiaForm {
    /// Principal moments in a turned frame.
    Principal,
    /// A full tensor in the frame of the body.
    Full,
    /// Six smaller bodies, fixed to each other.
    Parts,
    /// A full tensor, with the origin of the frame of the body moved and its axes parallel.
    Shifted,
}

/// A row of the table of formats.
struct FormatRow {
    format: ExportFormat,
    ending: &'static str,
    forms: &'static [InertiaForm],
    /// True if parts are solids of which an importer makes the inertia; a flat body has no such solids.
    solid_parts: bool,
    write: fn(&ExportedBody) -> String,
}

const FORMATS: &[FormatRow] = &[
    FormatRow {
        format: ExportFormat::Urdf,
        ending: "urdf",
        forms: ALL_FORMS,
        solid_parts: false,
        write: urdf::write,
    },
    FormatRow {
        format: ExportFormat::Mjcf,
        ending: "xml",
        forms: ALL_FORMS,
        solid_parts: true,
        write: mjcf::write,
    },
    FormatRow {
        format: ExportFormat::Sdf,
        ending: "sdf",
        forms: ALL_FORMS,
        solid_parts: false,
        write: sdf::write,
    },
    FormatRow {
        format: ExportFormat::Usda,
        ending: "usda",
        // The schema has principal moments only.
        forms: &[
            InertiaForm::Principal,
            InertiaForm::Parts,
            InertiaForm::Shifted,
        ],
        solid_parts: true,
        write: usda::write,
    },
];

const ALL_FORMS: &[InertiaForm] = &[
    InertiaForm::Principal,
    InertiaForm::Full,
    InertiaForm::Parts,
    InertiaForm::Shifted,
];

/// A reason why a case has no such file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotExported {
    /// The case has no rotating body.
    #[error(transparent)]
    NotPosed(#[from] NotPosed),
    /// The case gives a rate instead of a body.
    #[error("the case gives a rate, and no body turns; allowed: cases of bodies")]
    GivenRate,
    /// The tensor is that of no mass distribution.
    #[error(
        "no body has the principal moments {0}, {1} and {2} kg m² of the case; allowed: the largest at most the sum of the others"
    )]
    NoBody(f64, f64, f64),
    /// The body is flat, so that solids of it have no volume.
    #[error("the body is flat and {0} makes parts of solids; allowed: another form")]
    Flat(String),
    /// The format has no such form.
    #[error("{format} has no place for the form `{form}`; allowed: {allowed}")]
    NoPlace {
        /// Name of the format.
        format: String,
        /// Name of the form.
        form: String,
        /// Names of the forms of the format.
        allowed: String,
    },
}

/// A file for an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// File name: `CASE_FORM.ENDING`.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

/// Returns the files of a case in one format: in one form, or in each form that the format has and the body allows.
///
/// # Errors
/// [`NotExported`].
pub fn export(
    problem: &Problem,
    format: ExportFormat,
    form: Option<InertiaForm>,
) -> Result<Vec<ExportFile>, NotExported> {
    let posed = SolverProblem::all(problem, &ProblemChoice::default())?;
    // There is a problem for each step; the last has the finest.
    let posed = posed.last().expect("a case with a run has steps");
    let solid = Solid::new(posed)?;
    let row = FORMATS.iter().find(|row| row.format == format);
    let row = row.expect("every format has a row");
    let flat = |form: InertiaForm| form == InertiaForm::Parts && row.solid_parts && solid.is_flat();
    let forms = match form {
        Some(form) if !row.forms.contains(&form) => {
            let all: Vec<String> = row.forms.iter().map(name).collect();
            return Err(NotExported::NoPlace {
                format: name(&format),
                form: name(&form),
                allowed: all.join(", "),
            });
        }
        Some(form) if flat(form) => return Err(NotExported::Flat(name(&format))),
        Some(form) => vec![form],
        None => row.forms.iter().copied().filter(|f| !flat(*f)).collect(),
    };
    let file = |form: InertiaForm| ExportFile {
        name: format!("{}_{}.{}", problem.name, name(&form), row.ending),
        text: (row.write)(&ExportedBody::new(&solid, form)),
    };
    Ok(forms.into_iter().map(file).collect())
}

/// Returns the name of a value as arguments have it.
fn name(value: &impl ValueEnum) -> String {
    let named = value.to_possible_value();
    named.expect("no value is hidden").get_name().into()
}
