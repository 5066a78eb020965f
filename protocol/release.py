"""Version of the installed distribution."""

from importlib import metadata


def release() -> str:
    """Return the version, such as "0.2.0", or "(not installed)" in a folder without an installed package."""
    try:
        return metadata.version("conquest-empire")
    except metadata.PackageNotFoundError:
        return "(not installed)"
