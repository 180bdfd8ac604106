"""The notebook of the examples runs as it stands, and shows a page."""

import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


def test_the_notebook_runs(tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLES / "first_steps.ipynb", as_version=4)
    # Elsewhere, so that the installed package is imported and not the sources beside this folder.
    where = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=300, resources=where).execute()
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    text = "".join(o.get("text", "") for o in outputs)
    assert "a21 = 9/20 instead of 1/2" in text and "rule_changed" in text
    pages = [o for o in outputs if "text/html" in o.get("data", {})]
    assert len(pages) == 2 and all("<iframe" in p["data"]["text/html"] for p in pages)
