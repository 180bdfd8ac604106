//! Escape maps on the command line: zoom, shards, tiles, merging.

use super::Failure;
use super::args::MapArgs;
use crate::analysis::{Cells, Measure, Shard};
use crate::cases::{CasePlan, MapPlan};
use crate::output::map::Names;
use crate::output::room::{Need, Room, bytes};
use crate::output::tiles::{Extent, TileError, TileStore, collect};
use crate::runner::Stand;
use std::path::{Path, PathBuf};

/// Looks closer: the window and the size of every map of the plans.
pub(super) fn zoom(plans: &mut [CasePlan], args: &MapArgs) -> Result<(), Failure> {
    if args.window.is_none() && args.size.is_none() {
        return Ok(());
    }
    if plans.iter().all(|p| p.maps.is_empty()) {
        return Err(Failure::Invalid(
            "error: --window and --size zoom into escape maps, and none of these cases has one"
                .into(),
        ));
    }
    for plan in plans {
        for map in &mut plan.maps {
            if let Some([x0, x1, z0, z1]) = args.window {
                (map.x.from, map.x.to, map.z.from, map.z.to) = (x0, x1, z0, z1);
            }
            if let Some([columns, rows]) = args.size {
                (map.x.cells, map.z.cells) = (columns, rows);
            }
            // A closer look is another map: it must not take the place of the whole one.
            let whole = map.name.clone();
            map.name = format!("{whole}_zoom");
            for check in &mut plan.checks {
                if let Measure::Study { study, .. } = &mut check.measure
                    && *study == whole
                {
                    study.clone_from(&map.name);
                }
            }
            let wrong = |why| Failure::Invalid(format!("error: --window: {why}"));
            map.check().map_err(wrong)?;
        }
        // What is allowed of the whole map says nothing of another one.
        let before = plan.checks.len();
        plan.checks.retain(|c| match &c.measure {
            Measure::Study { study, number } => {
                number.starts_with("escape_") || plan.surveys.iter().any(|s| s.name() == study)
            }
            _ => true,
        });
        let dropped = before - plan.checks.len();
        if dropped > 0 {
            plan.warnings.push(format!(
                "{dropped} checks of the whole map are left out: --window or --size make it another one"
            ));
        }
    }
    Ok(())
}

/// Tile folders of all maps of the plans, with what is known of each.
pub(super) struct Folders {
    stores: Vec<Vec<(TileStore, Cells)>>,
}

fn folder(out: &Path, plan: &CasePlan, map: &MapPlan) -> PathBuf {
    out.join(&plan.name).join(format!("{}.tiles", map.stem()))
}

fn extent(map: &MapPlan) -> Extent {
    Extent {
        cells: map.cells(),
        limit: map.escape.steps,
    }
}

fn refused(e: TileError) -> Failure {
    match e {
        TileError::OtherMap { .. } => Failure::Invalid(format!("error: {e}")),
        other => Failure::Io(other.to_string()),
    }
}

impl Folders {
    /// Opens them below `out`, and sees that there is room for what `shard` of the maps needs.
    pub(super) fn open(
        plans: &[CasePlan],
        out: &Path,
        shard: Option<Shard>,
    ) -> Result<Self, Failure> {
        let mut stores = Vec::new();
        for plan in plans {
            let mut own = Vec::new();
            for map in &plan.maps {
                let whole = room_for(map, plan, out, shard, map.cells());
                // Before anything is made: a folder that exists may need less.
                let dir = folder(out, plan, map);
                if !dir.exists() {
                    whole?;
                }
                let (store, known) =
                    TileStore::open(&dir, &map.definition(), extent(map)).map_err(refused)?;
                let missing = known.missing(shard.unwrap_or(Shard::WHOLE));
                room_for(map, plan, out, shard, missing)?;
                own.push((store, known));
            }
            stores.push(own);
        }
        Ok(Self { stores })
    }

    /// Takes the tiles of other folders too; all cells must then be known.
    pub(super) fn gather(
        &mut self,
        plans: &[CasePlan],
        out: &Path,
        from: &[PathBuf],
    ) -> Result<(), Failure> {
        for (plan, own) in plans.iter().zip(&mut self.stores) {
            for (map, (_, known)) in plan.maps.iter().zip(own) {
                for other in from {
                    let dir = folder(other, plan, map);
                    collect(&dir, &map.definition(), extent(map), known).map_err(refused)?;
                }
                let missing = known.missing(Shard::WHOLE);
                if missing > 0 {
                    return Err(Failure::Incomplete(format!(
                        "error: {missing} of {} cells of the map `{}` are missing below {}{}\n  help: run {}, or `topsim run` with this --out to compute the rest",
                        map.cells(),
                        map.name,
                        out.display(),
                        if from.is_empty() {
                            ""
                        } else {
                            " and the folders of --from"
                        },
                        which(&known.absent()),
                    )));
                }
            }
        }
        Ok(())
    }

    /// Where the runner keeps tiles.
    pub(super) fn stands<'a>(&'a mut self, shard: Option<Shard>) -> Vec<Vec<Stand<'a>>> {
        let shard = shard.unwrap_or(Shard::WHOLE);
        let stand = |own: &'a mut (TileStore, Cells)| Stand {
            known: own.1.hand_over(),
            shelf: &own.0,
            shard,
        };
        let own = |own: &'a mut Vec<(TileStore, Cells)>| own.iter_mut().map(stand).collect();
        self.stores.iter_mut().map(own).collect()
    }

    /// Removes the tiles: the maps are written.
    pub(super) fn remove(self) -> Result<(), Failure> {
        for (store, _) in self.stores.into_iter().flatten() {
            store.remove().map_err(refused)?;
        }
        Ok(())
    }
}

/// The missing shards, in words.
fn which(absent: &[Shard]) -> String {
    const SHOWN: usize = 16;
    let mut names: Vec<String> = absent.iter().take(SHOWN).map(Shard::to_string).collect();
    if absent.len() > SHOWN {
        names.push(format!("{} more", absent.len() - SHOWN));
    }
    match names.len() {
        0 => "the missing shards".into(),
        1 => format!("the missing shard {}", names[0]),
        _ => format!("the missing shards {}", names.join(", ")),
    }
}

/// What a map, or `shard` of it, will need below `out`.
fn need_of(map: &MapPlan, plan: &CasePlan, shard: Option<Shard>, missing: u64) -> Need {
    let names = Names::of(&plan.title, map);
    let need = Need::of_map([&map.x, &map.z], map.escape.steps, &names, missing);
    match shard {
        Some(_) => need.of_share(missing),
        None => need,
    }
}

/// Memory and disk for a map or a share of it, from nothing, in words; what is lacking is said.
pub(super) fn need(map: &MapPlan, plan: &CasePlan, shard: Option<Shard>, out: &Path) -> String {
    let cells = shard.unwrap_or(Shard::WHOLE).cells(map.cells());
    let need = need_of(map, plan, shard, cells);
    let lacks = Room::now(out).lacks(&need);
    format!(
        "{} of memory and {} of disk at most{}",
        bytes(need.memory),
        bytes(need.disk),
        lacks.map_or(String::new(), |why| format!("; NO ROOM: {why}"))
    )
}

fn room_for(
    map: &MapPlan,
    plan: &CasePlan,
    out: &Path,
    shard: Option<Shard>,
    missing: u64,
) -> Result<(), Failure> {
    let need = need_of(map, plan, shard, missing);
    match Room::now(out).lacks(&need) {
        None => Ok(()),
        Some(why) => Err(Failure::Invalid(format!(
            "error: no room for the map `{}` of {} × {} cells: {why}",
            map.name, map.x.cells, map.z.cells
        ))),
    }
}
