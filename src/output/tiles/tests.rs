//! Every kind of damage, other people's tiles, kills, and several programs at once.

use super::*;
use crate::analysis::Shard;
use std::collections::BTreeMap;
use std::fs;

const EXTENT: Extent = Extent {
    cells: 300,
    limit: 5_000_000,
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
    shard.tiles(EXTENT.cells, 20, EXTENT.limit)
}

fn put(store: &TileStore, tile: &Tile) {
    let steps: Vec<i32> = tile.cells().map(truth).collect();
    store.put(tile, &steps).unwrap();
}

fn open(dir: &Path) -> (TileStore, Cells) {
    TileStore::open(dir, &definition(), EXTENT).unwrap()
}

fn refused(dir: &Path) -> TileError {
    match TileStore::open(dir, &definition(), EXTENT) {
        Err(e) => e,
        Ok(_) => panic!("opened"),
    }
}

/// A folder with all tiles of the whole map.
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
    (0..EXTENT.cells).map(truth).collect()
}

#[test]
fn what_is_kept_is_found_again() {
    let (_root, dir) = full();
    assert!(tiles(Shard::WHOLE).len() > 3);
    let (store, cells) = open(&dir);
    assert_eq!(cells.complete(), Ok(whole()));
    // Again: what is there stays.
    let before = contents(&dir);
    tiles(Shard::WHOLE).iter().for_each(|t| put(&store, t));
    assert_eq!(contents(&dir), before);
    let tile = tiles(Shard::WHOLE)[0];
    let e = store.put(&tile, &vec![1; tile.count as usize]).unwrap_err();
    assert!(e.0.contains("with other numbers"), "{e}");
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
        let mut from_several = Cells::unknown(EXTENT.cells);
        for index in 0..of {
            let shard = Shard::new(index, of).unwrap();
            let own = root.path().join(index.to_string());
            for dir in [&one, &own] {
                let (store, _) = open(dir);
                tiles(shard).iter().for_each(|t| put(&store, t));
            }
            collect(&own, &definition(), EXTENT, &mut from_several).unwrap();
        }
        assert_eq!(from_several.complete(), Ok(whole()));
        assert_eq!(open(&one).1.complete(), Ok(whole()));
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
    assert_eq!(open(&dir).1.complete(), Ok(whole()));
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
    assert_eq!(open(&dir).1.complete(), Ok(whole()));
}

#[test]
fn well_made_tiles_that_do_not_belong_are_refused() {
    let (_root, dir) = full();
    let tile = tiles(Shard::WHOLE)[1];
    let path = dir.join(format::name(&tile));
    let steps: Vec<i32> = tile.cells().map(truth).collect();
    let map = map_of(&definition(), EXTENT);
    let see = |map: &Map, tile: &Tile, steps: &[i32], what: &str| {
        fs::write(&path, format::encode(map, tile, steps)).unwrap();
        let e = refused(&dir).to_string();
        assert!(
            e.contains(what) && e.contains(path.to_str().unwrap()),
            "{e}"
        );
    };
    let other = map_of(&definition().with("step", 0.001), EXTENT);
    see(&other, &tile, &steps, "another map");
    let first = tiles(Shard::WHOLE)[0];
    let steps_0: Vec<i32> = first.cells().map(truth).collect();
    see(&map, &first, &steps_0, "its name is not the shard_0_of_1");
    let far = Tile {
        start: EXTENT.cells,
        ..tile
    };
    see(&map, &far, &steps, "not cells of this map");
    see(&map, &tile, &steps[1..], "not cells of this map");
    let mut wild = steps.clone();
    wild[3] = -2;
    see(&map, &tile, &wild, "beyond the limit");
    // One cell that another tile knows to be otherwise.
    let all = Tile {
        shard: Shard::WHOLE,
        start: 0,
        stride: 1,
        count: 6,
    };
    fs::write(&path, format::encode(&map, &tile, &steps)).unwrap();
    fs::write(
        dir.join(format::name(&all)),
        format::encode(&map, &all, &[9; 6]),
    )
    .unwrap();
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
        TileStore::open(&dir, &wanted, EXTENT).map(drop),
        collect(&dir, &wanted, EXTENT, &mut Cells::unknown(EXTENT.cells)),
    ] {
        let e = result.unwrap_err().to_string();
        for part in [
            "tiles of another map",
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
    assert_eq!(open(&dir).1.complete(), Ok(whole()));
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
                assert_eq!(open(&dir).1.complete(), Ok(whole()));
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
    fs::remove_dir_all(&store.dir).unwrap();
    let tile = tiles(Shard::WHOLE)[0];
    let e = store.put(&tile, &vec![1; tile.count as usize]).unwrap_err();
    assert!(e.0.contains(&format::name(&tile)), "{e}");
    let missing = collect(
        &root.path().join("none"),
        &definition(),
        EXTENT,
        &mut Cells::unknown(EXTENT.cells),
    );
    assert!(matches!(missing, Err(TileError::Read { .. })));
}
