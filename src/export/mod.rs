//! The body, the start and the torque of a case as files for the importers of engines. One body can be said in several
//! ways ([`Form`]), which must all give one motion.

mod body;
mod mjcf;
mod sdf;
mod urdf;
mod usda;
mod xml;

use body::{Body, Model};
use clap::ValueEnum;
use topsim_case::Problem;
use topsim_judge::protocol::{NotPosed, ProblemChoice, SolverProblem};

/// A format of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Unified Robot Description Format.
    Urdf,
    /// MuJoCo's XML.
    Mjcf,
    /// Simulation Description Format, of Gazebo.
    Sdf,
    /// Universal Scene Description with UsdPhysics, as text.
    Usda,
}

/// A way to say the inertia of one body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Principal moments in a turned frame.
    Principal,
    /// A full tensor in the frame of the body.
    Full,
    /// Six smaller bodies, fixed to each other.
    Parts,
    /// The origin of the frame of the body somewhere else, its axes parallel to what they were.
    Shifted,
}

/// What is known of a format.
struct Row {
    format: Format,
    name: &'static str,
    ending: &'static str,
    forms: &'static [Form],
    /// Whether parts are solids of which an importer makes the inertia: a flat body has none.
    solid_parts: bool,
    write: fn(&Model) -> String,
}

const ALL: &[Form] = &[Form::Principal, Form::Full, Form::Parts, Form::Shifted];

const FORMATS: &[Row] = &[
    Row {
        format: Format::Urdf,
        name: "urdf",
        ending: "urdf",
        forms: ALL,
        solid_parts: false,
        write: urdf::write,
    },
    Row {
        format: Format::Mjcf,
        name: "mjcf",
        ending: "xml",
        forms: ALL,
        solid_parts: true,
        write: mjcf::write,
    },
    Row {
        format: Format::Sdf,
        name: "sdf",
        ending: "sdf",
        forms: ALL,
        solid_parts: false,
        write: sdf::write,
    },
    Row {
        format: Format::Usda,
        name: "usda",
        ending: "usda",
        // It has principal moments only.
        forms: &[Form::Principal, Form::Parts, Form::Shifted],
        solid_parts: true,
        write: usda::write,
    },
];

/// Why a case has no such file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotExported {
    /// It has no rotating body.
    #[error(transparent)]
    NotPosed(#[from] NotPosed),
    /// Its rate is given.
    #[error("the case gives a rate, and no body turns; allowed: cases of bodies")]
    GivenRate,
    /// A tensor that only exists as numbers.
    #[error(
        "no body has the principal moments {0}, {1} and {2} kg m² of the case; allowed: the largest at most the sum of the others"
    )]
    NoBody(f64, f64, f64),
    /// Solids of a flat body have no volume.
    #[error("the body is flat and {0} makes parts of solids; allowed: another form")]
    Flat(&'static str),
    /// The format cannot say it.
    #[error("{format} has no place for the form `{form}`; allowed: {allowed}")]
    NoPlace {
        /// Format.
        format: &'static str,
        /// Form.
        form: &'static str,
        /// Forms it has.
        allowed: String,
    },
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// `CASE_FORM.ENDING`.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Form {
    /// As in names of files and arguments.
    fn name(self) -> &'static str {
        match self {
            Self::Principal => "principal",
            Self::Full => "full",
            Self::Parts => "parts",
            Self::Shifted => "shifted",
        }
    }
}

/// The files of a case in one format: in one form, or in each that the format has and the body allows.
///
/// # Errors
/// [`NotExported`].
pub fn export(
    problem: &Problem,
    format: Format,
    form: Option<Form>,
) -> Result<Vec<ExportFile>, NotExported> {
    let posed = SolverProblem::all(problem, &ProblemChoice::default())?;
    // There is a problem for each step; the last has the finest.
    let posed = posed.last().expect("a case with a run has steps");
    let body = Body::of(posed)?;
    let row = FORMATS.iter().find(|row| row.format == format);
    let row = row.expect("every format has a row");
    let file = |form: Form| ExportFile {
        name: format!("{}_{}.{}", problem.name, form.name(), row.ending),
        text: (row.write)(&Model::new(&body, form)),
    };
    let flat = |form: &Form| *form == Form::Parts && row.solid_parts && body.is_flat();
    match form {
        Some(form) if !row.forms.contains(&form) => Err(NotExported::NoPlace {
            format: row.name,
            form: form.name(),
            allowed: row
                .forms
                .iter()
                .map(|f| f.name())
                .collect::<Vec<_>>()
                .join(", "),
        }),
        Some(form) if flat(&form) => Err(NotExported::Flat(row.name)),
        Some(form) => Ok(vec![file(form)]),
        None => Ok(row
            .forms
            .iter()
            .filter(|f| !flat(f))
            .map(|f| file(*f))
            .collect()),
    }
}
