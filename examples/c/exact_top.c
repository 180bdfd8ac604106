/* The exact motion of a heavy symmetric top, as a test of one's own would ask for it. Build and run, from the folder of the
 * project:
 *
 *   cargo build -p topsim-c
 *   cc -std=c99 -Iinclude examples/c/exact_top.c target/debug/libtopsim_c.a -lpthread -ldl -lm -o exact_top
 *   ./exact_top
 */
#include "topsim.h"
#include <stdio.h>

int main(void) {
    const double inertia[9] = {5, 0, 0, 0, 5, 0, 0, 0, 1}, lever[3] = {0, 0, 1}, up[3] = {0, 0, 1};
    const double attitude[9] = {1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}, rate[3] = {0, 0, 50};
    const double times[3] = {0, 1, 10};
    double states[3][12], errors[3][2];
    if (topsim_lagrange_top(inertia, 20, lever, up, attitude, rate, 3, times, states, errors) != TOPSIM_DONE) {
        fprintf(stderr, "topsim %s: %s\n", topsim_version(), topsim_error());
        return 1;
    }
    for (int i = 0; i < 3; i++)
        printf("t = %4.1f s: axis (%.15f, %.15f, %.15f), known to %.0e rad\n", times[i], states[i][2], states[i][5],
               states[i][8], errors[i][0]);
    return 0;
}
