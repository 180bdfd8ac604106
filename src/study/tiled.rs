//! Studies that are computed in tiles: finished tiles are kept, and shards of a study can be computed on several
//! machines.

use super::{Finding, Study, StudyInput, Zoom};
use crate::check::{IncompleteStudy, Number};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tiles::space::{FreeSpace, RequiredSpace, Shortage, bytes};
use tiles::{
    CellProgress, CellStudy, Cells, Shard, Share, StopRequest, TileError, TileFolder, TileSink,
    TileStore, Unfinished, collect,
};
use topsim_core::integration::StopReason;
use topsim_levitron::EscapeMapError;

/// Side of a study in tiles that commands see.
pub trait Tiled: Send + Sync {
    /// Makes the folder of the tiles, and checks that the tiles in it belong to the study and that there is room for
    /// the rest.
    ///
    /// # Errors
    /// [`TilesRefused`].
    fn prepare(&self, place: &TilePlace) -> Result<(), TilesRefused>;
    /// Removes the tiles, once the study is written.
    ///
    /// # Errors
    /// [`TileError`].
    fn remove_tiles(&self, place: &TilePlace) -> Result<(), TileError>;
    /// Describes the cells of a shard, for people.
    fn share(&self, shard: Shard) -> String;
    /// Describes the memory and disk that a shard needs at most, and the cells that are finished, for people.
    fn outlook(&self, place: &TilePlace) -> String;
}

/// Study over a plane of which a part can be looked at more closely.
pub trait Zoomable {
    /// Returns the study over another window or with another number of cells, under a name of its own.
    ///
    /// # Errors
    /// Reason why it cannot be computed there.
    fn zoomed(&self, zoom: &Zoom) -> Result<Box<dyn Study>, EscapeMapError>;
    /// Returns the names of the numbers that mean the same after a zoom.
    fn numbers_of_points(&self) -> Vec<String>;
}

/// Reason why a study in tiles cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum TilesRefused {
    /// Fault of a folder of tiles.
    #[error(transparent)]
    Tiles(#[from] TileError),
    /// Too little memory or disk.
    #[error("no room for {what}: {shortage}")]
    NoRoom {
        /// The study, with its size.
        what: String,
        /// Memory and disk that are lacking.
        shortage: Shortage,
    },
}

/// Folders in which studies keep finished tiles, and the share of the studies to compute.
#[derive(Debug, Clone)]
pub struct TileFolders {
    /// Folder of the results; each case has a folder in it.
    pub out: PathBuf,
    /// Share to compute; all without it.
    pub shard: Option<Shard>,
    /// Other folders of results, whose tiles are taken too.
    pub others: Vec<PathBuf>,
}

impl TileFolders {
    /// Returns the place of the tiles of a case.
    pub fn place<'a>(&'a self, case: &'a str) -> TilePlace<'a> {
        TilePlace {
            folders: self,
            case,
        }
    }
}

/// Place of the tiles of a case.
#[derive(Debug, Clone, Copy)]
pub struct TilePlace<'a> {
    /// Folders of all cases.
    pub folders: &'a TileFolders,
    /// Name of the case, which is the name of the folder of its results.
    pub case: &'a str,
}

impl TilePlace<'_> {
    fn shard(&self) -> Shard {
        self.folders.shard.unwrap_or(Shard::WHOLE)
    }
}

/// Study that is computed in tiles; [`Tiled`] follows.
pub(super) trait InTiles: Study + Clone + 'static {
    /// Computation of the cells.
    type Cells: CellStudy<Error: std::error::Error>;
    /// Returns the computation of the cells.
    fn cells(&self) -> &Self::Cells;
    /// Returns the noun for the study, with its name.
    fn called(&self) -> String;
    /// Returns the noun for its cells, in the plural.
    fn cells_are(&self) -> &'static str;
    /// Describes the size.
    fn size(&self) -> String;
    /// Returns the size of the files of the results in bytes, beside figures.
    fn results(&self) -> u64 {
        0
    }
    /// Makes the finding: opens the tiles, lets `compute` make what is missing, and completes the finding with the result,
    /// which a share of the study does not have yet.
    fn make_in_tiles<R>(
        &self,
        (input, title): (&StudyInput, String),
        compute: ComputeCells<Self, R>,
        complete: impl FnOnce(&mut Finding, R) -> Result<(), IncompleteStudy>,
    ) -> Finding {
        let mut found = Finding::new(self, title);
        found.tiles = Some(Arc::new(self.clone()));
        found.definition = self.cells().definition().fields().clone();
        let made = computed(self, input, compute);
        match made.and_then(|made| made.map_or(Ok(()), |made| complete(&mut found, made))) {
            Ok(()) => found,
            Err(why) => unmade(self, found, why),
        }
    }
}

/// Result of the cells of a study; none where only a share of them is known.
type Computed<S, R> = Result<Option<R>, Unfinished<<<S as InTiles>::Cells as CellStudy>::Error>>;

/// Computes the cells of a study that are missing.
type ComputeCells<S, R> =
    fn(&<S as InTiles>::Cells, Share, &dyn CellProgress, StopRequest) -> Computed<S, R>;

/// Opens the tiles of a study and lets `compute` make what is missing.
fn computed<S: InTiles, R>(
    study: &S,
    input: &StudyInput,
    compute: ComputeCells<S, R>,
) -> Result<Option<R>, IncompleteStudy> {
    let store;
    let mut share = Share::whole(&study.cells().layout());
    if let Some(place) = input.place {
        let (opened, known) = open(study, &place).map_err(|e| match e {
            TilesRefused::Tiles(TileError::Write(_)) => IncompleteStudy::Unkept(e.to_string()),
            _ => IncompleteStudy::Failed(e.to_string()),
        })?;
        store = opened;
        share = Share {
            shard: place.shard(),
            known,
            sink: &store as &dyn TileSink,
        };
    }
    let stop = || (input.stop)().is_some();
    compute(study.cells(), share, input.progress, &stop).map_err(|why| match why {
        Unfinished::Stopped => stopped(input),
        Unfinished::Unkept(e) => IncompleteStudy::Unkept(e.to_string()),
        other => IncompleteStudy::Failed(other.to_string()),
    })
}

/// Returns the reason of a study that was stopped; its finished tiles stay.
pub(super) fn stopped(input: &StudyInput) -> IncompleteStudy {
    IncompleteStudy::Stopped {
        reason: (input.stop)().unwrap_or(StopReason::Interrupted),
        tiles_kept: input.place.is_some(),
    }
}

/// Completes the finding of a study that is not finished: its numbers are missing for the same reason.
pub(super) fn unmade(study: &dyn Study, mut found: Finding, why: IncompleteStudy) -> Finding {
    let names = study.number_names().into_iter();
    found.numbers = names
        .map(|name| Number::new(name, "", Err(why.clone())))
        .collect();
    found.incomplete = Some(why);
    found
}

fn folder(study: &impl InTiles, out: &Path, place: &TilePlace) -> TileFolder {
    let below = Path::new(place.case).join(format!("{}.tiles", study.stem()));
    TileFolder::new(out, below)
}

fn store(study: &impl InTiles, place: &TilePlace) -> Result<(TileStore, Cells), TileError> {
    let own = folder(study, &place.folders.out, place);
    TileStore::open(&own, &study.cells().definition(), study.cells().layout())
}

fn open(study: &impl InTiles, place: &TilePlace) -> Result<(TileStore, Cells), TilesRefused> {
    // The space is checked before the folder is made; where the folder exists, less may be needed.
    if !folder(study, &place.folders.out, place).path().exists() {
        check_room(
            study,
            place,
            place.shard().cells(study.cells().layout().cells),
        )?;
    }
    let (store, mut known) = store(study, place)?;
    take(study, place, &place.folders.others, &mut known)?;
    Ok((store, known))
}

/// Takes the tiles in folders of results.
fn take(
    study: &impl InTiles,
    place: &TilePlace,
    folders: &[PathBuf],
    known: &mut Cells,
) -> Result<(), TileError> {
    let (definition, layout) = (study.cells().definition(), study.cells().layout());
    folders
        .iter()
        .try_for_each(|out| collect(&folder(study, out, place), &definition, layout, known))
}

/// Reads the finished tiles without making or changing anything.
fn finished(study: &impl InTiles, place: &TilePlace) -> Result<Cells, TileError> {
    let mut known = Cells::unknown(&study.cells().layout());
    let out = &place.folders.out;
    if folder(study, out, place).path().exists() {
        take(study, place, std::slice::from_ref(out), &mut known)?;
    }
    take(study, place, &place.folders.others, &mut known)?;
    Ok(known)
}

fn need(study: &impl InTiles, place: &TilePlace, missing: u64) -> RequiredSpace {
    let results = place.folders.shard.is_none().then(|| study.results());
    RequiredSpace::of_cells(&study.cells().layout(), missing, results)
}

fn check_room(study: &impl InTiles, place: &TilePlace, missing: u64) -> Result<(), TilesRefused> {
    let lacks = FreeSpace::now(&place.folders.out).lacks(&need(study, place, missing));
    lacks.map_or(Ok(()), |shortage| {
        Err(TilesRefused::NoRoom {
            what: format!("the {} of {}", study.called(), study.size()),
            shortage,
        })
    })
}

impl<T: InTiles> Tiled for T {
    fn prepare(&self, place: &TilePlace) -> Result<(), TilesRefused> {
        let (_store, known) = open(self, place)?;
        check_room(self, place, known.missing(place.shard()))
    }
    fn remove_tiles(&self, place: &TilePlace) -> Result<(), TileError> {
        store(self, place)?.0.remove()
    }
    fn share(&self, shard: Shard) -> String {
        let all = self.cells().layout().cells;
        format!("{} of {all} {}", shard.cells(all), self.cells_are())
    }
    fn outlook(&self, place: &TilePlace) -> String {
        let all = self.cells().layout().cells;
        let (missing, tiles) = match finished(self, place) {
            Ok(known) => match all - known.missing(Shard::WHOLE) {
                0 => (known.missing(place.shard()), String::new()),
                done => {
                    let tiles = format!("; {done} of {all} {} are in tiles", self.cells_are());
                    (known.missing(place.shard()), tiles)
                }
            },
            Err(e) => (place.shard().cells(all), format!("; {e}")),
        };
        let need = need(self, place, missing);
        let lacks = FreeSpace::now(&place.folders.out).lacks(&need);
        format!(
            "{} of memory and {} of disk at most{}{tiles}",
            bytes(need.memory),
            bytes(need.disk),
            lacks.map_or(String::new(), |why| format!("; NO ROOM: {why}"))
        )
    }
}
