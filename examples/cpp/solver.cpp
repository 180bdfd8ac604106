// A solver for `topsim judge`: put your own step into `step`, and leave the rest as it is.
#include "topsim_solver.h"

#include <array>
#include <cmath>

using Quaternion = std::array<double, 4>; // w, x, y, z
using Vector = std::array<double, 3>;
using State = std::array<double, 7>; // quaternion and body rate

static State moved(State y, double h, const State& slope) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * slope[i];
    return y;
}

// q' = q (0, w) / 2;  w' = inverse(J) (cross(J w, w) + torque)
static State slope(const topsim_problem& p, double t, const State& y) {
    const double *q = y.data(), *v = q + 1, *w = q + 4;
    double R[9], momentum[3], moment[3], turn[3] = {q[0] * w[0], q[0] * w[1], q[0] * w[2]};
    topsim_matrix(q, R);
    topsim_torque_moving(&p, t, R, w, moment);
    topsim_to_space(p.inertia, w, momentum); // a matrix times a vector
    topsim_add_cross(momentum, w, moment);
    topsim_add_cross(v, w, turn);
    State out{-0.5 * (v[0] * w[0] + v[1] * w[1] + v[2] * w[2]), 0.5 * turn[0], 0.5 * turn[1], 0.5 * turn[2]};
    topsim_to_space(p.inertia_inverse, moment, &out[4]);
    return out;
}

// YOUR STEP HERE. Makes one step of p.step seconds from the time t.
//
// q  attitude, a unit quaternion that turns the body into space; topsim_matrix and topsim_quaternion change
//    between it and a matrix
// w  angular velocity in the body frame, rad/s
//
// What stands here is right: the classical Runge-Kutta method, of order 4.
static void step(const topsim_problem& p, double t, Quaternion& q, Vector& w) {
    const double h = p.step;
    State y{q[0], q[1], q[2], q[3], w[0], w[1], w[2]};
    const State k1 = slope(p, t, y);
    const State k2 = slope(p, t + 0.5 * h, moved(y, 0.5 * h, k1));
    const State k3 = slope(p, t + 0.5 * h, moved(y, 0.5 * h, k2));
    const State k4 = slope(p, t + h, moved(y, h, k3));
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    const double length = std::sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3]);
    q = {y[0] / length, y[1] / length, y[2] / length, y[3] / length};
    w = {y[4], y[5], y[6]};
}

int main() {
    while (topsim_problem* p = topsim_next()) {
        Quaternion q{p->quaternion[0], p->quaternion[1], p->quaternion[2], p->quaternion[3]};
        Vector w{p->rate[0], p->rate[1], p->rate[2]};
        std::size_t n = 0;
        for (std::size_t i = 0; i < p->rows; ++i) {
            for (; n < topsim_step_of(p, i); ++n) step(*p, p->start + double(n) * p->step, q, w);
            topsim_write_quaternion(p, p->start + double(n) * p->step, q.data(), w.data());
        }
    }
}
