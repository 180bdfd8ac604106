"""Runs a solver for topsim and keeps each question with a digest of the answer: recorded.py FOLDER COMMAND…

`recorded.py --again FOLDER COMMAND…` asks a solver all of that once more, and ends with 1 where it gives other bytes. topsim says the same of the
same answers, so that a solver which repeats them need not be judged twice.
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

PIECE = 1 << 16


def answer(command, question, take=lambda piece: None):
    """Returns digest and exit status of a solver's answer to a file; `take` gets the answer in pieces, as they come."""
    with question.open("rb") as asked:
        solver = subprocess.Popen(command, stdin=asked, stdout=subprocess.PIPE)
    digest = hashlib.sha256()
    with solver.stdout as out:
        for piece in iter(lambda: out.read1(PIECE), b""):
            digest.update(piece)
            take(piece)
    return f"{digest.hexdigest()} {solver.wait()}"


def again(folder, command):
    """Returns whether a solver answers all questions of a folder with the bytes that it gave before."""
    questions = sorted(folder.glob("*.json"))
    answered = lambda path: path.with_suffix(".answer").exists() and path.with_suffix(".answer").read_text()
    return bool(questions) and all(answered(path) == answer(command, path) for path in questions)


def main():
    if sys.argv[1] == "--again":
        sys.exit(not again(pathlib.Path(sys.argv[2]), sys.argv[3:]))
    folder, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(".json", dir=folder)
    question = pathlib.Path(name)
    with open(handle, "wb") as kept:
        kept.write(sys.stdin.buffer.read())

    def give(piece):
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()

    # A question that topsim does not hear to the end keeps no answer, and is none that can be compared.
    told = answer(command, question, give)
    question.with_suffix(".answer").write_text(told)
    status = int(told.split()[1])
    if status < 0:
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    main()
