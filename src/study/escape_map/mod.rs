//! Escape times of a Levitron over a plane of starts.

mod files;

use super::levitron::{StartsTable, extent, numbers};
use super::tiles::{InTiles, OpenTiles, Zoomable, outcome, unmade};
use super::{DataFile, Drawing, Finding, Picture, Study, TableReader, Tiled};
use super::{StudyInput, StudyKeys, Zoom};
use crate::check::StudyNames;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use topsim_levitron::kernel::Width;
use topsim_levitron::space::RequiredSpace;
use topsim_levitron::{
    Definition, EscapeGrid, EscapeMap, EscapeMapError, EscapeMapResult, Extent, MapShare,
    MapSummary, run_map,
};
use topsim_plot::PlotError;

/// Name of the kind in case files.
const KIND: &str = "escape_map";

/// Escape times of a Levitron over a plane of starts: r = (x, 0, z_s + z), upright, at rest, with
/// the spin of the case. A start escapes at the first step after which its distance from the
/// equilibrium exceeds the escape radius.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(crate) struct EscapeMapTable {
    #[serde(flatten)]
    starts: StartsTable,
    /// Single starts [x, z], m, whose escape times are wanted too.
    #[serde(default)]
    probes: Vec<[f64; 2]>,
}

impl StudyKeys for EscapeMapTable {
    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        read(self, reader)
    }
}

fn read(table: EscapeMapTable, reader: &mut TableReader) -> Option<Box<dyn Study>> {
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
    fn found(&self, mut found: Finding, of: &EscapeMapResult, title: &str) -> Finding {
        // The first numbers are those of the whole map.
        let single = self.map.number_names().len() - 2 * self.map.probes.len();
        found.numbers = numbers(of.numbers(&self.map), |i| i < single);
        found.outcome = outcome(&of.end);
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
        KIND
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
        let opened = match OpenTiles::of(self, input.place) {
            Ok(opened) => opened,
            Err(why) => return unmade(found, why),
        };
        let share = MapShare {
            shard: opened.shard,
            known: opened.known.clone(),
            sink: opened.sink(),
            width: self.width,
        };
        let result = run_map(&self.map, share, input.stop, input.progress);
        self.found(found, &result, input.title)
    }
}

impl InTiles for EscapeMapStudy {
    fn called(&self) -> String {
        format!("map `{}`", self.map.name)
    }
    fn cells_are(&self) -> &'static str {
        "cells"
    }
    fn size(&self) -> String {
        format!("{} × {} cells", self.map.x.cells, self.map.z.cells)
    }
    fn definition(&self) -> Definition {
        self.map.definition()
    }
    fn cells(&self) -> Extent {
        Extent::from(&self.map)
    }
    fn need(&self, missing: u64, of_share: bool) -> RequiredSpace {
        let map = &self.map;
        let table = files::csv_length([&map.x, &map.z], map.escape.steps);
        let need = RequiredSpace::of_map(map, missing, table);
        if of_share {
            need.of_share(missing)
        } else {
            need
        }
    }
    fn closer(&self) -> Option<&dyn Zoomable> {
        Some(self)
    }
}

impl Zoomable for EscapeMapStudy {
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
}
