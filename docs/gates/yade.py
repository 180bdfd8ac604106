"""Yade's check of aspherical rotation: the relative error of the body rate after 0.7 s, against the closed form."""
import math
import sys

from motion import rows

ix, iy, iz = 0.5*7750*math.pi*0.05**4*0.15, *[7750*math.pi*0.05**2*0.15*(0.15**2/12 + 0.05**2/4)]*2
tx, (wx0, wy0, wz0) = 0.025, (0.3, -0.9, 0.6)


def closed_form(t):
    a, b = (ix - iy)*(iz - ix)/(iy*iz), iy/(iz - ix)
    root = math.sqrt(-a)
    eta = ix*root/(2*tx)
    c = 2*tx*b/ix*eta
    k1 = (c*wy0*math.cos(eta*wx0**2) - wz0*math.sin(eta*wx0**2))/c
    k2 = (c*wy0*math.sin(eta*wx0**2) + wz0*math.cos(eta*wx0**2))/c
    wx = wx0 + tx*t/ix
    d = eta*wx**2
    return [wx, k1*math.cos(d) + k2*math.sin(d), c*(k2*math.cos(d) - k1*math.sin(d))]


t, _, rate = rows(sys.argv[1])[-1]
truth = closed_form(t)
error = math.dist(rate, truth)/math.hypot(*truth)
if not (error == 0 or math.log10(error) <= -4):
    sys.exit(f"error in aspherical algorithm too big: {error:.3g}")
