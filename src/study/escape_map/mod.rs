//! Escape times of a Levitron over a plane of starts.

mod files;

use super::levitron::{StartsTable, extent, numbers};
use super::{
    DataFile, Drawing, Finding, Incomplete, Kind, Missing, Picture, Place, Study, TableReader,
    Tiled,
};
use super::{StudyInput, Zoom};
use crate::check::StudyNames;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;
use topsim_levitron::TileError;
use topsim_levitron::kernel::Width;
use topsim_levitron::room::{Need, Room, bytes};
use topsim_levitron::{
    Cells, EscapeGrid, EscapeMap, EscapeMapError, EscapeMapResult, MapEnd, MapShare, MapSummary,
    Shard, run_map,
};
use topsim_levitron::{Extent, TileFolder, TileStore, collect};
use topsim_plot::PlotError;

/// The row of escape maps.
pub(super) const KIND: Kind = Kind::without_runs::<EscapeMapTable>("escape_map", read);

/// Escape times of a Levitron over a plane of starts: r = (x, 0, z_s + z), upright, at rest, with
/// the spin of the case. A start escapes at the first step after which its distance from the
/// equilibrium exceeds the escape radius.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
struct EscapeMapTable {
    #[serde(flatten)]
    starts: StartsTable,
    /// Single starts [x, z], m, whose escape times are wanted too.
    #[serde(default)]
    probes: Vec<[f64; 2]>,
}

fn read(table: toml::Table, reader: &mut TableReader) -> Option<Box<dyn Study>> {
    let table: EscapeMapTable = reader.table(table)?;
    let map = reader.starts(&table.starts, &table.probes, "an escape map")?;
    Some(Box::new(EscapeMapStudy {
        name: map.name.clone(),
        map,
        width: Width::best(),
    }))
}

#[derive(Debug, Clone)]
struct EscapeMapStudy {
    /// The name by which checks ask for it; that of the map differs after a zoom.
    name: String,
    map: EscapeMap,
    width: Width,
}

impl EscapeMapStudy {
    fn folder(&self, out: &Path, place: &Place) -> TileFolder {
        let below = Path::new(place.case).join(format!("{}.tiles", self.map.stem()));
        TileFolder::new(out, below)
    }

    fn open(&self, place: &Place) -> Result<(TileStore, Cells), TileError> {
        let folder = self.folder(&place.folders.out, place);
        // Before anything is made: a folder that exists may need less.
        if !folder.path().exists() {
            self.check_room(place, self.map.cells())?;
        }
        let (definition, extent) = (self.map.definition(), Extent::from(&self.map));
        let (store, mut known) = TileStore::open(&folder, &definition, extent)?;
        for other in &place.folders.others {
            collect(&self.folder(other, place), &definition, extent, &mut known)?;
        }
        Ok((store, known))
    }

    /// What the map, or a shard of it, will need.
    fn need(&self, place: &Place, missing: u64) -> Need {
        let map = &self.map;
        let table = files::csv_length([&map.x, &map.z], map.escape.steps);
        let need = Need::of_map(map, missing, table);
        match place.folders.shard {
            Some(_) => need.of_share(missing),
            None => need,
        }
    }

    fn check_room(&self, place: &Place, missing: u64) -> Result<(), TileError> {
        Room::now(&place.folders.out).check(&self.map, &self.need(place, missing))
    }

    fn found(&self, mut found: Finding, of: &EscapeMapResult, title: &str) -> Finding {
        // The first numbers are those of the whole map.
        let single = self.map.number_names().len() - 2 * self.map.probes.len();
        found.numbers = numbers(of.numbers(&self.map), |i| i < single);
        found.outcome = match &of.end {
            MapEnd::Reached => Ok(()),
            MapEnd::Stopped(reason) => Err(Incomplete::Stopped {
                reason: *reason,
                tiles_kept: true,
            }),
            MapEnd::Unkept(e) => Err(Incomplete::Unkept(e.to_string())),
            MapEnd::Failed(why) => Err(Incomplete::Failed(why.to_string())),
        };
        if let (Some(grid), Some(summary)) = (&of.grid, &of.summary) {
            let drawn = (Arc::new(grid.clone()), Arc::new(summary.clone()));
            self.files(&mut found, drawn, title);
        }
        found
    }

    fn files(
        &self,
        found: &mut Finding,
        (grid, summary): (Arc<EscapeGrid>, Arc<MapSummary>),
        title: &str,
    ) {
        let stem = self.map.stem();
        let (array, table) = (grid.clone(), grid.clone());
        let title = format!(
            "{title}, {} at h = {} s",
            self.map.scheme, self.map.escape.h
        );
        found.files = vec![
            DataFile {
                name: format!("{stem}.npy"),
                write: Arc::new(move |out| files::npy(&array, out)),
            },
            DataFile {
                name: format!("{stem}.csv"),
                write: Arc::new(move |out| files::csv(&table, out)),
            },
            DataFile::text(
                format!("{stem}_survival.csv"),
                files::survival(&grid, &summary),
            ),
        ];
        found.drawings = vec![Drawing {
            stem,
            picture: Picture::Map(MapPicture {
                grid,
                summary,
                title,
            }),
            of_motions: false,
        }];
    }
}

/// A finished map as a picture.
#[derive(Clone)]
pub struct MapPicture {
    /// The map.
    pub grid: Arc<EscapeGrid>,
    /// What its cells say together.
    summary: Arc<MapSummary>,
    /// Its title.
    pub title: String,
}

impl MapPicture {
    /// The heat map as SVG.
    pub(super) fn svg(&self) -> Result<String, PlotError> {
        files::svg(&self.grid, &self.summary, &self.title)
    }
}

impl Study for EscapeMapStudy {
    fn kind(&self) -> &'static str {
        KIND.name
    }
    fn stem(&self) -> String {
        self.map.stem()
    }
    fn names(&self) -> Option<StudyNames> {
        Some(StudyNames {
            study: self.name.clone(),
            numbers: self.map.number_names(),
        })
    }
    fn extent(&self) -> String {
        extent(&self.map, "cells")
    }
    fn tiled(&self) -> Option<&dyn Tiled> {
        Some(self)
    }
    fn make(&self, input: &StudyInput) -> Finding {
        let mut found = Finding::new(self, self.extent());
        found.tiles = Some(Arc::new(self.clone()));
        found.definition = self.map.definition().fields().clone();
        let opened = input.place.map(|place| self.open(&place));
        let shard = input.place.map_or(Shard::WHOLE, |p| p.folders.share());
        let share = match &opened {
            None => MapShare {
                width: self.width,
                ..MapShare::whole(&self.map)
            },
            Some(Ok((sink, known))) => MapShare {
                shard,
                known: known.clone(),
                sink,
                width: self.width,
            },
            Some(Err(e)) => {
                found.outcome = Err(match e {
                    TileError::Write(_) => Incomplete::Unkept(e.to_string()),
                    _ => Incomplete::Failed(e.to_string()),
                });
                found.numbers = numbers(Vec::new(), |_| false);
                return found;
            }
        };
        let result = run_map(&self.map, share, input.stop, input.progress);
        self.found(found, &result, input.title)
    }
}

impl Tiled for EscapeMapStudy {
    fn zoomed(&self, zoom: &Zoom) -> Result<Box<dyn Study>, EscapeMapError> {
        let mut study = self.clone();
        let map = &mut study.map;
        if let Some([x0, x1, z0, z1]) = zoom.window {
            (map.x.from, map.x.to, map.z.from, map.z.to) = (x0, x1, z0, z1);
        }
        if let Some([columns, rows]) = zoom.size {
            (map.x.cells, map.z.cells) = (columns, rows);
        }
        // A closer look is another map: it must not take the place of the whole one.
        if zoom.is_another_map() {
            map.name.push_str("_zoom");
        }
        study.width = zoom.simd.unwrap_or(study.width);
        map.check()?;
        Ok(Box::new(study))
    }
    fn numbers_of_points(&self) -> Vec<String> {
        let whole = EscapeMap {
            probes: Vec::new(),
            ..self.map.clone()
        };
        let whole = whole.number_names();
        let mut names = self.map.number_names();
        names.retain(|n| !whole.contains(n));
        names
    }
    fn prepare(&self, place: &Place) -> Result<(), TileError> {
        let (_store, known) = self.open(place)?;
        let missing = known.missing(place.folders.share());
        self.check_room(place, missing)
    }
    fn missing(&self, place: &Place) -> Result<Missing, TileError> {
        let (_store, known) = self.open(place)?;
        Ok(Missing {
            map: self.map.name.clone(),
            cells: known.missing(Shard::WHOLE),
            of: self.map.cells(),
            shards: known.absent(),
        })
    }
    fn remove_tiles(&self, place: &Place) -> Result<(), TileError> {
        self.open(place)?.0.remove()
    }
    fn share(&self, shard: Shard) -> String {
        let all = self.map.cells();
        format!("{} of {all} cells", shard.cells(all))
    }
    fn room(&self, place: &Place) -> String {
        let cells = place.folders.share().cells(self.map.cells());
        let need = self.need(place, cells);
        let lacks = Room::now(&place.folders.out).lacks(&need);
        format!(
            "{} of memory and {} of disk at most{}",
            bytes(need.memory),
            bytes(need.disk),
            lacks.map_or(String::new(), |why| format!("; NO ROOM: {why}"))
        )
    }
}
