// Survivors of the Levitron in the windows of figure 1 of Dullin 2004, and its energy over 1e5 steps, by an independent program: the
// plain series of the potential with derivatives D_k by recurrence, Rodrigues' rotation with libm's sine and cosine, the kicks and
// drifts of Strang's splitting and of Blanes & Moan's written out. The numbers are those of expected/levitron_{spin_scan,fig1a,fig1b,long}.toml.
//
//     cc -O3 scripts/levitron_survivors.c -lm -o survivors
//     ./survivors SPIN H T N [SCALE]     spin in rev/s, step and time in s, N x N cells; SCALE shrinks the window
//     ./survivors fig1a | fig1b | long   40 s, 80 s, 1 s; scripts/drift_values.py reads the rows
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define J 7
static const double g = 9.81, m = .02, A = .05, mu = -9.5e-5, T1 = 1.125e-6, zs = .0312926934523295318;
static double cj[J + 1];  // (-1)^j / (4^j j!^2)

typedef struct {
  double r[3], v[3], a[3], w[3];
} State;
typedef struct {
  int drifts;
  double kick[11], drift[10];
} Scheme;
static const Scheme strang = {1, {.5, .5}, {1}}, first = {1, {1, 0}, {1}};

// Blanes & Moan 2002, tables of S6 (order 4) and S10 (order 6): half of each list, which is symmetric.
static Scheme symmetric(int drifts, const double *kick, const double *drift) {
  Scheme s = {drifts, {0}, {0}};
  int half = drifts / 2;
  double k = 1, d = .5;
  for (int i = 0; i < half; i++) s.kick[i] = s.kick[drifts - i] = kick[i], k -= 2 * kick[i];
  s.kick[half] = k;
  for (int i = 0; i < half - 1; i++) s.drift[i] = s.drift[drifts - 1 - i] = drift[i], d -= drift[i];
  s.drift[half - 1] = s.drift[half] = d;
  return s;
}
static Scheme bm4(void) {
  double k[] = {.0792036964311957, .353172906049774, -.0420650803577195}, d[] = {.209515106613362, -.143851773179818};
  return symmetric(6, k, d);
}
static Scheme bm6(void) {
  double k[] = {.0502627644003922, .413514300428344, .0450798897943977, -.188054853819569, .541960678450780};
  double d[] = {.148816447901042, -.132385865767784, .067307604692185, .432666402578175};
  return symmetric(10, k, d);
}

// Computes B and the gradient of B·a; returns B·a.
static double field(const State *y, double *B, double *G) {
  double x0 = y->r[0], x1 = y->r[1], z = y->r[2], s = x0 * x0 + x1 * x1, q2 = 1 / (z * z + A * A), D[2 * J + 3], p[J + 1];
  const double *a = y->a;
  D[1] = -2 * M_PI * A * A * q2 * sqrt(q2);
  D[2] = -3 * z * D[1] * q2;
  for (int k = 3; k <= 2 * J + 2; k++) D[k] = -((2 * k - 1) * z * D[k - 1] + k * (k - 2.) * D[k - 2]) * q2;
  p[0] = 1;
  for (int j = 1; j <= J; j++) p[j] = p[j - 1] * s;
  double Fz = 0, Fs = 0, Fsz = 0, Fss = 0, Fzz = 0;
  for (int j = J; j >= 0; j--) {
    Fz += cj[j] * p[j] * D[2 * j + 1];
    Fzz += cj[j] * p[j] * D[2 * j + 2];
    if (j >= 1) Fs += j * cj[j] * p[j - 1] * D[2 * j], Fsz += j * cj[j] * p[j - 1] * D[2 * j + 1];
    if (j >= 2) Fss += j * (j - 1) * cj[j] * p[j - 2] * D[2 * j];
  }
  double q = x0 * a[0] + x1 * a[1];
  B[0] = -2 * x0 * Fs, B[1] = -2 * x1 * Fs, B[2] = -Fz;
  G[0] = -2 * Fs * a[0] - 4 * x0 * Fss * q - 2 * x0 * Fsz * a[2];
  G[1] = -2 * Fs * a[1] - 4 * x1 * Fss * q - 2 * x1 * Fsz * a[2];
  G[2] = -2 * Fsz * q - Fzz * a[2];
  return B[0] * a[0] + B[1] * a[1] + B[2] * a[2];
}

static void kick(double t, State *y, const double *B, const double *G) {
  for (int i = 0; i < 3; i++) y->v[i] += t * (mu * G[i] / m - (i == 2 ? g : 0));
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    y->w[i] += t * mu / T1 * (y->a[j] * B[k] - y->a[k] * B[j]);
  }
}

static void drift(double t, State *y) {
  double *a = y->a, *w = y->w, b[3];
  for (int i = 0; i < 3; i++) y->r[i] += t * y->v[i];
  double n = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  double e[3] = {w[0] / n, w[1] / n, w[2] / n}, c = cos(n * t), s = sin(n * t);
  double d = e[0] * a[0] + e[1] * a[1] + e[2] * a[2];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    b[i] = c * a[i] + s * (e[j] * a[k] - e[k] * a[j]) + (1 - c) * d * e[i];
  }
  for (int i = 0; i < 3; i++) a[i] = b[i];
}

static void step(const Scheme *s, double h, State *y, double *B, double *G) {
  if (s->kick[0] != 0) kick(s->kick[0] * h, y, B, G);
  for (int i = 0; i < s->drifts; i++) {
    drift(s->drift[i] * h, y);
    field(y, B, G);
    kick(s->kick[i + 1] * h, y, B, G);
  }
}

static State start(double spin, double x, double z) {
  return (State){{x, 0, zs + z}, {0}, {0, 0, 1}, {0, 0, spin * 2 * M_PI * 2}};
}

// Returns the step after which the top is farther than zs from the equilibrium; -1 if it never is.
static long escape(const Scheme *s, double h, long steps, State y) {
  double B[3], G[3];
  field(&y, B, G);
  for (long n = 1; n <= steps; n++) {
    step(s, h, &y, B, G);
    if (!(y.r[0] * y.r[0] + y.r[1] * y.r[1] + (y.r[2] - zs) * (y.r[2] - zs) <= zs * zs)) return n;
  }
  return -1;
}

static int by_size(const void *a, const void *b) { return (*(long *)a > *(long *)b) - (*(long *)a < *(long *)b); }

// Prints the survivors of N x N cells, and quantiles (as numpy's) of the escape times of the others.
static int map(const Scheme *s, double h, double T, int N, const double *x, const double *z, double spin, double *quantiles) {
  long *out = malloc(sizeof(long) * N * N), count = 0, steps = lround(T / h);
  for (int iz = 0; iz < N; iz++)
    for (int ix = 0; ix < N; ix++) {
      long n = escape(s, h, steps, start(spin, x[0] + (x[1] - x[0]) * (ix + .5) / N, z[0] + (z[1] - z[0]) * (iz + .5) / N));
      if (n >= 0) out[count++] = n;
    }
  qsort(out, count, sizeof(long), by_size);
  const double p[] = {.05, .25, .5, .75, .95};
  for (int i = 0; quantiles && i < 5; i++) {
    double place = p[i] * (count - 1);
    long k = (long)place, next = k + 1 < count ? k + 1 : k;
    quantiles[i] = h * (out[k] + (place - k) * (out[next] - out[k]));
  }
  free(out);
  return N * N - count;
}

static void figure(double T, int N, const double *x, const double *z, int probes, const double (*probe)[2]) {
  const char *name[] = {"q05", "q25", "q50", "q75", "q95"};
  double q[5], h = .002;
  printf("survivors %d\n", map(&strang, h, T, N, x, z, 20, q));
  for (int i = 0; i < 5; i++) printf("%s %.9g\n", name[i], q[i]);
  for (int i = 0; i < probes; i++) {
    long n = escape(&strang, h, lround(T / h), start(20, probe[i][0], probe[i][1]));
    printf("escape_steps(%g,%g) %ld\n", probe[i][0], probe[i][1], n);
    if (n >= 0) printf("escape_time(%g,%g) %.9g\n", probe[i][0], probe[i][1], n * h);
  }
}

// Returns the largest |H - H(0)| over all steps.
static void energy(const char *name, Scheme s) {
  State y = start(20, .003, .001);
  double B[3], G[3], zero = 0, worst = 0;
  for (int n = 0; n <= 100000; n++) {
    double along = n ? 0 : field(&y, B, G);
    if (n) step(&s, .002, &y, B, G), along = field(&y, B, G);
    double H = m * g * y.r[2] - mu * along;
    for (int i = 0; i < 3; i++) H += .5 * m * y.v[i] * y.v[i] + .5 * T1 * y.w[i] * y.w[i];
    if (n == 0) zero = H;
    worst = fmax(worst, fabs(H - zero));
  }
  printf("%s %.9g\n", name, worst);
}

int main(int count, char **word) {
  cj[0] = 1;
  for (int j = 1; j <= J; j++) cj[j] = -cj[j - 1] / (4. * j * j);
  if (count == 2 && !strcmp(word[1], "fig1a")) {
    double x[] = {0, .012}, z[] = {-.01, .01}, p[][2] = {{.012, 0}, {.008, 0}, {.005, .005}, {.004, 0}, {.001, -.007}};
    figure(20, 300, x, z, 5, p);
    Scheme s = bm6();
    return printf("fraction %.9g\n", map(&s, .016, 20, 300, x, z, 20, NULL) / 90000.), 0;
  }
  if (count == 2 && !strcmp(word[1], "fig1b")) {
    double x[] = {.0008, .0048}, z[] = {-.0055, -.0015}, p[][2] = {{.001, 0}, {.003, 0}, {.002, -.004}};
    return figure(100, 150, x, z, 3, p), 0;
  }
  if (count == 2 && !strcmp(word[1], "long")) {
    energy("poisson_first", first), energy("poisson_strang", strang);
    return energy("poisson_bm4", bm4()), energy("poisson_bm6", bm6()), 0;
  }
  if (count < 5) return fprintf(stderr, "usage: survivors SPIN H T N [SCALE] | fig1a | fig1b | long\n"), 2;
  double scale = count > 5 ? atof(word[5]) : 1, x[] = {0, scale * .012}, z[] = {-scale * .01, scale * .01};
  double sigma = atof(word[1]), h = atof(word[2]), T = atof(word[3]);
  int N = atoi(word[4]);
  printf("sigma %g h %g T %g N %d survivors %d\n", sigma, h, T, N, map(&strang, h, T, N, x, z, sigma, NULL));
}
