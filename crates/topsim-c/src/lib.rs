//! C and C++ interface to the exact motions of rigid bodies. `include/topsim.h` is the documentation for users;
//! a test compares its declarations with the functions here.
//!
//! Each function checks its pointers, catches panics, and writes nothing if it fails.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice::{from_raw_parts, from_raw_parts_mut};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::reference::{FreeBody, LagrangeTop, RefError, ReferenceError};

/// Status of a call that wrote everything.
const DONE: c_int = 0;
/// Status of a call whose numbers are refused; nothing is written.
const REFUSED: c_int = 1;
/// Status of a call in which topsim failed; nothing is written.
const FAILED: c_int = 2;

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a version has no zero byte"),
    };

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// Attitude, row by row, and rate at one time.
type StateRow = [f64; 12];
/// Value of a closed form at one time, with its error bound.
type Exact = ((Mat3, Vec3), RefError);

/// Reason for which nothing is written.
enum Fault {
    /// The numbers are refused, for the reason in the text.
    Refused(String),
    /// There is no memory for so many states.
    NoMemory(usize),
}

impl From<String> for Fault {
    fn from(text: String) -> Self {
        Self::Refused(text)
    }
}

/// Makes room for what is computed of so many times.
fn room<T>(count: usize) -> Result<Vec<T>, Fault> {
    let mut out = Vec::new();
    let made = out.try_reserve_exact(count);
    made.map(|()| out).map_err(|_| Fault::NoMemory(count))
}

fn report_status(outcome: std::thread::Result<Result<(), Fault>>) -> c_int {
    let (status, text) = match outcome {
        Ok(Ok(())) => (DONE, String::new()),
        Ok(Err(Fault::Refused(text))) => (REFUSED, text),
        Ok(Err(Fault::NoMemory(count))) => (FAILED, format!("no memory for {count} states")),
        Err(_) => (FAILED, "topsim failed; please report it".into()),
    };
    // Messages of topsim contain no zero byte.
    ERROR.set(CString::new(text).unwrap_or_default());
    status
}

/// Returns the value behind a pointer, or a message for a null pointer.
///
/// # Safety
/// The pointer must be null or valid for reads of a `T`.
unsafe fn read_ref<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, String> {
    // SAFETY: the caller guarantees that the pointer is null or valid.
    unsafe { pointer.as_ref() }.ok_or_else(|| format!("{name} is a null pointer"))
}

/// Times of a motion, and the arrays that it is written to.
struct MotionArrays<'a> {
    times: &'a [f64],
    states: &'a mut [StateRow],
    errors: &'a mut [[f64; 2]],
}

impl<'a> MotionArrays<'a> {
    /// Builds the arrays from pointers, or a message for a null pointer.
    ///
    /// # Safety
    /// The pointers must be null or valid for `count` elements, which no other code accesses meanwhile.
    unsafe fn new(
        count: usize,
        times: *const f64,
        states: *mut StateRow,
        errors: *mut [f64; 2],
    ) -> Result<Self, String> {
        if count > isize::MAX as usize / size_of::<StateRow>() {
            return Err(format!("count is {count}, more than memory has"));
        }
        let wanted = |null, name| match null && count > 0 {
            true => Err(format!("{name} is a null pointer")),
            false => Ok(()),
        };
        wanted(times.is_null(), "times")?;
        wanted(states.is_null(), "states")?;
        if count == 0 {
            return Ok(Self {
                times: &[],
                states: &mut [],
                errors: &mut [],
            });
        }
        // SAFETY: the pointer is not null; the caller guarantees the rest.
        let times = unsafe { from_raw_parts(times, count) };
        // SAFETY: the pointer is not null; the caller guarantees the rest.
        let states = unsafe { from_raw_parts_mut(states, count) };
        let errors: &mut [_] = match errors.is_null() {
            true => &mut [],
            // SAFETY: the pointer is not null; the caller guarantees the rest.
            false => unsafe { from_raw_parts_mut(errors, count) },
        };
        if let Some(t) = times.iter().find(|t| !t.is_finite()) {
            return Err(format!("times has {t}; allowed: finite times"));
        }
        Ok(Self {
            times,
            states,
            errors,
        })
    }

    fn fill(self, motion: Result<impl Fn(f64) -> Exact, ReferenceError>) -> Result<(), Fault> {
        let motion = motion.map_err(|e| e.to_string())?;
        // All values are computed before anything is written.
        let mut all: Vec<Exact> = room(self.times.len())?;
        all.extend(self.times.iter().map(|t| motion(*t)));
        for (place, ((att, rate), _)) in self.states.iter_mut().zip(&all) {
            *place = std::array::from_fn(|k| match k {
                0..9 => att[(k / 3, k % 3)],
                _ => rate[k - 9],
            });
        }
        for (place, (_, error)) in self.errors.iter_mut().zip(&all) {
            *place = [error.attitude, error.rate];
        }
        Ok(())
    }
}

/// Computes the motion of the free body.
///
/// # Safety
/// Each pointer must be null or valid for as many numbers as its type and `count` say; `states` and `errors`
/// must not overlap with any other array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn topsim_free_body(
    inertia: *const [f64; 9],
    attitude: *const [f64; 9],
    rate: *const [f64; 3],
    count: usize,
    times: *const f64,
    states: *mut [f64; 12],
    errors: *mut [f64; 2],
) -> c_int {
    report_status(catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller guarantees valid pointers.
        let arrays = unsafe { MotionArrays::new(count, times, states, errors) }?;
        // SAFETY: the caller guarantees valid pointers.
        let [inertia, attitude] = unsafe {
            [
                read_ref(inertia, "inertia")?,
                read_ref(attitude, "attitude")?,
            ]
        };
        // SAFETY: the caller guarantees valid pointers.
        let rate = unsafe { read_ref(rate, "rate") }?;
        let motion = FreeBody::new(&matrix(inertia), &matrix(attitude), &(*rate).into());
        arrays.fill(motion.map(|m| move |t| (m.at(t), m.error(t))))
    })))
}

/// Computes the motion of the symmetric top under gravity.
///
/// # Safety
/// The conditions are those of [`topsim_free_body`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn topsim_lagrange_top(
    inertia: *const [f64; 9],
    weight: f64,
    lever: *const [f64; 3],
    up: *const [f64; 3],
    attitude: *const [f64; 9],
    rate: *const [f64; 3],
    count: usize,
    times: *const f64,
    states: *mut [f64; 12],
    errors: *mut [f64; 2],
) -> c_int {
    report_status(catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller guarantees valid pointers.
        let arrays = unsafe { MotionArrays::new(count, times, states, errors) }?;
        // SAFETY: the caller guarantees valid pointers.
        let [inertia, attitude] = unsafe {
            [
                read_ref(inertia, "inertia")?,
                read_ref(attitude, "attitude")?,
            ]
        };
        // SAFETY: the caller guarantees valid pointers.
        let [lever, up, rate] = unsafe {
            [
                read_ref(lever, "lever")?,
                read_ref(up, "up")?,
                read_ref(rate, "rate")?,
            ]
        };
        let motion = LagrangeTop::new(
            &matrix(inertia),
            weight,
            &(*lever).into(),
            &(*up).into(),
            &matrix(attitude),
            &(*rate).into(),
        );
        arrays.fill(motion.map(|m| move |t| (m.at(t), m.error(t))))
    })))
}

/// Returns the message of this thread's last call of a function that can fail; empty if that call succeeded.
#[unsafe(no_mangle)]
pub extern "C" fn topsim_error() -> *const c_char {
    ERROR.with_borrow(|text| text.as_ptr())
}

/// Returns the version of topsim.
#[unsafe(no_mangle)]
pub extern "C" fn topsim_version() -> *const c_char {
    VERSION.as_ptr()
}

fn matrix(rows: &[f64; 9]) -> Mat3 {
    Mat3::from_row_slice(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_memory_is_a_failure_and_no_abort() {
        let most = isize::MAX as usize / size_of::<Exact>();
        let Err(fault) = room::<Exact>(most) else {
            panic!("no machine has so much memory");
        };
        assert_eq!(report_status(Ok(Err(fault))), FAILED);
        ERROR.with_borrow(|text| {
            let said = text.to_str().unwrap();
            assert_eq!(said, format!("no memory for {most} states"));
        });
        assert!(room::<Exact>(3).is_ok());
    }
}
