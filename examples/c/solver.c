/* A solver for `topsim judge`: put your own step into `step`, and leave the rest as it is. */
#include "topsim_solver.h"

/* q' = q (0, w) / 2;  w' = inverse(J) (cross(J w, w) + torque). State y: quaternion and body rate. */
static void slope(const topsim_problem *p, double t, const double y[7], double out[7]) {
    const double *q = y, *v = y + 1, *w = y + 4;
    double R[9], momentum[3], moment[3], turn[3];
    topsim_matrix(q, R);
    topsim_torque_moving(p, t, R, w, moment);
    topsim_to_space(p->inertia, w, momentum); /* a matrix times a vector */
    topsim_add_cross(momentum, w, moment);
    topsim_to_space(p->inertia_inverse, moment, out + 4);
    for (int i = 0; i < 3; ++i) turn[i] = q[0] * w[i];
    topsim_add_cross(v, w, turn);
    out[0] = -0.5 * (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]);
    for (int i = 0; i < 3; ++i) out[1 + i] = 0.5 * turn[i];
}

static void moved(const double y[7], double h, const double k[7], double out[7]) {
    for (int i = 0; i < 7; ++i) out[i] = y[i] + h * k[i];
}

/* YOUR STEP HERE. Makes one step of p->step seconds from the time t.
 *
 * q  attitude, a unit quaternion w, x, y, z that turns the body into space; topsim_matrix and
 *    topsim_quaternion change between it and a matrix
 * w  angular velocity in the body frame, rad/s
 *
 * What stands here is right: the classical Runge-Kutta method, of order 4.
 */
static void step(const topsim_problem *p, double t, double q[4], double w[3]) {
    const double h = p->step;
    double y[7] = {q[0], q[1], q[2], q[3], w[0], w[1], w[2]}, z[7], k1[7], k2[7], k3[7], k4[7];
    slope(p, t, y, k1);
    moved(y, 0.5 * h, k1, z);
    slope(p, t + 0.5 * h, z, k2);
    moved(y, 0.5 * h, k2, z);
    slope(p, t + 0.5 * h, z, k3);
    moved(y, h, k3, z);
    slope(p, t + h, z, k4);
    for (int i = 0; i < 7; ++i) y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    double length = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    for (int i = 0; i < 4; ++i) q[i] = y[i] / length;
    for (int i = 0; i < 3; ++i) w[i] = y[4 + i];
}

int main(void) {
    for (topsim_problem *p; (p = topsim_next()) != NULL;) {
        double q[4], w[3];
        size_t n = 0;
        memcpy(q, p->quaternion, sizeof q);
        memcpy(w, p->rate, sizeof w);
        for (size_t i = 0; i < p->rows; ++i) {
            for (; n < topsim_step_of(p, i); ++n) step(p, p->start + (double)n * p->step, q, w);
            topsim_write_quaternion(p, p->start + (double)n * p->step, q, w);
        }
    }
    return 0;
}
