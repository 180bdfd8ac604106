/* Drives a physics engine for `topsim judge`: put calls of your engine into `engine_set`, `engine_step` and
 * `engine_get`, and leave the rest as it is. */
#include "topsim_solver.h"

/* YOUR ENGINE HERE: a free body in its principal axes. Replace these three functions by calls of your engine.
 *
 * Quaternions are w, x, y, z, others have the scalar last; rates are in space, in rad/s. Switch off damping,
 * sleep and limits of the rate, or let topsim find them. What stands here is right: the explicit midpoint
 * rule, of order 2.
 */
typedef struct engine {
    double moments[3], q[4], w[3]; /* w in principal axes */
} engine;

/* Makes the body: principal moments, kg m^2; attitude of the principal axes; angular velocity in space. */
static void engine_set(engine *e, const double moments[3], const double q[4], const double w[3]) {
    double R[9];
    memcpy(e->moments, moments, sizeof e->moments);
    memcpy(e->q, q, sizeof e->q);
    topsim_matrix(q, R);
    topsim_to_body(R, w, e->w);
}

/* out = the state after h seconds from that of e, with the slopes at another one */
static void moved(const engine *e, double h, const engine *at, engine *out) {
    const double *q = at->q, *w = at->w, rate[4] = {0.0, w[0], w[1], w[2]};
    double turn[4], next[7], length = 0.0;
    topsim_product(q, rate, turn);
    for (int i = 0; i < 4; ++i) next[i] = e->q[i] + 0.5 * h * turn[i];
    for (int i = 0; i < 4; ++i) length += next[i] * next[i];
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        next[4 + i] = e->w[i] + h * (e->moments[j] - e->moments[k]) / e->moments[i] * w[j] * w[k];
    }
    for (int i = 0; i < 4; ++i) out->q[i] = next[i] / sqrt(length);
    for (int i = 0; i < 3; ++i) out->w[i] = next[4 + i];
}

/* Makes one step of h seconds. */
static void engine_step(engine *e, double h) {
    engine middle;
    moved(e, 0.5 * h, e, &middle);
    moved(e, h, &middle, e);
}

/* Returns the attitude of the principal axes and the angular velocity in space. */
static void engine_get(const engine *e, double q[4], double w[3]) {
    double R[9];
    memcpy(q, e->q, sizeof e->q);
    topsim_matrix(q, R);
    topsim_to_space(R, e->w, w);
}

int main(void) {
    for (topsim_problem *p; (p = topsim_next()) != NULL;) {
        engine e;
        double q[4], w[3];
        size_t n = 0;
        if (p->torque.model != TOPSIM_NONE) {
            topsim_skip_problem(p, "the engine is given free bodies only");
            continue;
        }
        topsim_product(p->quaternion, p->axes, q);
        topsim_to_space(p->matrix, p->rate, w);
        engine_set(&e, p->moments, q, w);
        for (size_t i = 0; i < p->rows; ++i) {
            for (; n < topsim_step_of(p, i); ++n) engine_step(&e, p->step);
            engine_get(&e, q, w);
            topsim_write_principal(p, p->start + (double)n * p->step, q, w);
        }
    }
    return 0;
}
