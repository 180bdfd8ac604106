/* topsim.h: exact motions of rigid bodies, with bounds of their errors.
 *
 * The header needs C99 or C++11. `cargo build --release -p topsim-c` builds the static library libtopsim_c.a and the
 * shared one libtopsim_c.so (or their equivalents on the system) in target/release. Link with -ltopsim_c; the static
 * library also needs -lpthread -ldl -lm.
 *
 * All units are SI. A matrix is nine doubles, row by row. An attitude R maps body components to space components,
 * v_space = R v_body. Inertia, lever and rates are in the body frame, `up` in the space frame. Motions start at t = 0.
 *
 * The functions may be called from several threads at once. */

#ifndef TOPSIM_H
#define TOPSIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return values of the functions. */
enum topsim_status {
    TOPSIM_DONE = 0,    /* everything was written */
    TOPSIM_REFUSED = 1, /* the numbers are refused and nothing was written; topsim_error gives the reason */
    TOPSIM_FAILED = 2   /* topsim failed and nothing was written: there is no memory, or a bug in topsim */
};

/* Motion of the free body, by Jacobi's elliptic functions.
 *
 * inertia    about the centre of mass, kg m^2
 * attitude   at t = 0
 * rate       at t = 0, rad/s
 * count      number of times
 * times      s, in any order
 * states     for each time: attitude (9 numbers), rate (3 numbers)
 * errors     for each time: error bounds of the attitude, rad, and of the rate, rad/s; may be NULL */
int topsim_free_body(const double inertia[9], const double attitude[9], const double rate[3], size_t count,
                     const double times[], double states[][12], double errors[][2]);

/* Motion of the symmetric top under gravity about a fixed point, by Jacobi's elliptic functions. The parameters are
 * those of topsim_free_body, and:
 *
 * inertia    about the fixed point, kg m^2, symmetric about the lever
 * weight     mass times gravity, N
 * lever      vector from the fixed point to the centre of mass, m
 * up         unit vector against gravity */
int topsim_lagrange_top(const double inertia[9], double weight, const double lever[3], const double up[3],
                        const double attitude[9], const double rate[3], size_t count, const double times[],
                        double states[][12], double errors[][2]);

/* Returns the message, in English, of this thread's last call of one of these two functions; "" if the call succeeded.
 * The text is valid until the thread calls one of them again. */
const char *topsim_error(void);

/* Returns the version of topsim, such as "0.1.0". */
const char *topsim_version(void);

#ifdef __cplusplus
}
#endif

#endif
