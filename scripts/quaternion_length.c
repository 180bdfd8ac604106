/* Drift in space of the momentum of a rotating sphere whose quaternion is multiplied by one rounded rotation in every step, for three
 * ways to restore the length 1: q (1.5 - |q|^2/2) in every step, q/|q| in every step, and q/|q| only if |q|^2 deviates by 64 epsilon.
 * Prints the relative drift, rms of 16 starts, after 10^3 .. 10^6 steps of 0.01 s: a table of docs/references.md.
 *
 *   cc -O2 -ffp-contract=off scripts/quaternion_length.c -lm -o quaternion_length && ./quaternion_length
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STARTS = 16, COUNTS = 4, FIRST = 1000 };

static double number(void) { return rand() / (double)RAND_MAX - 0.5; }

static double square(const double q[4]) { return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]; }

/* Returns R v in long doubles, for a quaternion of any length. */
static void turned(const double q[4], const double v[3], long double out[3]) {
    long double w = q[0], x = q[1], y = q[2], z = q[3], k = 2 / (w * w + x * x + y * y + z * z);
    out[0] = v[0] + k * (-(y * y + z * z) * v[0] + (x * y - w * z) * v[1] + (x * z + w * y) * v[2]);
    out[1] = v[1] + k * ((x * y + w * z) * v[0] - (x * x + z * z) * v[1] + (y * z - w * x) * v[2]);
    out[2] = v[2] + k * ((x * z - w * y) * v[0] + (y * z + w * x) * v[1] - (x * x + y * y) * v[2]);
}

static void correct(int way, double q[4]) {
    double s = square(q), k = way == 0 ? 1.5 - 0.5 * s : 1 / sqrt(s);
    if (way == 2 && fabs(s - 1) <= 64 * DBL_EPSILON) return;
    for (int i = 0; i < 4; i++) q[i] *= k;
}

int main(void) {
    const char *names[] = {"q (1.5 - |q|^2/2)", "q/|q|", "q/|q| beyond 64 epsilon"};
    for (int way = 0; way < 3; way++) {
        double squares[COUNTS] = {0};
        srand(5);
        for (int start = 0; start < STARTS; start++) {
            double v[3] = {1.1 + number(), 0.7 + number(), -0.9 + number()}, h = 0.01;
            double half = 0.5 * h * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), s = sin(half) / half * 0.5 * h;
            double t[4] = {cos(half), s * v[0], s * v[1], s * v[2]};
            double q[4] = {0.9 + 0.2 * number(), number(), number(), number()};
            correct(1, q);
            long double begun[3], now[3];
            turned(q, v, begun);
            long next = FIRST;
            for (long n = 1, k = 0; k < COUNTS; n++) {
                double p[4] = {q[0] * t[0] - q[1] * t[1] - q[2] * t[2] - q[3] * t[3],
                               q[0] * t[1] + q[1] * t[0] + q[2] * t[3] - q[3] * t[2],
                               q[0] * t[2] + q[2] * t[0] + q[3] * t[1] - q[1] * t[3],
                               q[0] * t[3] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1]};
                correct(way, p);
                for (int i = 0; i < 4; i++) q[i] = p[i];
                if (n < next) continue;
                long double off = 0, size = 0;
                turned(q, v, now);
                for (int i = 0; i < 3; i++) off += (now[i] - begun[i]) * (now[i] - begun[i]), size += begun[i] * begun[i];
                squares[k++] += (double)(off / size);
                next *= 10;
            }
        }
        printf("%-26s", names[way]);
        for (int k = 0; k < COUNTS; k++) printf(" %.1e", sqrt(squares[k] / STARTS));
        puts("");
    }
    return 0;
}
