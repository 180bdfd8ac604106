/* topsim.h: exact motions of rigid bodies, with bounds of their errors.
 *
 * C99 and C++11. The library: `cargo build --release -p topsim-c` makes libtopsim_c.a and libtopsim_c.so (or what the
 * system has) in target/release; link with -ltopsim_c, for the first also with -lpthread -ldl -lm.
 *
 * SI units. A matrix is nine doubles row by row. An attitude R takes components in the body to components in space,
 * v_space = R v_body. Inertia, lever and rates are in the frame of the body, `up` in that of space. The start is at t = 0.
 *
 * The functions may be called from several threads at once. */

#ifndef TOPSIM_H
#define TOPSIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the functions return. */
enum topsim_status {
    TOPSIM_DONE = 0,    /* all is written */
    TOPSIM_REFUSED = 1, /* the numbers are refused, nothing is written; topsim_error says why */
    TOPSIM_FAILED = 2   /* topsim failed, nothing is written: a mistake of topsim */
};

/* The free body, by Jacobi's elliptic functions.
 *
 * inertia    about the centre of mass, kg m^2
 * attitude   at t = 0
 * rate       at t = 0, rad/s
 * count      number of times
 * times      s, in any order
 * states     of each time: the attitude (9 numbers), the rate (3)
 * errors     of each time: bounds of the errors of the attitude, rad, and of the rate, rad/s; NULL where nobody wants
 *            them */
int topsim_free_body(const double inertia[9], const double attitude[9], const double rate[3], size_t count,
                     const double times[], double states[][12], double errors[][2]);

/* The symmetric top under gravity about a fixed point, by Jacobi's elliptic functions. As above, and:
 *
 * inertia    about the fixed point, kg m^2, symmetric about the lever
 * weight     mass times gravity, N
 * lever      from the fixed point to the centre of mass, m
 * up         against gravity, a unit vector */
int topsim_lagrange_top(const double inertia[9], double weight, const double lever[3], const double up[3],
                        const double attitude[9], const double rate[3], size_t count, const double times[],
                        double states[][12], double errors[][2]);

/* What the last of these two functions that this thread called said where it failed, in English; "" where it did not.
 * The text stays until the thread calls one of them again. */
const char *topsim_error(void);

/* The version of topsim, such as "0.1.0". */
const char *topsim_version(void);

#ifdef __cplusplus
}
#endif

#endif
