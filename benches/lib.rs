//! Benchmarks of topsim: `cargo bench -p topsim-benches`.
