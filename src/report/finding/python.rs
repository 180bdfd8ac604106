//! The shortest Python program that shows a finding.

use super::words::{numbers, problem, sentence};
use topsim_core::math::Mat3;
use topsim_judge::hunt::{Finding, HuntClaim};
use topsim_judge::protocol::ProblemForm;

pub(super) fn text(finding: &Finding) -> Option<String> {
    let p = &finding.problem;
    let json = |p: &topsim_judge::hunt::Point| {
        Some(
            ProblemForm::Json
                .write(&p.posed()?)
                .trim_end()
                .replace('\\', "\\\\")
                .replace('\'', "\\'"),
        )
    };
    let head = format!(
        "\"\"\"{}: {}.\n\n{}.\nFound by topsim hunt {}, seed {}. Run: python3 reproduce.py \"the command of your solver\",\nor put \
         your own integrator into solve().\n\"\"\"\nimport csv\nimport json\nimport math\nimport shlex\nimport subprocess\nimport sys\n",
        finding.id,
        sentence(finding),
        problem(p),
        finding.topsim,
        finding.seed
    );
    let shown = match p.compared(finding.claim) {
        Some((image, by)) => format!(
            "IMAGE = json.loads('{}')\n{SOLVE}\n\nsteps = PROBLEM[\"steps\"]\n(R, W), (R2, W2) = solve(PROBLEM, steps), solve(IMAGE, steps)\n\
             rate = max(abs(a/{by:?} - b) for a, b in zip(W2, W)) / max(map(abs, W))\n\
             attitude = max(abs(a - b) for a, b in zip(R2, R))\n\
             print(f\"the same motion twice: attitudes differ by {{attitude:.2e}}, rates by {{rate:.2e}} (allowed {:.0e})\")\n\
             sys.exit(not max(attitude, rate) <= {:?})\n",
            json(&image)?,
            finding.allowed,
            finding.allowed,
        ),
        None => of_claim(finding)?,
    };
    Some(format!(
        "{head}\nPROBLEM = json.loads('{}')\n{shown}",
        json(p)?
    ))
}

fn of_claim(finding: &Finding) -> Option<String> {
    let p = &finding.problem;
    let tensor = p.inertia()?;
    match finding.claim {
        HuntClaim::Momentum | HuntClaim::Energy => Some(format!(
            "J = {}\n{SOLVE}\n{KEPT}\n\nfirst = kept([x for row in PROBLEM[\"initial\"][\"matrix\"] for x in row], \
             PROBLEM[\"initial\"][\"angular_velocity_body\"])\n\
             last = kept(*solve(PROBLEM, PROBLEM[\"steps\"]))\n\
             worst = max(abs(a - b) for a, b in zip(first, last)) / max(map(abs, first))\n\
             print(f\"{}: {{first}} at the start, {{last}} at the end, {{worst:.2e}} off (allowed {:.0e})\")\n\
             sys.exit(not worst <= {:?})\n",
            matrix(tensor.tensor()),
            finding.claim.id(),
            finding.allowed,
            finding.allowed,
            KEPT = if finding.claim == HuntClaim::Momentum {
                MOMENTUM.to_owned()
            } else {
                ENERGY
                    .replace("WEIGHT", &format!("{:?}", p.weight))
                    .replace("LEVER", &numbers(p.arm().as_slice()))
            },
        )),
        _ => {
            let exact = p.exact()?;
            Some(format!(
                "R_EXACT = {}\nW_EXACT = {}  # at the end, by the closed form\n{SOLVE}\n\n{LADDER}",
                numbers(exact.att.transpose().as_slice()),
                numbers(exact.omega.as_slice()),
            ))
        }
    }
}

fn matrix(m: &Mat3) -> String {
    let rows = (0..3).map(|i| numbers(&[0, 1, 2].map(|j| m[(i, j)])));
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}

/// Has the problem solved with so many steps; the attitude row by row, and the body rate.
const SOLVE: &str = "

def solve(problem, n):
    \"\"\"Attitude, row by row, and body rate at the end, after n steps: of the solver's last row.\"\"\"
    h = problem[\"end\"] / n
    problem = {**problem, \"step\": h, \"steps\": n, \"times\": [k*h for k in range(n + 1)]}
    made = subprocess.run(shlex.split(sys.argv[1]), input=json.dumps(problem, separators=(\",\", \":\")) + \"\\n\", stdout=subprocess.PIPE, text=True)
    rows = [line for line in made.stdout.splitlines() if not line.startswith(\"#\")]
    last = {k.strip(): float(x) for k, x in list(csv.DictReader(rows))[-1].items()}
    if \"R11\" in last:
        R = [last[f\"R{i}{j}\"] for i in \"123\" for j in \"123\"]
    else:
        w, x, y, z = (last[\"q\" + c] / sum(last[\"q\" + d]**2 for d in \"wxyz\")**0.5 for c in \"wxyz\")
        R = [1 - 2*(y*y + z*z), 2*(x*y - w*z), 2*(x*z + w*y), 2*(x*y + w*z), 1 - 2*(x*x + z*z), 2*(y*z - w*x),
             2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y)]
    if \"W1\" in last:
        return R, [last[\"W1\"], last[\"W2\"], last[\"W3\"]]
    space = [last[\"omega_\" + c] for c in \"xyz\"]
    return R, [sum(R[3*i + j] * space[i] for i in range(3)) for j in range(3)]
";

const LADDER: &str = "print(\"steps  error of the attitude (rad)  of the rate (relative)\")
for n in (PROBLEM[\"steps\"] * 2**k for k in range(7)):
    R, W = solve(PROBLEM, n)
    chord = sum((a - b)**2 for a, b in zip(R, R_EXACT))**0.5
    attitude = 2*math.asin(min(1, chord / 8**0.5))  # the angle between the two
    rate = sum((a - b)**2 for a, b in zip(W, W_EXACT))**0.5 / sum(b*b for b in W_EXACT)**0.5
    print(f\"{n:5}  {attitude:.3e}                {rate:.3e}\")
";

const MOMENTUM: &str = "
def kept(R, W):
    \"\"\"Angular momentum in space.\"\"\"
    L = [sum(J[i][j]*W[j] for j in range(3)) for i in range(3)]
    return [sum(R[3*i + j]*L[j] for j in range(3)) for i in range(3)]
";

const ENERGY: &str = "
def kept(R, W):
    \"\"\"Energy: of the rotation, and of the weight.\"\"\"
    return [sum(0.5*W[i]*J[i][j]*W[j] for i in range(3) for j in range(3)) + WEIGHT*sum(R[6 + j]*LEVER[j] for j in range(3))]
";
