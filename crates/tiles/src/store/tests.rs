//! Every kind of damage, other people's tiles, kills, and several programs at once.

use super::*;
use crate::shard::Shard;
use std::collections::BTreeMap;
use std::fs;

const LAYOUT: CellLayout = CellLayout {
    cells: 300,
    each: 1,
    limit: 5_000_000,
    row: 20,
    cost: 781_250,
};

fn definition() -> Definition {
    let d = Definition::default().with("case", "levitron");
    d.with("step", 0.002).with("size", "20×15")
}

fn truth(cell: u64) -> i32 {
    if cell.is_multiple_of(5) {
        -1
    } else {
        (cell * 37 % 1001) as i32
    }
}

fn tiles(shard: Shard) -> Vec<Tile> {
    shard.tiles(&LAYOUT)
}

fn put(store: &TileStore, tile: &Tile) {
    let steps: Vec<i32> = tile.cells().map(truth).collect();
    store.keep(tile, &steps).unwrap();
}

/// Returns the folder at a path, all of which the user named but its last part.
fn at(dir: &Path) -> TileFolder {
    TileFolder::new(dir.parent().unwrap(), dir.file_name().unwrap())
}

fn open(dir: &Path) -> (TileStore, Cells) {
    TileStore::open(&at(dir), &definition(), LAYOUT).unwrap()
}

fn refused(dir: &Path) -> TileError {
    match TileStore::open(&at(dir), &definition(), LAYOUT) {
        Err(e) => e,
        Ok(_) => panic!("opened"),
    }
}

/// Returns a folder with all tiles of the whole map.
fn full() -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("map.tiles");
    let (store, _) = open(&dir);
    tiles(Shard::WHOLE).iter().for_each(|t| put(&store, t));
    (root, dir)
}

fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let all = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
    all.map(|p| (p.clone(), fs::read(p).unwrap())).collect()
}

fn whole() -> Vec<i32> {
    (0..LAYOUT.cells).map(truth).collect()
}

#[test]
fn what_is_kept_is_found_again() {
    let (_root, dir) = full();
    assert!(tiles(Shard::WHOLE).len() > 3);
    let (store, cells) = open(&dir);
    assert_eq!(cells.complete(), Some(whole()));
    // A second call leaves what is there.
    let before = contents(&dir);
    tiles(Shard::WHOLE).iter().for_each(|t| put(&store, t));
    assert_eq!(contents(&dir), before);
    let tile = tiles(Shard::WHOLE)[0];
    let wrong = vec![1; tile.count as usize];
    let e = store.keep(&tile, &wrong).unwrap_err();
    assert!(matches!(e, TileError::OtherNumbers { .. }), "{e}");
    assert_eq!(contents(&dir), before);
    store.remove().unwrap();
    assert!(!dir.exists());
    assert_eq!(fs::read_dir(_root.path()).unwrap().count(), 0);
}

#[test]
fn shards_in_one_folder_or_in_several_make_one_map() {
    for of in 1..8 {
        let root = tempfile::tempdir().unwrap();
        let one = root.path().join("one");
        let mut from_several = Cells::unknown(&LAYOUT);
        for index in 0..of {
            let shard = Shard::new(index, of).unwrap();
            let own = root.path().join(index.to_string());
            for dir in [&one, &own] {
                let (store, _) = open(dir);
                tiles(shard).iter().for_each(|t| put(&store, t));
            }
            collect(&at(&own), &definition(), LAYOUT, &mut from_several).unwrap();
        }
        assert_eq!(from_several.complete(), Some(whole()));
        assert_eq!(open(&one).1.complete(), Some(whole()));
    }
}

#[test]
fn a_kill_costs_unfinished_tiles_only() {
    let (_root, dir) = full();
    let gone = format::name(&tiles(Shard::WHOLE)[2]);
    fs::remove_file(dir.join(gone)).unwrap();
    fs::write(dir.join(".topsim-Xy12.tmp"), b"topstile, but not all of it").unwrap();
    let (store, cells) = open(&dir);
    assert_eq!(cells.missing(Shard::WHOLE), tiles(Shard::WHOLE)[2].count);
    assert!(!dir.join(".topsim-Xy12.tmp").exists());
    // A temporary file of somebody at work is left alone.
    fs::write(dir.join(".topsim-live.tmp"), b"").unwrap();
    let _second = open(&dir);
    assert!(dir.join(".topsim-live.tmp").exists());
    put(&store, &tiles(Shard::WHOLE)[2]);
    assert_eq!(open(&dir).1.complete(), Some(whole()));
}

#[test]
fn every_altered_byte_is_seen_and_nothing_is_lost() {
    let (_root, dir) = full();
    let path = dir.join(format::name(&tiles(Shard::WHOLE)[1]));
    let good = fs::read(&path).unwrap();
    let others = contents(&dir).len();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        fs::write(&path, &bad).unwrap();
        let e = refused(&dir).to_string();
        assert!(
            e.contains(path.to_str().unwrap()) && e.contains("checksum") && e.contains("remove it"),
            "byte {at}: {e}"
        );
        assert_eq!(fs::read(&path).unwrap(), bad, "left as it was");
    }
    for length in 0..good.len() {
        fs::write(&path, &good[..length]).unwrap();
        let e = refused(&dir).to_string();
        assert!(e.contains("cut off"), "{length} bytes: {e}");
    }
    for more in [1, 1000, 10_000] {
        let mut long = good.clone();
        long.resize(good.len() + more, 7);
        fs::write(&path, &long).unwrap();
        assert!(refused(&dir).to_string().contains("altered"));
    }
    assert_eq!(contents(&dir).len(), others);
    fs::remove_file(&path).unwrap();
    let (store, cells) = open(&dir);
    assert_eq!(cells.missing(Shard::WHOLE), tiles(Shard::WHOLE)[1].count);
    put(&store, &tiles(Shard::WHOLE)[1]);
    assert_eq!(open(&dir).1.complete(), Some(whole()));
}

#[test]
fn well_made_tiles_that_do_not_belong_are_refused() {
    let (_root, dir) = full();
    let tile = tiles(Shard::WHOLE)[1];
    let path = dir.join(format::name(&tile));
    let steps: Vec<i32> = tile.cells().map(truth).collect();
    let format = TileFormat::new(&definition(), LAYOUT);
    let see = |format: &TileFormat, tile: &Tile, steps: &[i32], what: &str| {
        fs::write(&path, format.encode(tile, steps)).unwrap();
        let e = refused(&dir).to_string();
        assert!(
            e.contains(what) && e.contains(path.to_str().unwrap()),
            "{e}"
        );
    };
    let other = TileFormat::new(&definition().with("step", 0.001), LAYOUT);
    see(&other, &tile, &steps, "another study");
    let first = tiles(Shard::WHOLE)[0];
    let steps_0: Vec<i32> = first.cells().map(truth).collect();
    see(
        &format,
        &first,
        &steps_0,
        "its name is not the shard_0_of_1",
    );
    let far = Tile {
        start: LAYOUT.cells,
        ..tile
    };
    see(&format, &far, &steps, "not cells of this study");
    see(&format, &tile, &steps[1..], "not cells of this study");
    let mut wild = steps.clone();
    wild[3] = -2;
    see(&format, &tile, &wild, "beyond the limit");
    // One cell that another tile knows to be otherwise.
    let all = Tile {
        shard: Shard::WHOLE,
        start: 0,
        stride: 1,
        count: 6,
    };
    fs::write(&path, format.encode(&tile, &steps)).unwrap();
    fs::write(dir.join(format::name(&all)), format.encode(&all, &[9; 6])).unwrap();
    let e = refused(&dir).to_string();
    assert!(
        e.contains("another tile has") && e.contains("remove"),
        "{e}"
    );
}

#[test]
fn swapped_names_are_seen() {
    let (_root, dir) = full();
    let name = |k: usize| dir.join(format::name(&tiles(Shard::WHOLE)[k]));
    let spare = dir.join("spare");
    fs::rename(name(0), &spare).unwrap();
    fs::rename(name(1), name(0)).unwrap();
    fs::rename(&spare, name(1)).unwrap();
    match refused(&dir) {
        TileError::Damaged { tiles } => assert_eq!(tiles.len(), 2),
        e => panic!("{e}"),
    }
}

#[test]
fn another_map_does_not_mix() {
    let (_root, dir) = full();
    let before = contents(&dir);
    let wanted = definition().with("step", 0.001).with("field", "ring");
    for result in [
        TileStore::open(&at(&dir), &wanted, LAYOUT).map(drop),
        collect(&at(&dir), &wanted, LAYOUT, &mut Cells::unknown(&LAYOUT)),
    ] {
        let e = result.unwrap_err().to_string();
        for part in [
            "tiles of another study",
            "step: 0.002 there, 0.001 now",
            "field: nothing there, ring now",
            "--out",
        ] {
            assert!(e.contains(part), "{part} is not in {e}");
        }
        assert!(!e.contains("size"), "{e}");
    }
    assert_eq!(contents(&dir), before);
}

#[test]
fn a_lost_or_altered_manifest_is_no_guess() {
    let (_root, dir) = full();
    let path = dir.join(manifest::NAME);
    let good = fs::read_to_string(&path).unwrap();
    for bad in [
        "",
        "{",
        "[]",
        &good.replace("0.002", "0.003"),
        &good[..good.len() / 2],
    ] {
        fs::write(&path, bad).unwrap();
        let e = refused(&dir);
        assert!(matches!(e, TileError::Manifest { .. }), "{e}");
        assert_eq!(fs::read_to_string(&path).unwrap(), bad);
    }
    fs::remove_file(&path).unwrap();
    assert!(refused(&dir).to_string().contains("it is missing"));
    assert!(!path.exists());
    fs::write(&path, &good).unwrap();
    assert_eq!(open(&dir).1.complete(), Some(whole()));
}

#[test]
fn several_at_once_do_no_harm() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("map.tiles");
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                let (store, _) = open(&dir);
                tiles(Shard::WHOLE).iter().for_each(|t| put(&store, t));
                assert_eq!(open(&dir).1.complete(), Some(whole()));
                store.remove().unwrap();
            });
        }
    });
    assert!(!dir.exists(), "the last one tidies up");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("a file");
    fs::write(&file, b"").unwrap();
    let e = refused(&file.join("map.tiles")).to_string();
    assert!(e.contains("cannot write") && e.contains("a file"), "{e}");
    let (store, _) = open(&root.path().join("map.tiles"));
    fs::remove_dir_all(store.folder.path()).unwrap();
    let tile = tiles(Shard::WHOLE)[0];
    let steps = vec![1; tile.count as usize];
    let e = store.keep(&tile, &steps).unwrap_err().to_string();
    assert!(e.contains(&format::name(&tile)), "{e}");
    let missing = collect(
        &at(&root.path().join("none")),
        &definition(),
        LAYOUT,
        &mut Cells::unknown(&LAYOUT),
    );
    assert!(matches!(missing, Err(TileError::Read { .. })));
}

/// Tests that files which the store did not write stay, and the folder with them.
#[test]
fn foreign_files_outlive_the_tiles() {
    let (root, dir) = full();
    let foreign = [
        "notes.txt",
        "shard_0_of_1.tile.txt",
        "backup.tmp",
        ".topsim-not-temporary",
        "manifest.json.old",
    ];
    for name in foreign {
        fs::write(dir.join(name), name).unwrap();
    }
    fs::create_dir(dir.join(".topsim-folder.tmp")).unwrap();
    fs::write(dir.join(".topsim-folder.tmp/notes"), "more").unwrap();
    // The name beside it that removing once used.
    let beside = root.path().join("map.tiles.tmp");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("mine"), "").unwrap();
    let (store, cells) = open(&dir);
    assert_eq!(cells.complete(), Some(whole()));
    // A run that was killed meanwhile left these files.
    fs::write(dir.join(".topsim-Xy12.tmp"), "half a tile").unwrap();
    // These files have the names of tiles: one is of another map, one is no tile at all.
    let one = |start| Tile {
        shard: Shard::WHOLE,
        start,
        stride: 1,
        count: 1,
    };
    let other = TileFormat::new(&definition().with("step", 0.001), LAYOUT);
    let strays = [one(0), one(1)].map(|tile| dir.join(format::name(&tile)));
    fs::write(&strays[0], other.encode(&one(0), &[truth(0)])).unwrap();
    fs::write(&strays[1], "a text").unwrap();
    store.remove().unwrap();
    for path in strays {
        fs::remove_file(path).unwrap();
    }
    let left = fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name());
    let mut left: Vec<String> = left.map(|n| n.into_string().unwrap()).collect();
    left.sort();
    let mut wanted: Vec<&str> = foreign.into_iter().chain([".topsim-folder.tmp"]).collect();
    wanted.sort_unstable();
    assert_eq!(left, wanted);
    for name in foreign {
        assert_eq!(fs::read_to_string(dir.join(name)).unwrap(), name);
    }
    assert!(dir.join(".topsim-folder.tmp/notes").exists() && beside.join("mine").exists());
    // What is left is no obstacle to the next map.
    let (store, cells) = open(&dir);
    assert_eq!(cells.missing(Shard::WHOLE), LAYOUT.cells);
    for name in foreign {
        fs::remove_file(dir.join(name)).unwrap();
    }
    fs::remove_dir_all(dir.join(".topsim-folder.tmp")).unwrap();
    store.remove().unwrap();
    assert!(!dir.exists() && root.path().exists());
}

/// A kill while tiles are removed leaves a map with missing cells, not one that cannot be read.
#[test]
fn a_half_removed_folder_is_an_unfinished_map() {
    let (_root, dir) = full();
    for tile in &tiles(Shard::WHOLE)[1..] {
        fs::remove_file(dir.join(format::name(tile))).unwrap();
    }
    let first = tiles(Shard::WHOLE)[0].count;
    let (store, cells) = open(&dir);
    assert_eq!(cells.missing(Shard::WHOLE), LAYOUT.cells - first);
    store.remove().unwrap();
    assert!(!dir.exists());
}

/// A copy of a tile under a name that no tile is written with is not removed with the tiles.
#[test]
fn names_of_tiles_are_told_from_others() {
    let (root, dir) = full();
    let (store, _) = open(&dir);
    let tile = format::name(&tiles(Shard::WHOLE)[0]);
    let strays = [
        "a.tile".to_string(),
        tile.replace("shard_0", "shard_00"),
        tile.replace(".tile", ".tile.tile"),
        tile.replace("count_", "count_+"),
    ];
    for name in &strays {
        fs::copy(dir.join(&tile), dir.join(name)).unwrap();
    }
    store.remove().unwrap();
    for name in &strays {
        fs::remove_file(dir.join(name)).unwrap();
    }
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
    drop(root);
}

/// Temporary files of killed runs go when nobody else is at work, and nothing else does.
#[test]
fn stale_temporary_files_are_swept_at_opening() {
    let (_root, dir) = full();
    let make = |name: &str| fs::write(dir.join(name), name).unwrap();
    let there = |name: &str| dir.join(name).exists();
    for name in [".topsim-dead.tmp", "other.tmp", ".other-dead.tmp"] {
        make(name);
    }
    let (first, _) = open(&dir);
    assert!(!there(".topsim-dead.tmp"));
    make(".topsim-live.tmp");
    // The first is at work.
    let (second, _) = open(&dir);
    assert!(there(".topsim-live.tmp"));
    drop((first, second));
    let _third = open(&dir);
    assert!(!there(".topsim-live.tmp"));
    assert!(there("other.tmp") && there(".other-dead.tmp"));
}

#[test]
fn a_path_that_leads_out_of_its_root_is_refused() {
    let root = tempfile::tempdir().unwrap();
    for below in ["../map.tiles", "/map.tiles", "case/../../map.tiles"] {
        let folder = TileFolder::new(root.path(), below);
        let e = TileStore::open(&folder, &definition(), LAYOUT).map(drop);
        assert!(matches!(e, Err(TileError::Outside { .. })), "{below}");
    }
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

/// A link below the folder that the user named is refused, at opening, at merging and at removing;
/// the folder that the user named may be one.
#[cfg(unix)]
#[test]
fn symbolic_links_are_refused() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().unwrap();
    let path = |name: &str| root.path().join(name);
    fs::create_dir(path("elsewhere")).unwrap();
    let below = "case/map.tiles";
    let folder = TileFolder::new(path("out"), below);
    let refused = |folder: &TileFolder, link: &Path| {
        let opened = TileStore::open(folder, &definition(), LAYOUT).map(drop);
        let mut cells = Cells::unknown(&LAYOUT);
        let collected = collect(folder, &definition(), LAYOUT, &mut cells);
        for result in [opened, collected] {
            let e = result.unwrap_err();
            let TileError::Link { path } = &e else {
                panic!("{e}");
            };
            assert_eq!(path, link);
            let said = e.to_string();
            assert!(said.contains("is a symbolic link") && said.contains("remove"));
        }
    };
    let empty = || fs::read_dir(path("elsewhere")).unwrap().count() == 0;
    // The folder of the case.
    fs::create_dir(path("out")).unwrap();
    symlink(path("elsewhere"), path("out/case")).unwrap();
    refused(&folder, &path("out/case"));
    assert!(empty());
    // The folder of the tiles, also where the link leads nowhere.
    fs::remove_file(path("out/case")).unwrap();
    fs::create_dir(path("out/case")).unwrap();
    for target in ["elsewhere", "nowhere"] {
        symlink(path(target), path("out/case/map.tiles")).unwrap();
        refused(&folder, &path("out/case/map.tiles"));
        assert!(empty() && !path("nowhere").exists());
        fs::remove_file(path("out/case/map.tiles")).unwrap();
    }
    // Its lock.
    fs::create_dir(path("out/case/map.tiles")).unwrap();
    let lock = path("out/case/map.tiles/lock");
    symlink(path("elsewhere/lock"), &lock).unwrap();
    let e = TileStore::open(&folder, &definition(), LAYOUT).map(drop);
    assert!(matches!(e, Err(TileError::Link { path }) if path == lock));
    assert!(empty());
    fs::remove_file(&lock).unwrap();
    // What the user named may be a link; what became one meanwhile is not removed through it.
    symlink(path("out"), path("results")).unwrap();
    let named = TileFolder::new(path("results"), below);
    let (store, _) = TileStore::open(&named, &definition(), LAYOUT).unwrap();
    tiles(Shard::WHOLE).iter().for_each(|t| put(&store, t));
    fs::rename(path("out/case/map.tiles"), path("elsewhere/map.tiles")).unwrap();
    symlink(path("elsewhere/map.tiles"), path("out/case/map.tiles")).unwrap();
    assert!(matches!(store.remove(), Err(TileError::Link { .. })));
    assert!(fs::read_dir(path("elsewhere/map.tiles")).unwrap().count() > 3);
}
