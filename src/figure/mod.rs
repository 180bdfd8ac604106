//! Figures of runs that a case asks for. A kind of figure is one file and one variant of `FigureKind`; case files, their
//! schema and the drawings follow.

mod error;
mod format;
mod history;
mod page;
mod path;
mod phase;
mod polhode;
mod sphere;
mod time;

pub use format::FigureFormat;
pub(crate) use page::PageKeys;

use crate::check::{SchemeRun, Selection, grouped};
use crate::text::{self, Column};
use enum_dispatch::enum_dispatch;
use schemars::JsonSchema;
use serde::Deserialize;
use strum::VariantNames;
use topsim_case::Problem;
use topsim_core::integration::Run;
use topsim_core::models::{Columns, Model};
use topsim_core::reference::RowReference;
use topsim_plot::surface::{self, Surface};
use topsim_plot::{Axis, Plot, PlotError, Series, SeriesGroup, share_range};

/// A kind of figure: the type of each variant holds its keys in the case file.
#[enum_dispatch(Drawn)]
#[derive(Debug, Clone, Deserialize, JsonSchema, VariantNames)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub(crate) enum FigureKind {
    History(history::HistoryFigure),
    Error(error::ErrorFigure),
    Phase(phase::PhaseFigure),
    Sphere(sphere::SphereFigure),
    Polhode(polhode::PolhodeFigure),
}

/// A kind of figure with its keys.
#[enum_dispatch]
trait Drawn {
    /// Checks its keys.
    fn check(&self, reader: &mut Reader);
    /// Returns the stem of its files.
    fn stem(&self) -> String;
    /// Returns its subject, for its title.
    fn subject(&self, columns: &Columns) -> String;
    /// Draws the runs, without a title.
    fn draw(&self, view: &View) -> FigureDrawing;
}

/// Spread of runs over figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum OnePer {
    /// One figure for each scheme, its steps as lines.
    #[default]
    Scheme,
    /// One figure for each step, the schemes as lines.
    Step,
    /// One figure for all.
    Case,
}

/// Keys that all kinds share.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
struct SharedKeys {
    /// Spread of the runs over figures (default one per scheme).
    #[serde(default)]
    one_per: OnePer,
    /// Selection of the runs; all without it.
    #[serde(default)]
    runs: Selection,
    #[serde(flatten)]
    page: PageKeys,
}

/// A figure of runs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(extend("unevaluatedProperties" = false))]
pub struct Figure {
    #[serde(flatten)]
    what: FigureKind,
    #[serde(flatten)]
    shared: SharedKeys,
}

/// A figure table beside the case it stands in.
struct Reader<'a, 'f> {
    key: String,
    problem: &'a Problem,
    columns: &'a Columns,
    faults: &'a mut strict_toml::Faults<'f>,
}

impl Reader<'_, '_> {
    /// Adds a fault at a key of the table.
    fn fault(&mut self, key: &str, found: impl Into<String>, allowed: impl Into<String>) {
        let key = format!("{}.{key}", self.key);
        self.faults.add(&key, found, allowed);
    }

    /// Checks that the histories have a column with this name.
    fn column(&mut self, key: &str, name: &str) {
        if self.columns.position(name).is_none() {
            let names: Vec<&str> = self.columns.names().collect();
            let near = strict_toml::meant(strict_toml::nearest(name, &names));
            let found = format!("the history has no column `{name}`{near}");
            self.fault(key, found, names.join(", "));
        }
    }
}

/// Returns a name of a quantity, its own or the noun for it, with its unit.
fn named(columns: &Columns, quantity: &str, own: Option<&String>) -> Column {
    let words = || text::quantity(columns, quantity);
    let name = own.cloned().unwrap_or_else(words);
    Column::new(name, columns.unit(quantity).unwrap_or_default())
}

/// Makes a plot of the runs, without a title.
fn plotted(x: Axis, y: Axis, series: impl Iterator<Item = Series>) -> FigureDrawing {
    FigureDrawing::Plot(Plot {
        series: series.collect(),
        x,
        y,
        ..Plot::default()
    })
}

/// The case whose runs a figure draws.
pub(crate) struct FiguredCase<'a> {
    /// Title of the case.
    pub title: &'a str,
    /// Runs of the case.
    pub runs: Vec<&'a SchemeRun>,
    /// Reference of the case, if it has one.
    pub reference: Option<&'a dyn RowReference>,
    /// Body, torque and start, if the case poses a problem.
    pub model: Option<&'a Model>,
}

/// Runs that a figure is drawn of.
struct View<'a> {
    /// The runs, the coarsest step first, so that the finer lines lie on top of it.
    runs: Vec<DrawnRun<'a>>,
    columns: &'a Columns,
    reference: Option<&'a dyn RowReference>,
    model: Option<&'a Model>,
}

/// A run that is drawn.
struct DrawnRun<'a> {
    label: String,
    run: &'a Run,
    /// Its scheme, and how many finer runs of the scheme the figure has, as in `report.html`.
    group: SeriesGroup,
}

/// A drawing of any kind.
enum FigureDrawing {
    /// Two axes.
    Plot(Plot),
    /// Curves on an ellipsoid.
    Surface(Surface),
}

impl Figure {
    /// Returns the stems of its files with its drawings.
    pub(crate) fn draw(&self, case: &FiguredCase) -> Vec<(String, Result<String, PlotError>)> {
        let groups = self.groups(case);
        let (mut plots, mut surfaces) = (Vec::new(), Vec::new());
        for (_, runs) in &groups {
            let Some(first) = runs.first() else { continue };
            let view = self.view(case, runs);
            let title = self.title(case, first, (view.columns, groups.len()));
            match self.what.draw(&view) {
                FigureDrawing::Plot(plot) => plots.push(Plot { title, ..plot }),
                FigureDrawing::Surface(surface) => surfaces.push(Surface { title, ..surface }),
            }
        }
        let page = &self.shared.page;
        plots.iter_mut().for_each(|plot| page.apply(plot));
        surfaces
            .iter_mut()
            .for_each(|surface| page.apply_to_surface(surface));
        // Figures of one quantity are to be compared.
        if !page.has_range() {
            share_range(&mut plots);
        }
        let plots = plots.iter().map(topsim_plot::svg);
        let drawn = plots.chain(surfaces.iter().map(surface::svg));
        let names = groups.iter().map(|(key, _)| self.name(key.as_deref()));
        names.zip(drawn).collect()
    }

    /// Returns the stems of its files.
    pub(crate) fn names(&self, case: &FiguredCase) -> Vec<String> {
        let groups = self.groups(case).into_iter();
        groups.map(|(key, _)| self.name(key.as_deref())).collect()
    }

    fn name(&self, key: Option<&str>) -> String {
        let stem = self.what.stem();
        key.map_or(stem.clone(), |key| format!("{stem}_{key}"))
    }

    /// Groups the runs of each drawing, with what names it.
    fn groups<'a>(&self, case: &FiguredCase<'a>) -> Vec<(Option<String>, Vec<&'a SchemeRun>)> {
        let drawn = |r: &&SchemeRun| self.shared.runs.shows(r);
        let key = |r: &SchemeRun| match self.shared.one_per {
            OnePer::Scheme => Some(r.scheme.clone()),
            OnePer::Step => Some(r.fineness.stem()),
            OnePer::Case => None,
        };
        grouped(case.runs.iter().copied().filter(drawn).map(|r| (key(r), r)))
    }

    /// Returns the title of one of several figures: a title that was asked for stands alone on a figure without others.
    fn title(
        &self,
        case: &FiguredCase,
        first: &SchemeRun,
        (columns, figures): (&Columns, usize),
    ) -> String {
        let title = match &self.shared.page.title {
            Some(title) if figures == 1 => return title.clone(),
            Some(title) => title.clone(),
            None => {
                let subject = Column::new(self.what.subject(columns), "").capital();
                format!("{} · {subject}", case.title)
            }
        };
        match self.shared.one_per {
            OnePer::Scheme => format!("{title} · {}", self.shared.page.name(&first.scheme)),
            OnePer::Step => format!("{title} · {}", first.fineness.words()),
            OnePer::Case => title,
        }
    }

    fn view<'a>(&self, case: &FiguredCase<'a>, runs: &[&'a SchemeRun]) -> View<'a> {
        let mut runs = runs.to_vec();
        runs.sort_by(|a, b| b.fineness_number().total_cmp(&a.fineness_number()));
        let one_step = runs.iter().all(|r| r.fineness == runs[0].fineness);
        let label = |r: &SchemeRun| {
            let name = self.shared.page.name(&r.scheme);
            let run = match self.shared.one_per {
                OnePer::Scheme => r.fineness.words(),
                OnePer::Step => name.into(),
                OnePer::Case if one_step => name.into(),
                OnePer::Case => format!("{name}, {}", r.fineness.words()),
            };
            match (r.outcome(), r.run.times.last()) {
                (Err(_), Some(t)) => format!("{run} (ends at {t:.3} s)"),
                _ => run,
            }
        };
        View {
            columns: &runs[0].run.columns,
            runs: runs
                .iter()
                .map(|r| DrawnRun {
                    label: label(r),
                    run: &r.run,
                    group: series_group(r, &case.runs, &runs),
                })
                .collect(),
            reference: case.reference,
            model: case.model,
        }
    }
}

/// Returns the group of the curve of a run: its scheme among those of the case, and how many finer runs of it are drawn.
pub(crate) fn series_group(
    run: &SchemeRun,
    of_case: &[&SchemeRun],
    drawn: &[&SchemeRun],
) -> SeriesGroup {
    let schemes = grouped(of_case.iter().map(|r| (&*r.scheme, ())));
    let is_finer = |other: &&&SchemeRun| {
        other.scheme == run.scheme && other.fineness_number() < run.fineness_number()
    };
    SeriesGroup {
        number: schemes.iter().position(|s| s.0 == run.scheme).unwrap_or(0),
        place: drawn.iter().filter(is_finer).count(),
    }
}

/// Checks the figures that a case asks for beside the case, and returns those that can be drawn.
pub(crate) fn checked(
    figures: Vec<Figure>,
    problem: &Problem,
    faults: &mut strict_toml::Faults,
) -> Vec<Figure> {
    let plans = &problem.plans;
    let Some(columns) = plans.first().map(|p| p.experiment.columns()) else {
        return Vec::new();
    };
    let mut out: Vec<Figure> = Vec::new();
    for (i, figure) in figures.into_iter().enumerate() {
        let key = format!("figure[{i}]");
        let Figure { what, shared } = &figure;
        let same = |f: &Figure| (f.what.stem(), f.shared.one_per) == (what.stem(), shared.one_per);
        if out.iter().any(same) {
            faults.add(
                &key,
                "this figure is asked for twice; its files would overwrite each other",
                "each kind once for a quantity and `one_per`; `runs` does not change the files' names",
            );
            continue;
        }
        crate::check::selection::selection(&shared.runs, &format!("{key}.runs"), plans, faults);
        let mut reader = Reader {
            key,
            problem,
            columns,
            faults,
        };
        what.check(&mut reader);
        shared.page.check(plans, |key, found, allowed| {
            reader.fault(key, found, allowed)
        });
        out.push(figure);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Figure;

    #[test]
    fn no_kind_has_a_key_that_all_share() {
        let schema = strict_toml::schema_of::<Figure>();
        let shared = schema["properties"].as_object().unwrap();
        for kind in schema["oneOf"].as_array().unwrap() {
            let own = kind["properties"].as_object().unwrap();
            let clash = own.keys().find(|key| shared.contains_key(*key));
            assert_eq!(clash, None, "{kind}");
        }
    }
}
