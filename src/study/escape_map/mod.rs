//! Escape times of a Levitron over a plane of starts.

mod files;

use super::levitron::{StartsTable, extent, numbers};
use super::tiled::{InTiles, Tiled, Zoomable};
use super::{DataFile, Drawing, Finding, Picture, Study, StudyInput};
use super::{StudyKeys, TableReader, Zoom};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use topsim_levitron::{EscapeGrid, EscapeMap, EscapeMapError, MapSummary, run_map};
use topsim_plot::PlotError;

/// Escape times of a Levitron over a plane of starts: r = (x, 0, z_s + z), upright, at rest, with
/// the spin of the case. A start escapes at the first step after which its distance from the
/// equilibrium exceeds the escape radius.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct EscapeMapTable {
    #[serde(flatten)]
    starts: StartsTable,
    /// Single starts [x, z], m, whose escape times are wanted too.
    #[serde(default)]
    probes: Vec<[f64; 2]>,
}

impl StudyKeys for EscapeMapTable {
    fn study(self, reader: &mut TableReader) -> Option<Box<dyn Study>> {
        let map = reader.starts(&self.starts, &self.probes, "an escape map")?;
        let name = map.name.clone();
        Some(Box::new(EscapeMapStudy { name, map }))
    }
}

#[derive(Debug, Clone)]
struct EscapeMapStudy {
    /// The name by which checks ask for it; that of the map differs after a zoom.
    name: String,
    map: EscapeMap,
}

impl EscapeMapStudy {
    fn files(&self, found: &mut Finding, grid: EscapeGrid, summary: MapSummary, title: &str) {
        let stem = self.map.stem();
        let (grid, summary) = (Arc::new(grid), Arc::new(summary));
        let (array, table) = (grid.clone(), grid.clone());
        let (scheme, h) = (&self.map.scheme, self.map.escape.h);
        let title = format!("{title}, {scheme} at h = {h} s");
        found.files = vec![
            DataFile {
                name: format!("{stem}.npy"),
                write: Arc::new(move |out| files::npy(&array, out)),
            },
            DataFile {
                name: format!("{stem}.csv"),
                write: Arc::new(move |out| files::csv(&table, out)),
            },
            files::survival(format!("{stem}_survival.csv"), &grid, &summary),
        ];
        let picture = MapPicture {
            grid,
            summary,
            title,
        };
        found.drawings = vec![Drawing {
            stem,
            picture: Picture::Map(picture),
            of_motions: false,
        }];
    }
}

/// A finished map as a picture.
#[derive(Clone)]
pub struct MapPicture {
    /// The map.
    pub grid: Arc<EscapeGrid>,
    /// Summary of the cells.
    summary: Arc<MapSummary>,
    /// Title of the picture.
    pub title: String,
}

impl MapPicture {
    /// Returns the heat map as SVG.
    pub(super) fn svg(&self) -> Result<String, PlotError> {
        files::svg(&self.grid, &self.summary, &self.title)
    }
}

impl Study for EscapeMapStudy {
    fn kind(&self) -> &'static str {
        "escape_map"
    }
    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
    fn number_names(&self) -> Vec<String> {
        self.map.number_names()
    }
    fn stem(&self) -> String {
        self.map.stem()
    }
    fn extent(&self) -> String {
        extent(&self.map, "cells")
    }
    fn tiled(&self) -> Option<&dyn Tiled> {
        Some(self)
    }
    fn zoomable(&self) -> Option<&dyn Zoomable> {
        Some(self)
    }
    fn make(&self, input: &StudyInput) -> Finding {
        self.make_in_tiles((input, self.extent()), run_map, |found, of| {
            // The first numbers are those of the whole map.
            let single = self.map.number_names().len() - 2 * self.map.probes.len();
            found.numbers = numbers(of.numbers(&self.map), |i| i < single);
            self.files(found, of.grid, of.summary, input.title);
            Ok(())
        })
    }
}

impl InTiles for EscapeMapStudy {
    type Cells = EscapeMap;
    fn cells(&self) -> &EscapeMap {
        &self.map
    }
    fn called(&self) -> String {
        format!("map `{}`", self.map.name)
    }
    fn cells_are(&self) -> &'static str {
        "cells"
    }
    fn size(&self) -> String {
        format!("{} × {} cells", self.map.x.cells, self.map.z.cells)
    }
    fn results(&self) -> u64 {
        let map = &self.map;
        let array = map.cells().saturating_mul(4);
        array.saturating_add(files::csv_length([&map.x, &map.z], map.escape.steps))
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
        // A zoomed map is another map, which must not replace the whole one.
        if zoom.is_another_map() {
            map.name.push_str("_zoom");
        }
        map.width = zoom.simd.unwrap_or(map.width);
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
