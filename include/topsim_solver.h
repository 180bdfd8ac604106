/* topsim_solver.h reads the problems of `topsim judge --solver` and writes the rows, for solvers in
 * C99 and in C++. It needs only the C library (link with -lm) and implements versions 1 and 2 of the
 * protocol, so that one start of the solver may answer many problems. A solver is
 *
 *     for (topsim_problem *p; (p = topsim_next()) != NULL;) {
 *         double q[4], w[3];                          (copied from p->quaternion and p->rate)
 *         size_t n = 0;
 *         for (size_t i = 0; i < p->rows; ++i) {
 *             for (; n < topsim_step_of(p, i); ++n)
 *                 my_step(p, p->start + (double)n * p->step, q, w);
 *             topsim_write_quaternion(p, p->start + (double)n * p->step, q, w);
 *         }
 *     }
 *
 * Units are SI. R maps body components to space components; quaternions are w, x, y, z; matrices
 * are 9 numbers, row by row. An error ends the program with a message on standard error and exit
 * status 1. `topsim init --solver c` and `--solver cpp` write a complete solver beside this file, with
 * `--engine` one that drives a physics engine.
 */
#ifndef TOPSIM_SOLVER_H
#define TOPSIM_SOLVER_H

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum topsim_model {
    TOPSIM_NONE,
    TOPSIM_GRAVITY,
    TOPSIM_CONSTANT,
    TOPSIM_SIN2_PULSE,
    TOPSIM_TABLE,
    TOPSIM_TWO_WELL,
    TOPSIM_LOADED_GRAVITY,
    TOPSIM_IN_TIME,
    TOPSIM_DAMPING,
    TOPSIM_GYROSTAT,
    TOPSIM_WHEELS,
    TOPSIM_AXIS_DAMPING,
    TOPSIM_BREATHING,
    TOPSIM_GRAVITY_GRADIENT,
    TOPSIM_MODELS
} topsim_model;

/* Torque of a problem. Each model uses some of the numbers; topsim_torque has the formulas. */
typedef struct topsim_law {
    topsim_model model;
    int in_space; /* 1 if torque, amplitude and torques have components in space */
    int hold;     /* 1 if each row of the table holds until the next, 0 for straight lines */
    double weight, lever[3], up[3];         /* gravity, loaded_gravity, gyrostat: N, m, unit vector */
    double torque[3];                       /* constant, loaded_gravity: N m */
    double amplitude[3], rate, from, until; /* sin2_pulse: N m, rad/s, s, s */
    double rest, pull, magnet[9];           /* two_well: distance, J, matrix */
    double *times, *torques;                /* table: s, N m (3 numbers a row) */
    double *momenta;                        /* wheels, beside times: kg m^2/s (3 numbers a row) */
    size_t rows;                            /* number of rows of the table or of the wheels */
    /* in_time (N m), rotor momentum of gyrostat (kg m^2/s), axis_damping (N m s): powers of t and sines,
       3 numbers each */
    double *polynomial, *amplitudes, *rates, *phases;
    size_t powers, sines;
    double medium[3];                       /* axis_damping: rate of the medium in space, rad/s */
    double linear, quadratic;               /* damping: 1/s, 1/(kg m^2) */
    double phase;                           /* breathing: rad; it also uses amplitude[0] and rate */
    double radial[3], normal[3];            /* gravity_gradient: unit vectors; it also uses rate */
} topsim_law;

typedef struct topsim_problem {
    char name[64]; /* name of the case, truncated */
    double inertia[9], inertia_inverse[9]; /* body frame, kg m^2, about the point of the torque */
    double moments[3], axes[4];            /* principal moments; quaternion from principal axes to body */
    double quaternion[4], matrix[9];       /* attitude at the start */
    double rate[3];                        /* angular velocity at the start, body frame, rad/s */
    double start, end, step;               /* s */
    size_t steps;                          /* of the whole run, which ends at start + steps * step */
    size_t rows;                           /* number of rows wanted, each at a time start + n * step */
    double *times;                         /* times of the rows, the first at the start */
    topsim_law torque;
    size_t number, written; /* index of the problem in this start; rows written so far */
    const char *columns;    /* names of the columns of its rows */
} topsim_problem;

/* Ends the program with a message and exit status 1. */
static inline void topsim_fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    fputs("topsim_solver.h: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(1);
}

/* Ends the program because the solver does not support this problem, which is no failure; the reason is shown. */
static inline void topsim_skip(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    exit(77);
}

/* Says, instead of rows, that the solver does not support this problem, and goes on with the next one. */
static inline void topsim_skip_problem(topsim_problem *p, const char *reason) {
    if (p->written > 0) topsim_fail("`%s`: the solver skips a problem that it has begun", p->name);
    fputs(p->number > 0 ? "\n{\"skip\": \"" : "{\"skip\": \"", stdout);
    for (; *reason; ++reason) {
        int plain = (unsigned char)*reason >= ' ' && *reason != '"' && *reason != '\\';
        putchar(plain ? *reason : '\'');
    }
    fputs("\"}\n", stdout);
    p->written = p->rows;
}

/* Number of steps from the start to the time of a row. */
static inline size_t topsim_step_of(const topsim_problem *p, size_t row) {
    return (size_t)((p->times[row] - p->start) / p->step + 0.5);
}

/* Rotation matrix of a quaternion of any non-zero length. */
static inline void topsim_matrix(const double q[4], double R[9]) {
    double s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        R[4 * i] = 1.0 - s * (q[j + 1] * q[j + 1] + q[k + 1] * q[k + 1]);
        R[3 * i + j] = s * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]);
        R[3 * j + i] = s * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]);
    }
}

/* tau += cross(a, b) */
static inline void topsim_add_cross(const double a[3], const double b[3], double tau[3]) {
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        tau[i] += a[j] * b[k] - a[k] * b[j];
    }
}

/* out = transpose(R) v, which maps space components to body components. */
static inline void topsim_to_body(const double R[9], const double v[3], double out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
}

/* out = R v, which maps body components to space components; or another matrix times v. */
static inline void topsim_to_space(const double R[9], const double v[3], double out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

/* out = the quaternion p q: first the turn q, then the turn p. */
static inline void topsim_product(const double p[4], const double q[4], double out[4]) {
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    for (int i = 0; i < 3; ++i) out[i + 1] = p[0] * q[i + 1] + q[0] * p[i + 1];
    topsim_add_cross(p + 1, q + 1, out + 1);
}

/* q = unit quaternion of a rotation matrix, by its largest component. */
static inline void topsim_quaternion(const double R[9], double q[4]) {
    double trace = R[0] + R[4] + R[8];
    int i = R[4] > R[0] ? 1 : 0;
    if (R[8] > R[4 * i]) i = 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > R[4 * i]) {
        q[0] = 1.0 + trace, q[1] = R[7] - R[5], q[2] = R[2] - R[6], q[3] = R[3] - R[1];
    } else {
        q[0] = R[3 * k + j] - R[3 * j + k];
        q[1 + i] = 1.0 + R[4 * i] - R[4 * j] - R[4 * k];
        q[1 + j] = R[3 * j + i] + R[3 * i + j];
        q[1 + k] = R[3 * k + i] + R[3 * i + k];
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (i = 0; i < 4; ++i) q[i] /= length;
}

/* tau += c, with c given in the frame of the law. */
static inline void topsim_add_framed(const topsim_law *law, const double R[9], const double c[3],
                                     double tau[3]) {
    double turned[3];
    topsim_to_body(R, c, turned);
    for (int i = 0; i < 3; ++i) tau[i] += law->in_space ? turned[i] : c[i];
}

/* c = the torques of a table at t */
static inline void topsim_tabulated(const topsim_law *law, double t, double c[3]) {
    size_t last = law->rows - 1, i = 0, above = law->rows;
    if (!(t >= law->times[0] && t <= law->times[last])) return;
    while (above - i > 1) { /* the last row that is not after t */
        size_t middle = i + (above - i) / 2;
        if (law->times[middle] <= t) i = middle;
        else above = middle;
    }
    double s = 0.0;
    if (i < last && !law->hold) s = (t - law->times[i]) / (law->times[i + 1] - law->times[i]);
    for (int k = 0; k < 3; ++k) {
        double next = i < last ? law->torques[3 * (i + 1) + (size_t)k] : 0.0;
        c[k] = law->torques[3 * i + (size_t)k] * (1.0 - s) + next * s;
    }
}

/* h = the momentum of the wheels at t, by straight lines between rows, d = its derivative */
static inline void topsim_along_lines(const topsim_law *law, double t, double h[3], double d[3]) {
    size_t next = 0, i;
    while (next < law->rows && law->times[next] <= t) ++next;
    i = next > 0 ? next - 1 : 0;
    for (size_t k = 0; k < 3; ++k) {
        h[k] = law->momenta[3 * i + k], d[k] = 0.0;
        if (next == 0 || next == law->rows) continue;
        d[k] = (law->momenta[3 * next + k] - h[k]) / (law->times[next] - law->times[i]);
        h[k] += d[k] * (t - law->times[i]);
    }
}

/* c = the powers and sines of the law at t, d = their derivative */
static inline void topsim_in_time(const topsim_law *law, double t, double c[3], double d[3]) {
    for (int i = 0; i < 3; ++i) {
        size_t k = law->powers;
        c[i] = d[i] = 0.0;
        while (k-- > 0) {
            d[i] = d[i] * t + c[i];
            c[i] = c[i] * t + law->polynomial[3 * k + (size_t)i];
        }
        for (k = 0; k < law->sines; ++k) {
            double x = law->rates[k] * t + law->phases[k], a = law->amplitudes[3 * k + (size_t)i];
            c[i] += a * sin(x);
            d[i] += a * law->rates[k] * cos(x);
        }
    }
}

/* Returns 1 if the torque depends on the angular velocity; then topsim_torque_moving computes it. */
static inline int topsim_of_rate(const topsim_problem *p) {
    topsim_model model = p->torque.model;
    return model == TOPSIM_DAMPING || model == TOPSIM_GYROSTAT || model == TOPSIM_WHEELS ||
           model == TOPSIM_AXIS_DAMPING || model == TOPSIM_BREATHING;
}

/* Torque in the body frame, N m, at time t, attitude R and angular velocity w (body frame). */
static inline void topsim_torque_moving(const topsim_problem *p, double t, const double R[9],
                                        const double w[3], double tau_body[3]) {
    const topsim_law *law = &p->torque;
    double c[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) tau_body[i] = 0.0;
    switch (law->model) {
    case TOPSIM_NONE:
        break;
    case TOPSIM_GRAVITY:
    case TOPSIM_LOADED_GRAVITY:
        topsim_to_body(R, law->up, c);
        for (int i = 0; i < 3; ++i) c[i] *= -law->weight;
        topsim_add_cross(law->lever, c, tau_body);
        if (law->model == TOPSIM_LOADED_GRAVITY) topsim_add_framed(law, R, law->torque, tau_body);
        break;
    case TOPSIM_CONSTANT:
        topsim_add_framed(law, R, law->torque, tau_body);
        break;
    case TOPSIM_IN_TIME: {
        double slope[3];
        topsim_in_time(law, t, c, slope);
        topsim_add_framed(law, R, c, tau_body);
        break;
    }
    case TOPSIM_DAMPING: {
        topsim_to_space(p->inertia, w, c);
        double size = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        for (int i = 0; i < 3; ++i) tau_body[i] = -(law->linear + law->quadratic * size) * c[i];
        break;
    }
    case TOPSIM_GYROSTAT: {
        double h[3], slope[3];
        topsim_to_body(R, law->up, c);
        for (int i = 0; i < 3; ++i) c[i] *= -law->weight;
        topsim_add_cross(law->lever, c, tau_body);
        topsim_in_time(law, t, h, slope);
        topsim_add_cross(h, w, tau_body);
        for (int i = 0; i < 3; ++i) tau_body[i] -= slope[i];
        break;
    }
    case TOPSIM_WHEELS: {
        double h[3], slope[3];
        topsim_along_lines(law, t, h, slope);
        topsim_add_cross(h, w, tau_body);
        for (int i = 0; i < 3; ++i) tau_body[i] -= slope[i];
        break;
    }
    case TOPSIM_AXIS_DAMPING: {
        double medium[3], slope[3];
        topsim_in_time(law, t, c, slope);
        topsim_to_body(R, law->medium, medium);
        for (int i = 0; i < 3; ++i) tau_body[i] = c[i] * (medium[i] - w[i]);
        break;
    }
    case TOPSIM_BREATHING: {
        double x = law->rate * t + law->phase;
        double pace = law->amplitude[0] * law->rate * cos(x) / (1.0 + law->amplitude[0] * sin(x));
        topsim_to_space(p->inertia, w, c);
        for (int i = 0; i < 3; ++i) tau_body[i] = -pace * c[i];
        break;
    }
    case TOPSIM_GRAVITY_GRADIENT: {
        double place[3], ahead[3] = {0.0, 0.0, 0.0}, r[3];
        topsim_add_cross(law->normal, law->radial, ahead);
        for (int i = 0; i < 3; ++i) {
            place[i] = cos(law->rate * t) * law->radial[i] + sin(law->rate * t) * ahead[i];
        }
        topsim_to_body(R, place, r);
        topsim_to_space(p->inertia, r, c);
        topsim_add_cross(r, c, tau_body);
        for (int i = 0; i < 3; ++i) tau_body[i] *= 3.0 * law->rate * law->rate;
        break;
    }
    case TOPSIM_MODELS:
        break;
    case TOPSIM_SIN2_PULSE: {
        double s = t >= law->from && t <= law->until ? sin(law->rate * t) : 0.0;
        for (int i = 0; i < 3; ++i) c[i] = law->amplitude[i] * s * s;
        topsim_add_framed(law, R, c, tau_body);
        break;
    }
    case TOPSIM_TABLE:
        topsim_tabulated(law, t, c);
        topsim_add_framed(law, R, c, tau_body);
        break;
    case TOPSIM_TWO_WELL: {
        double of_unit = 0.0, of_magnet = 0.0, turned[9]; /* transpose(magnet) R */
        for (int i = 0; i < 9; ++i) {
            double a = R[i] - (i % 4 == 0 ? 1.0 : 0.0), b = R[i] - law->magnet[i];
            of_unit += a * a;
            of_magnet += b * b;
            turned[i] = 0.0;
            for (int k = 0; k < 3; ++k) turned[i] += law->magnet[3 * k + i / 3] * R[3 * k + i % 3];
        }
        double d_e = sqrt(of_unit), d_m = sqrt(of_magnet);
        double a = -4.0 * (d_e - law->rest) / d_e, b = -2.0 * law->pull / (d_m * d_m * d_m);
        for (int i = 0; i < 3; ++i) { /* vee(A)_i = (A_kj - A_jk) / 2 */
            int kj = 3 * ((i + 2) % 3) + (i + 1) % 3, jk = 3 * ((i + 1) % 3) + (i + 2) % 3;
            tau_body[i] = 0.5 * (a * (R[kj] - R[jk]) + b * (turned[kj] - turned[jk]));
        }
        break;
    }
    }
}

/* Torque at time t and attitude R; skips problems whose torque depends on the angular velocity. */
static inline void topsim_torque(const topsim_problem *p, double t, const double R[9],
                                 double tau_body[3]) {
    const double still[3] = {0.0, 0.0, 0.0};
    if (topsim_of_rate(p)) topsim_skip("the solver takes no torque that depends on the rate");
    topsim_torque_moving(p, t, R, still, tau_body);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static inline void topsim_write(topsim_problem *p, const char *columns, double t,
                                const double *attitude, int size, const double *rate) {
    if (p->written == 0) {
        if (p->number > 0) putchar('\n');
        puts(columns);
        p->columns = columns;
    }
    if (strcmp(columns, p->columns) != 0) topsim_fail("`%s`: all rows have the same columns", p->name);
    if (p->written == p->rows) {
        topsim_fail("`%s`: the solver writes more than the %zu rows wanted", p->name, p->rows);
    }
    printf("%.17g", t);
    for (int i = 0; i < size; ++i) printf(",%.17g", attitude[i]);
    for (int i = 0; rate && i < 3; ++i) printf(",%.17g", rate[i]);
    if (putchar('\n') == EOF) topsim_fail("cannot write the rows");
    p->written += 1;
}

/* Writes a row: the time, the attitude and the angular velocity in the body frame (or NULL). */
static inline void topsim_write_quaternion(topsim_problem *p, double t, const double q[4],
                                           const double rate[3]) {
    topsim_write(p, rate ? "t,qw,qx,qy,qz,W1,W2,W3" : "t,qw,qx,qy,qz", t, q, 4, rate);
}
static inline void topsim_write_matrix(topsim_problem *p, double t, const double R[9],
                                       const double rate[3]) {
    topsim_write(p,
                 rate ? "t,R11,R12,R13,R21,R22,R23,R31,R32,R33,W1,W2,W3"
                      : "t,R11,R12,R13,R21,R22,R23,R31,R32,R33",
                 t, R, 9, rate);
}
/* Writes a row of a code in principal axes: the attitude of these axes, and the angular velocity in space. */
static inline void topsim_write_principal(topsim_problem *p, double t, const double q[4],
                                          const double rate_in_space[3]) {
    const double back[4] = {p->axes[0], -p->axes[1], -p->axes[2], -p->axes[3]};
    double body[4];
    topsim_product(q, back, body);
    topsim_write(p, "t,qw,qx,qy,qz,omega_x,omega_y,omega_z", t, body, 4, rate_in_space);
}

/* ---- Reading JSON ---------------------------------------------------------------------------- */

/* Destination of the numbers of a key: `size` numbers to `to`, or any count to `list`. */
typedef struct topsim_field {
    const char *key;
    unsigned models; /* models that need the key, one bit each */
    double *to, **list;
    size_t size, found;
} topsim_field;

enum { TOPSIM_CASE, TOPSIM_MODEL, TOPSIM_FRAME, TOPSIM_INTERPOLATION, TOPSIM_WORDS };

typedef struct topsim_reader {
    char key[64];  /* full path such as "body.inertia"; all known keys are shorter */
    char text[64]; /* the last string */
    char words[TOPSIM_WORDS][64];
    topsim_field *fields;
    size_t count, at; /* number of fields; bytes read */
    unsigned char input[16384];
    size_t next, filled; /* positions in `input` */
    int given_rate; /* 1 if the problem has the table `rate` */
} topsim_reader;

static inline int topsim_get(topsim_reader *in) {
    if (in->next == in->filled) {
        in->next = 0;
        in->filled = fread(in->input, 1, sizeof in->input, stdin);
        if (in->filled == 0) return EOF;
    }
    in->at += 1;
    return in->input[in->next++];
}
/* Puts back the character that topsim_get has just returned. */
static inline void topsim_unget(topsim_reader *in, int c) {
    if (c == EOF) return;
    in->at -= 1;
    in->next -= 1;
}
/* Returns the next character that is not blank without consuming it. */
static inline int topsim_peek(topsim_reader *in) {
    int c = topsim_get(in);
    while (c == ' ' || c == '\t' || c == '\r' || c == '\n') c = topsim_get(in);
    topsim_unget(in, c);
    return c;
}
static inline void topsim_expect(topsim_reader *in, char wanted) {
    topsim_peek(in);
    if (topsim_get(in) != wanted) topsim_fail("byte %zu is no JSON: no `%c`", in->at, wanted);
}
/* Returns 1 if another item follows; consumes the comma before it, or the end. */
static inline int topsim_more(topsim_reader *in, int first, char end) {
    int ended = topsim_peek(in) == end;
    if (ended) topsim_get(in);
    else if (!first) topsim_expect(in, ',');
    return !ended;
}

/* Reads a string. An escaped character becomes `?`, because no known key or word has any. */
static inline void topsim_string(topsim_reader *in) {
    size_t length = 0;
    topsim_expect(in, '"');
    for (int c = topsim_get(in); c != '"'; c = topsim_get(in)) {
        if (c == '\\') c = topsim_get(in) == EOF ? EOF : '?';
        if (c == EOF) topsim_fail("byte %zu is no JSON: a string has no end", in->at);
        if (length + 1 < sizeof in->text) in->text[length++] = (char)c;
    }
    in->text[length] = '\0';
}

static inline void topsim_keep(topsim_field *field, double number) {
    if (field->found == field->size) {
        if (!field->list) topsim_fail("`%s` has more than %zu numbers", field->key, field->size);
        size_t size = field->size ? 2 * field->size : 256;
        double *list = NULL;
        if (size <= SIZE_MAX / 2 / sizeof *list) {
            list = (double *)realloc(*field->list, size * sizeof *list);
        }
        if (!list) topsim_fail("no memory for %zu numbers of `%s`", size, field->key);
        *field->list = list;
        field->size = size;
    }
    (field->list ? *field->list : field->to)[field->found++] = number;
}

static inline void topsim_number(topsim_reader *in, topsim_field *field) {
    char text[64], *end;
    size_t length = 0;
    int c = topsim_get(in);
    while ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E') {
        if (length + 1 == sizeof text) topsim_fail("byte %zu: the number is too long", in->at);
        text[length++] = (char)c;
        c = topsim_get(in);
    }
    topsim_unget(in, c);
    text[length] = '\0';
    double number = strtod(text, &end);
    if (length == 0 || *end != '\0' || !isfinite(number)) {
        topsim_fail("byte %zu is no JSON: no number `%s`", in->at, text);
    }
    if (field) topsim_keep(field, number);
}

static inline void topsim_value(topsim_reader *in, topsim_field *field, int depth) {
    static const char *const words[TOPSIM_WORDS] = {"case", "torque.model", "torque.frame",
                                                    "torque.interpolation"};
    int c = topsim_peek(in);
    if (depth == 0) topsim_fail("byte %zu: too many levels of brackets", in->at);
    if (c == '{') {
        size_t length = strlen(in->key);
        topsim_get(in);
        for (int first = 1; topsim_more(in, first, '}'); first = 0) {
            topsim_string(in);
            snprintf(in->key + length, sizeof in->key - length, "%s%s", length ? "." : "", in->text);
            topsim_expect(in, ':');
            if (strcmp(in->key, "rate") == 0) in->given_rate = topsim_peek(in) == '{';
            topsim_field *known = NULL;
            for (size_t i = 0; i < in->count; ++i) {
                if (strcmp(in->key, in->fields[i].key) == 0) known = &in->fields[i];
            }
            topsim_value(in, known, depth - 1);
            in->key[length] = '\0';
        }
    } else if (c == '[') {
        topsim_get(in);
        for (int first = 1; topsim_more(in, first, ']'); first = 0) topsim_value(in, field, depth - 1);
    } else if (c == '"') {
        topsim_string(in);
        for (int i = 0; i < TOPSIM_WORDS; ++i) {
            if (strcmp(in->key, words[i]) == 0) memcpy(in->words[i], in->text, sizeof in->text);
        }
    } else if (c >= 'a' && c <= 'z') { /* null, true and false count as a missing key */
        while (c >= 'a' && c <= 'z') c = topsim_get(in);
        topsim_unget(in, c);
    } else {
        topsim_number(in, field);
    }
}

/* Returns the index of a word among the names, or their count if it is none of them. */
static inline int topsim_choice(const char *word, const char *const *names, int count) {
    int i = 0;
    while (i < count && strcmp(word, names[i]) != 0) ++i;
    return i;
}

static inline void topsim_invert(const double m[9], double inverse[9]) {
    double det = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double *next = m + 3 * ((i + 1) % 3), *after = m + 3 * ((i + 2) % 3);
            int k = (j + 1) % 3, l = (j + 2) % 3;
            inverse[3 * j + i] = next[k] * after[l] - next[l] * after[k];
        }
        det += m[i] * inverse[3 * i];
    }
    if (!(det > 0.0)) topsim_fail("`body.inertia` has the determinant %g", det);
    for (int i = 0; i < 9; ++i) inverse[i] /= det;
}

/* Reads the next problem, which is valid until the next call; returns NULL at the end of the input. */
static inline topsim_problem *topsim_next(void) {
    static const char *const models[] = {
        "none",    "gravity", "constant", "sin2_pulse", "table",          "two_well", "loaded_gravity",
        "in_time", "damping", "gyrostat", "wheels", "axis_damping", "breathing", "gravity_gradient"};
    static const char *const frames[] = {"body", "space"}, *const betweens[] = {"linear", "hold"};
    static topsim_problem p;
    static topsim_reader in;
    static size_t number = 0;
    topsim_law *law = &p.torque;
    double protocol = 0.0, steps = 0.0;
    const unsigned gyrostat = 1u << TOPSIM_GYROSTAT, in_time = 1u << TOPSIM_IN_TIME;
    const unsigned wheels = 1u << TOPSIM_WHEELS, axes = 1u << TOPSIM_AXIS_DAMPING;
    const unsigned series = in_time | gyrostat | axes;
    const unsigned damping = 1u << TOPSIM_DAMPING, breathing = 1u << TOPSIM_BREATHING;
    const unsigned orbit = 1u << TOPSIM_GRAVITY_GRADIENT, all = ~0u;
    const unsigned gravity = 1u << TOPSIM_GRAVITY | 1u << TOPSIM_LOADED_GRAVITY | gyrostat;
    const unsigned constant = 1u << TOPSIM_CONSTANT | 1u << TOPSIM_LOADED_GRAVITY;
    const unsigned pulse = 1u << TOPSIM_SIN2_PULSE, well = 1u << TOPSIM_TWO_WELL;
    const unsigned table = 1u << TOPSIM_TABLE, framed = constant | pulse | table | in_time;
    topsim_field fields[] = {
        {"times", all, NULL, &p.times, 0, 0},
        {"torque.times", table | wheels, NULL, &law->times, 0, 0},
        {"torque.torques", table, NULL, &law->torques, 0, 0},
        {"torque.polynomial", 0, NULL, &law->polynomial, 0, 0},
        {"torque.amplitudes", 0, NULL, &law->amplitudes, 0, 0},
        {"torque.rates", 0, NULL, &law->rates, 0, 0},
        {"torque.phases", 0, NULL, &law->phases, 0, 0},
        {"torque.momenta", wheels, NULL, &law->momenta, 0, 0},
        {"torque.medium", axes, law->medium, NULL, 3, 0},
        {"torque.linear", damping, &law->linear, NULL, 1, 0},
        {"torque.quadratic", damping, &law->quadratic, NULL, 1, 0},
        {"torque.phase", breathing, &law->phase, NULL, 1, 0},
        {"torque.radial", orbit, law->radial, NULL, 3, 0},
        {"torque.normal", orbit, law->normal, NULL, 3, 0},
        {"protocol", all, &protocol, NULL, 1, 0},
        {"body.inertia", all, p.inertia, NULL, 9, 0},
        {"body.principal.moments", all, p.moments, NULL, 3, 0},
        {"body.principal.quaternion", all, p.axes, NULL, 4, 0},
        {"initial.quaternion", all, p.quaternion, NULL, 4, 0},
        {"initial.matrix", all, p.matrix, NULL, 9, 0},
        {"initial.angular_velocity_body", all, p.rate, NULL, 3, 0},
        {"start", all, &p.start, NULL, 1, 0},
        {"end", all, &p.end, NULL, 1, 0},
        {"step", all, &p.step, NULL, 1, 0},
        {"steps", all, &steps, NULL, 1, 0},
        {"torque.weight", gravity, &law->weight, NULL, 1, 0},
        {"torque.lever", gravity, law->lever, NULL, 3, 0},
        {"torque.up", gravity, law->up, NULL, 3, 0},
        {"torque.torque", constant, law->torque, NULL, 3, 0},
        {"torque.amplitude", pulse, law->amplitude, NULL, 3, 0},
        {"torque.rate", pulse | breathing | orbit, &law->rate, NULL, 1, 0},
        {"torque.from", pulse, &law->from, NULL, 1, 0},
        {"torque.until", pulse, &law->until, NULL, 1, 0},
        {"torque.rest", well, &law->rest, NULL, 1, 0},
        {"torque.pull", well, &law->pull, NULL, 1, 0},
        {"torque.magnet", well, law->magnet, NULL, 9, 0},
    };
    const size_t count = sizeof fields / sizeof fields[0];

    setlocale(LC_NUMERIC, "C"); /* decimal points, whatever locale the program has set */
    if (p.written != p.rows) {
        topsim_fail("`%s`: the solver wrote %zu of the %zu rows wanted", p.name, p.written, p.rows);
    }
    free(p.times), free(law->times), free(law->torques), free(law->momenta);
    free(law->polynomial), free(law->amplitudes), free(law->rates), free(law->phases);
    memset(&p, 0, sizeof p);
    memset(in.words, 0, sizeof in.words);
    in.fields = fields, in.count = count, in.given_rate = 0;
    if (topsim_peek(&in) == EOF) {
        if (number == 0) topsim_fail("no problem on standard input; `topsim judge` writes it");
        if (fflush(stdout) == EOF) topsim_fail("cannot write the rows");
        return NULL;
    }
    if (topsim_peek(&in) != '{') topsim_expect(&in, '{');
    topsim_value(&in, NULL, 32);
    memcpy(p.name, in.words[TOPSIM_CASE], sizeof p.name);
    p.number = number++;

    if (protocol != 1.0 && protocol != 2.0) topsim_fail("protocol %g, known are 1 and 2", protocol);
    if (in.given_rate) topsim_skip("the problem gives a rate and no body; topsim_solver.h reads bodies");
    int model = topsim_choice(in.words[TOPSIM_MODEL], models, TOPSIM_MODELS);
    if (model == TOPSIM_MODELS) {
        snprintf(in.text, sizeof in.text, "topsim_solver.h knows no torque `%.24s`",
                 in.words[TOPSIM_MODEL]);
        topsim_skip(in.text);
    }
    law->model = (topsim_model)model;
    for (size_t i = 0; i < count; ++i) {
        const topsim_field *f = &fields[i];
        int whole = f->list ? f->found > 0 : f->found == f->size;
        if ((f->models >> model & 1u) && !whole) {
            topsim_fail("`%s` has %zu numbers, too few", f->key, f->found);
        }
    }
    p.steps = steps >= 0.0 && steps < 9e15 ? (size_t)steps : 0;
    if ((double)p.steps != steps) topsim_fail("`steps` is %g", steps);
    if (!(p.step > 0.0)) topsim_fail("`step` is %g", p.step);
    p.rows = fields[0].found;
    for (size_t i = 0; i < p.rows; ++i) {
        if (i == 0 ? p.times[0] != p.start : !(p.times[i] > p.times[i - 1])) {
            topsim_fail("`times` is out of order at row %zu", i + 1);
        }
    }
    if ((p.times[p.rows - 1] - p.start) / p.step >= steps + 0.5) {
        topsim_fail("`times` goes beyond the last step");
    }
    topsim_invert(p.inertia, p.inertia_inverse);
    if (framed >> model & 1u) {
        law->in_space = topsim_choice(in.words[TOPSIM_FRAME], frames, 2);
        if (law->in_space == 2) topsim_fail("`torque.frame` is neither body nor space");
    }
    if (series >> model & 1u) {
        size_t sines = fields[5].found;
        law->powers = fields[3].found / 3, law->sines = sines;
        if (fields[4].found != 3 * sines || fields[6].found != sines) {
            topsim_fail("`torque.amplitudes`, `torque.rates` and `torque.phases` do not fit");
        }
    }
    if (model == TOPSIM_WHEELS) {
        law->rows = fields[1].found;
        if (fields[7].found != 3 * law->rows) {
            topsim_fail("wheels with %zu times and %zu numbers", law->rows, fields[7].found);
        }
    }
    if (model == TOPSIM_TABLE) {
        law->rows = fields[1].found;
        law->hold = topsim_choice(in.words[TOPSIM_INTERPOLATION], betweens, 2);
        if (law->hold == 2) topsim_fail("`torque.interpolation` is neither linear nor hold");
        if (fields[2].found / 3 != law->rows || fields[2].found % 3 != 0) {
            topsim_fail("a table of %zu times and %zu numbers", law->rows, fields[2].found);
        }
    }
    for (size_t i = 1; i < law->rows; ++i) {
        if (!(law->times[i] > law->times[i - 1])) topsim_fail("`torque.times` must increase");
    }
    return &p;
}

#endif
