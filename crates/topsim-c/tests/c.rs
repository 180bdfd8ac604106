//! Tests of `include/topsim.h` and the library from C and C++; skipped without a compiler.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use topsim_core::math::{Mat3, Vec3};
use topsim_core::reference::FreeBody;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn text(path: &str) -> String {
    std::fs::read_to_string(repository(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// Returns the C declaration of a parameter of a Rust function.
fn in_c(parameter: &str) -> String {
    let (name, kind) = parameter.split_once(": ").unwrap();
    let size = |array: &str| array.trim_end_matches(']').to_string();
    if kind == "usize" {
        return format!("size_t {name}");
    }
    match kind.split_once("[f64; ") {
        Some(("*const ", n)) => format!("const double {name}[{}]", size(n)),
        Some(("*mut ", n)) => format!("double {name}[][{}]", size(n)),
        None if kind == "f64" => format!("double {name}"),
        None if kind == "*const f64" => format!("const double {name}[]"),
        _ => panic!("no type in C for {parameter}"),
    }
}

#[test]
fn the_header_declares_what_the_library_has() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (source, header) = (
        words(&text("crates/topsim-c/src/lib.rs")),
        words(&text("include/topsim.h")),
    );
    let functions: Vec<&str> = source.split("extern \"C\" fn ").skip(1).collect();
    assert_eq!(functions.len(), 4);
    for function in &functions {
        let (name, rest) = function.split_once('(').unwrap();
        let (parameters, rest) = rest.split_once(") -> ").unwrap();
        let gives = match rest.split(' ').next() {
            Some("c_int") => "int ",
            Some("*const") => "const char *",
            other => panic!("{name} gives {other:?}"),
        };
        let all: Vec<&str> = parameters
            .split(", ")
            .filter(|p| !p.trim().is_empty())
            .collect();
        let parameters: Vec<String> = all
            .iter()
            .map(|p| in_c(p.trim_matches([' ', ','])))
            .collect();
        let list = if parameters.is_empty() {
            "void".into()
        } else {
            parameters.join(", ")
        };
        let declaration = format!("{gives}{name}({list});");
        assert!(header.contains(&declaration), "{declaration}");
    }
    assert_eq!(header.matches(");").count(), functions.len());
}

/// Compiles a program with the library and returns its output; `None` without a compiler.
fn prints(name: &str, source: &str, compiler: &str, options: &[&str]) -> Option<String> {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join(name), source).unwrap();
    let mut command = Command::new(compiler);
    command
        .args(options)
        .arg("-I")
        .arg(repository("include"))
        .args(["-o", "program", name]);
    command.arg(library()).args(["-lpthread", "-ldl", "-lm"]);
    let out = match command.current_dir(folder.path()).output() {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: there is no {compiler}");
            return None;
        }
        out => out.unwrap(),
    };
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let out = Command::new(folder.path().join("program"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(
        out.status.success() && said.is_empty(),
        "{:?}: {said}",
        out.status
    );
    Some(String::from_utf8(out.stdout).unwrap())
}

/// Returns the static library, which cargo builds beside this test.
fn library() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.with_file_name("libtopsim_c.a")
}

const C99: &[&str] = &["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

#[test]
fn the_example_prints_an_exact_motion() {
    let Some(said) = prints("exact_top.c", &text("examples/c/exact_top.c"), "cc", C99) else {
        return;
    };
    assert_eq!(said.lines().count(), 3);
    // The start is printed with all digits.
    assert!(
        said.starts_with(
            "t =  0.0 s: axis (0.000000000000000, -0.600000000000000, 0.800000000000000)"
        ),
        "{said}"
    );
}

/// The results have the same bits as in Rust, and impossible input is refused with nothing written.
const USER: &str = r#"
#include "topsim.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double J[9] = {2.2, -0.4, 0.3, -0.4, 3.0, 0.5, 0.3, 0.5, 1.6}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double W[3] = {1.2, -1.3, -1.1};

static int refused(int status, const double *place, const char *word) {
    int right = status == TOPSIM_REFUSED && *place == 7.0 && strstr(topsim_error(), word) != NULL;
    if (!right) fprintf(stderr, "%d, %g: %s\n", status, *place, topsim_error());
    return right;
}

int main(void) {
    double times[2] = {0.5, -3.0}, states[2][12], errors[2][2], flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 3};
    int all = 1;
    if (topsim_free_body(J, R, W, 2, times, states, errors) != TOPSIM_DONE || *topsim_error()) return 1;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 12; k++) printf("%.17g ", states[i][k]);
        printf("%.17g %.17g\n", errors[i][0], errors[i][1]);
    }
    if (topsim_free_body(J, R, W, 2, times, states, NULL) != TOPSIM_DONE) return 1;
    if (topsim_free_body(J, R, W, 0, NULL, NULL, NULL) != TOPSIM_DONE) return 1;
    states[0][0] = 7.0;
    all &= refused(topsim_free_body(NULL, R, W, 2, times, states, errors), states[0], "inertia is a null pointer");
    all &= refused(topsim_free_body(J, R, W, 2, NULL, states, errors), states[0], "times is a null pointer");
    all &= refused(topsim_free_body(J, R, W, 2, times, NULL, errors), states[0], "states is a null pointer");
    all &= refused(topsim_free_body(J, J, W, 2, times, states, errors), states[0], "must be a rotation");
    all &= refused(topsim_free_body(J, R, W, (size_t)-1, times, states, errors), states[0], "more than memory has");
    all &= refused(topsim_lagrange_top(J, 1, W, W, R, W, 2, times, states, errors), states[0], "unit vector");
    all &= refused(topsim_lagrange_top(J, 1, W, R, R, W, 2, times, states, errors), states[0], "symmetric about the lever");
    all &= refused(topsim_lagrange_top(flat, 1, NULL, R, R, W, 2, times, states, errors), states[0], "lever is a null pointer");
    times[1] = NAN;
    all &= refused(topsim_free_body(J, R, W, 2, times, states, errors), states[0], "finite times");
    return all ? 0 : 2;
}
"#;

fn numbers_of_user(name: &str, compiler: &str, options: &[&str]) {
    let Some(said) = prints(name, USER, compiler, options) else {
        return;
    };
    let inertia = Mat3::new(2.2, -0.4, 0.3, -0.4, 3.0, 0.5, 0.3, 0.5, 1.6);
    let motion = FreeBody::new(&inertia, &Mat3::identity(), &Vec3::new(1.2, -1.3, -1.1)).unwrap();
    for (line, t) in said.lines().zip([0.5, -3.0]) {
        let found: Vec<f64> = line.split(' ').map(|x| x.parse().unwrap()).collect();
        let ((att, rate), error) = (motion.at(t), motion.error(t));
        let rows = att.transpose();
        let mut expected: Vec<f64> = rows.iter().chain(rate.iter()).copied().collect();
        expected.extend([error.attitude, error.rate]);
        assert_eq!(found, expected);
    }
    assert_eq!(said.lines().count(), 2);
}

#[test]
fn a_program_in_c_gets_the_same_bits() {
    numbers_of_user("user.c", "cc", C99);
}

#[test]
fn a_program_in_cpp_gets_them_too() {
    numbers_of_user(
        "user.cpp",
        "c++",
        &["-std=c++11", "-Wall", "-Wextra", "-Werror"],
    );
}
