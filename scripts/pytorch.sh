#!/bin/sh
# Installs PyTorch into .venv for the tests of learning, as the build for processors: the one with CUDA takes gigabytes.
# Where the registry offers only that one for this Python, PyTorch is left out, and so are those tests. Then
# PYTORCH=any takes what there is, and PIP_EXTRA_INDEX_URL may name a registry that has the build for processors.
set -eu
python=.venv/bin/python
wanted=torch

pip() {
    "$python" -m pip --disable-pip-version-check install -qq -c requirements/constraints.txt "$@"
}

# What pip would take says what it needs: asked without fetching it.
heavy='import json, sys
found = json.load(sys.stdin)["install"]
sys.exit(not any(need.startswith(("cuda", "nvidia")) for one in found for need in one["metadata"].get("requires_dist", ())))'

if [ "${PYTORCH:-}" != any ] && pip --dry-run --no-deps --report - "$wanted" | "$python" -c "$heavy"; then
    echo "othellier: only PyTorch with CUDA is offered for this Python: it is left out, with the tests of learning." \
        "PYTORCH=any installs it." >&2
else
    pip "$wanted"
fi
