/* A solver for `topsim judge CASE --solver ./stoermer_verlet`, in C99:
 *
 *     cc -std=c99 -O2 -I include -o stoermer_verlet examples/c/stoermer_verlet.c -lm
 *     topsim judge --all --solver ./stoermer_verlet --claim order=2
 *
 * Störmer and Verlet's method of order 2 as half a kick, a drift, half a kick. The torque kicks the
 * angular momentum in space; the drift keeps it and turns the body by the implicit midpoint rule.
 */
#include "topsim_solver.h"

static void product(const double m[9], const double v[3], double out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}

/* q = q exp(h w / 2), which turns the body by the rotation vector h w of its own frame. */
static void turn(double q[4], double h, const double w[3]) {
    double angle = h * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    double c = cos(0.5 * angle), s = angle > 0.0 ? h * sin(0.5 * angle) / angle : 0.5 * h;
    double p[4] = {q[0], q[1], q[2], q[3]}, v[3] = {s * w[0], s * w[1], s * w[2]};
    q[0] = c * p[0] - (p[1] * v[0] + p[2] * v[1] + p[3] * v[2]);
    for (int i = 0; i < 3; ++i) q[i + 1] = c * p[i + 1] + p[0] * v[i];
    topsim_add_cross(p + 1, v, q + 1);
}

/* The rate in the body frame of a body with the angular momentum l in space. */
static void rate_of(const topsim_problem *p, const double q[4], const double l[3], double w[3]) {
    double R[9], l_body[3];
    topsim_matrix(q, R);
    topsim_to_body(R, l, l_body);
    product(p->inertia_inverse, l_body, w);
}

/* l += h times the torque in space */
static void kick(const topsim_problem *p, double t, double h, const double q[4], double l[3]) {
    double R[9], tau_body[3], tau[3];
    topsim_matrix(q, R);
    topsim_torque(p, t, R, tau_body);
    product(R, tau_body, tau);
    for (int i = 0; i < 3; ++i) l[i] += h * tau[i];
}

static void step(const topsim_problem *p, double t, double q[4], double l[3]) {
    double h = p->step, w[3], change = 1.0;
    kick(p, t, 0.5 * h, q, l);
    rate_of(p, q, l, w);
    for (int tries = 0; change > 1e-15; ++tries) { /* w is the rate at the middle of the turn */
        double middle[4] = {q[0], q[1], q[2], q[3]}, next[3];
        if (tries == 100) topsim_fail("the step %g is too long for the midpoint rule", h);
        turn(middle, 0.5 * h, w);
        rate_of(p, middle, l, next);
        change = 0.0;
        for (int i = 0; i < 3; ++i) {
            change = fmax(change, h * fabs(next[i] - w[i]));
            w[i] = next[i];
        }
    }
    turn(q, h, w);
    kick(p, t + h, 0.5 * h, q, l);
}

int main(void) {
    for (topsim_problem *p; (p = topsim_next()) != NULL;) {
        double q[4], w[3], l_body[3], l[3];
        memcpy(q, p->quaternion, sizeof q);
        product(p->inertia, p->rate, l_body);
        product(p->matrix, l_body, l);
        size_t n = 0;
        for (size_t i = 0; i < p->rows; ++i) {
            for (; n < topsim_step_of(p, i); ++n) step(p, p->start + (double)n * p->step, q, l);
            rate_of(p, q, l, w);
            topsim_write_quaternion(p, p->start + (double)n * p->step, q, w);
        }
    }
    return 0;
}
