/* Solfec's three schemes in plain C: what the step costs where nothing else is carried along.
 *
 * Written from the same formulas as src/schemes/rig.rs, for the published heavy top at h = 0.003,
 * with a diagonal and with a full inertia tensor. Prints, for each scheme and body,
 *     name  ns-per-step  R11 … R33  W1 W2 W3
 * the state being that after STEPS steps, the time the least of REPEATS runs from the start.
 *
 * The exponential map takes sine and cosine from libm; with -DSERIES it takes, for angles up to
 * one half, the Taylor series that src/math/so3.rs uses: the harder opponent.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STEPS 1000
#define REPEATS 4000

typedef struct { double r[9], w[3]; } State; /* R row by row */
typedef struct { double j[9], inv[9], load[3], lever[3]; } Body;

static inline void matvec(const double *m, const double *v, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = m[3*i]*v[0] + m[3*i+1]*v[1] + m[3*i+2]*v[2];
}

static inline void tmatvec(const double *m, const double *v, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i]*v[0] + m[3+i]*v[1] + m[6+i]*v[2];
}

static inline void matmul(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3*i+k] = a[3*i]*b[k] + a[3*i+1]*b[3+k] + a[3*i+2]*b[6+k];
}

static inline void cross(const double *u, const double *v, double *out)
{
    out[0] = u[1]*v[2] - u[2]*v[1];
    out[1] = u[2]*v[0] - u[0]*v[2];
    out[2] = u[0]*v[1] - u[1]*v[0];
}

static inline double dot(const double *u, const double *v)
{
    return u[0]*v[0] + u[1]*v[1] + u[2]*v[2];
}

static inline double larger(double a, double b) { return a > b ? a : b; }

static inline double amax(const double *v)
{
    return larger(larger(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

#ifdef SERIES
static inline double poly(const double *p, double x)
{
    double x2 = x*x;
    double lo = (p[0] + p[1]*x) + (p[2] + p[3]*x)*x2;
    double hi = (p[4] + p[5]*x) + (p[6] + p[7]*x)*x2;
    return lo + hi*(x2*x2);
}
static const double A8[8] = { 1.0, -1.0/6, 1.0/120, -1.0/5040, 1.0/362880, -1.0/39916800,
    1.0/6227020800.0, -1.0/1307674368000.0 };
static const double B8[8] = { 0.5, -1.0/24, 1.0/720, -1.0/40320, 1.0/3628800, -1.0/479001600.0,
    1.0/87178291200.0, -1.0/20922789888000.0 };
static const double D8[8] = { 1.0/6, -1.0/120, 1.0/5040, -1.0/362880, 1.0/39916800,
    -1.0/6227020800.0, 1.0/1307674368000.0, -1.0/355687428096000.0 };
#define SMALL 0.25
#else
#define SMALL 1e-8
#endif

/* a = sin x/x, b = (1 - cos x)/x^2 */
static inline void rodrigues(double x2, double *a, double *b)
{
    if (x2 <= SMALL) {
#ifdef SERIES
        *a = poly(A8, x2);
        *b = poly(B8, x2);
#else
        *a = 1.0 - x2/6.0;
        *b = 0.5 - x2/24.0;
#endif
    } else {
        double x = sqrt(x2), s = sin(0.5*x), c = cos(0.5*x), r = s/x;
        *a = 2.0*r*c;
        *b = 2.0*r*r;
    }
}

/* d = (x - sin x)/x^3; a few digits are enough for Newton's matrix */
static inline double tangent(double x2, double a)
{
#ifdef SERIES
    if (x2 <= SMALL)
        return poly(D8, x2);
#else
    if (x2 <= 1e-4)
        return 1.0/6.0 - x2/120.0;
#endif
    return (1.0 - a)/x2;
}

/* I + a [v]x + b [v]x^2 */
static inline void rotation(const double *v, double a, double b, double *m)
{
    double x = v[0], y = v[1], z = v[2];
    double bx = b*x, by = b*y, bz = b*z;
    double xy = bx*y, xz = bx*z, yz = by*z, xx = bx*x, yy = by*y, zz = bz*z;
    double ax = a*x, ay = a*y, az = a*z;
    m[0] = 1.0 - (yy + zz); m[1] = xy - az; m[2] = xz + ay;
    m[3] = xy + az; m[4] = 1.0 - (xx + zz); m[5] = yz - ax;
    m[6] = xz - ay; m[7] = yz + ax; m[8] = 1.0 - (xx + yy);
}

static inline void expmap(const double *w, double c, double *m)
{
    double v[3] = { c*w[0], c*w[1], c*w[2] }, a, b;
    rodrigues(dot(v, v), &a, &b);
    rotation(v, a, b, m);
}

typedef struct { double mid[9], torque[3], p[3], w1[3]; } Half;

static inline void first_half(const Body *body, double h, const State *s, Half *o)
{
    double c = 0.5*h, d[9], jw[3], u[3], pm[3], wm[3], g[3], acc[3];
    expmap(s->w, c, d);
    matmul(s->r, d, o->mid);
    tmatvec(o->mid, body->load, u);
    cross(u, body->lever, o->torque);
    matvec(body->j, s->w, jw);
    tmatvec(d, jw, o->p);
    for (int i = 0; i < 3; i++)
        pm[i] = o->p[i] + c*o->torque[i];
    matvec(body->inv, pm, wm);
    cross(wm, pm, g);
    for (int i = 0; i < 3; i++)
        g[i] = o->torque[i] - g[i];
    matvec(body->inv, g, acc);
    for (int i = 0; i < 3; i++)
        o->w1[i] = s->w[i] + h*acc[i];
}

static inline void rig_pos(const Body *body, double h, State *s)
{
    Half f;
    double d[9];
    first_half(body, h, s, &f);
    expmap(f.w1, 0.5*h, d);
    matmul(f.mid, d, s->r);
    for (int i = 0; i < 3; i++)
        s->w[i] = f.w1[i];
}

static inline void rig_neg(const Body *body, double h, State *s)
{
    Half f;
    double d[9], a[3], p[3];
    first_half(body, h, s, &f);
    expmap(f.w1, 0.5*h, d);
    matmul(f.mid, d, s->r);
    for (int i = 0; i < 3; i++)
        a[i] = f.p[i] + h*f.torque[i];
    tmatvec(d, a, p);
    matvec(body->inv, p, s->w);
}

static inline void rig_imp(const Body *body, double h, State *s)
{
    Half f;
    double c = 0.5*h, a[3], w[3], best[3], e[9], size, best_norm = INFINITY;
    first_half(body, h, s, &f);
    for (int i = 0; i < 3; i++) {
        a[i] = f.p[i] + h*f.torque[i];
        best[i] = w[i] = f.w1[i];
    }
    size = amax(a);
    for (int it = 0; ; it++) {
        double v[3] = { c*w[0], c*w[1], c*w[2] }, x2 = dot(v, v), ka, kb, jw[3], r[3], m[3];
        rodrigues(x2, &ka, &kb);
        rotation(v, ka, kb, e);
        matvec(body->j, w, jw);
        /* the residual in the turned frame, E^T A - J W: its matrix needs no product with E */
        tmatvec(e, a, r);
        for (int i = 0; i < 3; i++) {
            r[i] -= jw[i];
            m[i] = c*jw[i];
        }
        double norm = amax(r);
        if (norm <= 4e-16*size)
            break;
        if (it >= 2 && !(norm < best_norm)) {
            for (int i = 0; i < 3; i++)
                w[i] = best[i];
            expmap(w, c, e);
            break;
        }
        if (norm < best_norm) {
            best_norm = norm;
            for (int i = 0; i < 3; i++)
                best[i] = w[i];
        }
        if (it == 20) {
            fprintf(stderr, "Newton did not converge\n");
            exit(1);
        }
        /* columns of K = J - c [JW]x Jr, Jr = I - b [v]x + d [v]x^2; then Cramer's rule */
        double jr[9], k[3][3], k12[3], k20[3], k01[3];
        rotation(v, -kb, tangent(x2, ka), jr);
        for (int i = 0; i < 3; i++) {
            double col[3] = { jr[i], jr[3+i], jr[6+i] }, mc[3];
            cross(m, col, mc);
            for (int q = 0; q < 3; q++)
                k[i][q] = body->j[3*q+i] - mc[q];
        }
        cross(k[1], k[2], k12);
        cross(k[2], k[0], k20);
        cross(k[0], k[1], k01);
        double inv = 1.0/dot(k[0], k12);
        w[0] += inv*dot(k12, r);
        w[1] += inv*dot(k20, r);
        w[2] += inv*dot(k01, r);
    }
    matmul(f.mid, e, s->r);
    for (int i = 0; i < 3; i++)
        s->w[i] = w[i];
}

static State start(void)
{
    State s = { .w = { 0, 0, 50 } };
    double v[3] = { 0.05, 0, 0 };
    expmap(v, 1.0, s.r);
    return s;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9*(double)t.tv_sec + (double)t.tv_nsec;
}

/* A macro, so that each scheme is inlined into its own loop. */
#define TIME(scheme, body, label) do { \
    double least = INFINITY; \
    State s; \
    for (int k = 0; k < REPEATS; k++) { \
        s = start(); \
        double t0 = now(); \
        for (int n = 0; n < STEPS; n++) \
            scheme(&body, h, &s); \
        double t1 = now(); \
        if (t1 - t0 < least) \
            least = t1 - t0; \
    } \
    printf("%s/%s %.3f", #scheme, label, least/STEPS); \
    for (int i = 0; i < 9; i++) \
        printf(" %.17g", s.r[i]); \
    for (int i = 0; i < 3; i++) \
        printf(" %.17g", s.w[i]); \
    printf("\n"); \
} while (0)

static Body body(const double *j)
{
    Body b = { .load = { 0, 0, 20 }, .lever = { 0, 0, 1 } };
    double det;
    for (int i = 0; i < 9; i++)
        b.j[i] = j[i];
    cross(j + 3, j + 6, b.inv);
    cross(j + 6, j, b.inv + 3);
    cross(j, j + 3, b.inv + 6);
    det = dot(j, b.inv);
    for (int i = 0; i < 9; i++)
        b.inv[i] /= det;
    return b;
}

int main(void)
{
    /* volatile: the numbers of the problem are not known to the compiler */
    volatile double step = 0.003, zero = 0.0;
    volatile Body hidden;
    double h = step;
    double diagonal[9] = { 5 + zero, zero, zero, zero, 5 + zero, zero, zero, zero, 1 + zero };
    double full[9] = { 5 + zero, .3, -.2, .3, 7 + zero, .4, -.2, .4, 3 + zero };
    hidden = body(diagonal);
    Body d = hidden;
    hidden = body(full);
    Body f = hidden;
    TIME(rig_pos, d, "diagonal");
    TIME(rig_neg, d, "diagonal");
    TIME(rig_imp, d, "diagonal");
    TIME(rig_pos, f, "full");
    TIME(rig_neg, f, "full");
    TIME(rig_imp, f, "full");
    return 0;
}
