//! Studies that are computed tile by tile: finished tiles are kept, and shards of them can be computed on several
//! machines.

use super::{Finding, Study};
use crate::check::IncompleteStudy;
use std::path::{Path, PathBuf};
use topsim_core::integration::StopReason;
use topsim_levitron::space::{FreeSpace, RequiredSpace, bytes};
use topsim_levitron::{
    Cells, Definition, EscapeMapError, Extent, MapEnd, Shard, TileError, TileFolder, TileSink,
    TileStore, collect,
};

/// The side of a study that commands see.
pub trait Tiled: Send + Sync {
    /// Its side that can be looked at more closely, where it has one.
    fn zoomable(&self) -> Option<&dyn Zoomable>;
    /// Sees before any computing that the tiles in `place` belong to this study and that there is
    /// room for the rest; makes their folder.
    ///
    /// # Errors
    /// [`TileError`], also for tiles of another study.
    fn prepare(&self, place: &Place) -> Result<(), TileError>;
    /// What is not there yet, below `place`.
    ///
    /// # Errors
    /// [`TileError`].
    fn missing(&self, place: &Place) -> Result<TileShortage, TileError>;
    /// Removes the tiles once the study is written.
    ///
    /// # Errors
    /// [`TileError`].
    fn remove_tiles(&self, place: &Place) -> Result<(), TileError>;
    /// What a shard has to compute, for people.
    fn share(&self, shard: Shard) -> String;
    /// Memory and disk that a shard needs at most, for people.
    fn room(&self, place: &Place) -> String;
}

/// A study over a plane, of which a part can be looked at more closely.
pub trait Zoomable {
    /// The same study over another window or with another number of cells, under a name of its
    /// own.
    ///
    /// # Errors
    /// Why it cannot be computed there.
    fn zoomed(&self, zoom: &super::Zoom) -> Result<Box<dyn Study>, EscapeMapError>;
    /// Names of its numbers that mean the same after a zoom.
    fn numbers_of_points(&self) -> Vec<String>;
}

/// What is missing of a tiled study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileShortage {
    /// What its cells are, and of which study.
    pub what: String,
    /// Cells that are not there.
    pub cells: u64,
    /// Cells in all.
    pub of: u64,
    /// The shards that would compute them.
    pub shards: Vec<Shard>,
}

/// Where studies keep finished tiles, and which share of them is computed.
#[derive(Debug, Clone)]
pub struct StudyFolders {
    /// Folder of the results; a case has one of its own below.
    pub out: PathBuf,
    /// The share; all without it.
    pub shard: Option<Shard>,
    /// Other folders of results, whose tiles are taken too.
    pub others: Vec<PathBuf>,
}

impl StudyFolders {
    /// The place of the tiles of a case.
    pub fn place<'a>(&'a self, case: &'a str) -> Place<'a> {
        Place {
            folders: self,
            case,
        }
    }
    /// The share as an interval of all.
    pub fn share(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }
}

/// Where the tiles of a case are kept.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The folders of all cases.
    pub folders: &'a StudyFolders,
    /// Name of the case; its results have a folder of that name.
    pub case: &'a str,
}

/// What a study says of itself to be kept in tiles. [`Tiled`] follows.
pub(super) trait InTiles: Study {
    /// What it is called, with its name.
    fn called(&self) -> String;
    /// What its cells are, in the plural.
    fn cells_are(&self) -> &'static str;
    /// Its size in words.
    fn size(&self) -> String;
    /// All that decides its numbers.
    fn definition(&self) -> Definition;
    /// Its size.
    fn cells(&self) -> Extent;
    /// What it needs where so many cells are missing; of a share, or of the whole.
    fn need(&self, missing: u64, of_share: bool) -> RequiredSpace;
    /// As [`Tiled::zoomable`].
    fn closer(&self) -> Option<&dyn Zoomable> {
        None
    }
}

/// A study whose tiles are open.
pub(super) struct OpenTiles {
    /// The share to compute.
    pub shard: Shard,
    /// What is known already.
    pub known: Cells,
    store: Option<TileStore>,
}

impl OpenTiles {
    /// Opens the tiles in `place`; without a place nothing is kept.
    pub fn of(study: &impl InTiles, place: Option<Place>) -> Result<Self, IncompleteStudy> {
        let Some(place) = place else {
            let Extent { cells, each, .. } = study.cells();
            return Ok(Self {
                shard: Shard::WHOLE,
                known: Cells::unknown_of(cells, each),
                store: None,
            });
        };
        let (store, known) = open(study, &place).map_err(|e| match e {
            TileError::Write(_) => IncompleteStudy::Unkept(e.to_string()),
            _ => IncompleteStudy::Failed(e.to_string()),
        })?;
        Ok(Self {
            shard: place.folders.share(),
            known,
            store: Some(store),
        })
    }
    /// Takes finished tiles.
    pub fn sink(&self) -> &dyn TileSink {
        match &self.store {
            Some(store) => store,
            None => &(),
        }
    }
}

/// What the end of the computing means for the study.
pub(super) fn outcome(end: &MapEnd) -> Result<(), IncompleteStudy> {
    match end {
        MapEnd::Reached => Ok(()),
        MapEnd::Stopped(reason) => Err(stopped(*reason)),
        MapEnd::Unkept(e) => Err(IncompleteStudy::Unkept(e.to_string())),
        MapEnd::Failed(why) => Err(IncompleteStudy::Failed(why.to_string())),
    }
}

/// A study that was stopped; what is finished stays.
pub(super) fn stopped(reason: StopReason) -> IncompleteStudy {
    IncompleteStudy::Stopped {
        reason,
        tiles_kept: true,
    }
}

fn folder(study: &impl InTiles, out: &Path, place: &Place) -> TileFolder {
    let below = Path::new(place.case).join(format!("{}.tiles", study.stem()));
    TileFolder::new(out, below)
}

fn open(study: &impl InTiles, place: &Place) -> Result<(TileStore, Cells), TileError> {
    let own = folder(study, &place.folders.out, place);
    let (definition, extent) = (study.definition(), study.cells());
    // Before anything is made: a folder that exists may need less.
    if !own.path().exists() {
        check_room(study, place, extent.cells)?;
    }
    let (store, mut known) = TileStore::open(&own, &definition, extent)?;
    for other in &place.folders.others {
        collect(
            &folder(study, other, place),
            &definition,
            extent,
            &mut known,
        )?;
    }
    Ok((store, known))
}

fn need(study: &impl InTiles, place: &Place, missing: u64) -> RequiredSpace {
    study.need(missing, place.folders.shard.is_some())
}

fn check_room(study: &impl InTiles, place: &Place, missing: u64) -> Result<(), TileError> {
    let what = format!("the {} of {}", study.called(), study.size());
    FreeSpace::now(&place.folders.out).check(&what, &need(study, place, missing))
}

impl<T: InTiles> Tiled for T {
    fn zoomable(&self) -> Option<&dyn Zoomable> {
        self.closer()
    }
    fn prepare(&self, place: &Place) -> Result<(), TileError> {
        let (_store, known) = open(self, place)?;
        check_room(self, place, known.missing(place.folders.share()))
    }
    fn missing(&self, place: &Place) -> Result<TileShortage, TileError> {
        let (_store, known) = open(self, place)?;
        Ok(TileShortage {
            what: format!("{} of the {}", self.cells_are(), self.called()),
            cells: known.missing(Shard::WHOLE),
            of: known.count(),
            shards: known.absent(),
        })
    }
    fn remove_tiles(&self, place: &Place) -> Result<(), TileError> {
        open(self, place)?.0.remove()
    }
    fn share(&self, shard: Shard) -> String {
        let all = self.cells().cells;
        format!("{} of {all} {}", shard.cells(all), self.cells_are())
    }
    fn room(&self, place: &Place) -> String {
        let cells = place.folders.share().cells(self.cells().cells);
        let need = need(self, place, cells);
        let lacks = FreeSpace::now(&place.folders.out).lacks(&need);
        format!(
            "{} of memory and {} of disk at most{}",
            bytes(need.memory),
            bytes(need.disk),
            lacks.map_or(String::new(), |why| format!("; NO ROOM: {why}"))
        )
    }
}

/// A tiled study that found nothing for a reason.
pub(super) fn unmade(mut found: Finding, why: IncompleteStudy) -> Finding {
    found.outcome = Err(why);
    found
}
