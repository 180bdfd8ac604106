#!/usr/bin/env python3
"""Reads files of `export.py --format usda` back with OpenUSD's own mass properties.

    pip install usd-core numpy
    topsim judge judge_top --problem > problem.json
    python3 scripts/adapters/export.py problem.json --format usda
    python3 scripts/adapters/usd_check.py problem.json models/judge_top_*.usda

Prints how far the inertia of each file is from the case's, and fails above 1e-6 of it: USD's masses are single precision.
"""

import json
import sys

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdPhysics


def box(prim):
    """Returns volume, inertia at density 1, and pose of a scaled unit cube, as an engine derives them from a shape."""
    pose = Gf.Transform(UsdGeom.Xformable(prim).GetLocalTransformation())
    a, b, c = pose.GetScale()
    volume = a * b * c
    told = UsdPhysics.RigidBodyAPI.MassInformation()
    told.volume = volume
    told.inertia = Gf.Matrix3f(1.0)
    told.inertia.SetDiagonal(Gf.Vec3f(*(volume / 12.0 * s for s in (b * b + c * c, c * c + a * a, a * a + b * b))))
    told.centerOfMass = Gf.Vec3f(0.0)
    told.localPos = Gf.Vec3f(pose.GetTranslation())
    told.localRot = Gf.Quatf(pose.GetRotation().GetQuat())
    return told


def inertia(path):
    """Inertia about the ball joint, or about the centre of mass without one; kg m², body frame."""
    stage = Usd.Stage.Open(path)
    body = UsdPhysics.RigidBodyAPI(stage.GetPrimAtPath("/World/body"))
    mass, moments, centre, turn = body.ComputeMassProperties(box)
    axes = np.array(Gf.Matrix3d(Gf.Quatd(turn))).T  # USD's matrices act on rows
    joint = stage.GetPrimAtPath("/World/ball")
    arm = np.array(centre) - np.array(UsdPhysics.SphericalJoint(joint).GetLocalPos1Attr().Get()) if joint else np.zeros(3)
    return axes @ np.diag(moments) @ axes.T + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))


def main():
    with open(sys.argv[1]) as file:
        wanted = np.array(json.load(file)["body"]["inertia"])
    worst = 0.0
    for path in sys.argv[2:]:
        away = np.abs(inertia(path) - wanted).max() / np.abs(wanted).max()
        worst = max(worst, away)
        print(f"{path}: {away:.1e}")
    sys.exit(not worst < 1e-6)


if __name__ == "__main__":
    main()
