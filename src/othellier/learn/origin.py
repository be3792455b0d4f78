"""What a run is made by: versions, graphics processors, the revision of the source."""

from __future__ import annotations

import subprocess
from importlib import metadata
from pathlib import Path

import torch

__all__ = ["gpus", "source_revision", "version"]


def version(name: str) -> str:
    """Of a package; empty where it was not installed but only put in the way."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def gpus() -> list[str]:
    """The names of those PyTorch can use."""
    return [torch.cuda.get_device_name(number) for number in range(torch.cuda.device_count())]


def source_revision() -> str:
    """The commit of the source, with a plus where it was changed since; empty outside a repository."""
    git = ["git", "-C", str(Path(__file__).parent)]
    try:
        commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, timeout=10, check=True)
        changes = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "."], timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return commit.stdout.strip() + ("+" if changes.returncode else "")
