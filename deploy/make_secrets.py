"""Makes the secrets of compose.cluster.yaml: `python deploy/make_secrets.py`. What is there already stays as it is.

The directory can be entered by its owner alone. The files in it can be read by all who get that far: containers, whose
programs are other users, are handed single files of it.
"""

import argparse
import secrets
from pathlib import Path


def made() -> dict[str, str]:
    """Return each file with its content."""
    database, bus, grafana = (secrets.token_urlsafe(24) for _ in range(3))
    return {
        "database_password": database,
        "store": f"postgresql://conquest:{database}@postgres/conquest",
        "bus": f"nats://conquest:{bus}@nats:4222",
        "nats.conf": f'port: 4222\nhttp: "127.0.0.1:8222"\nauthorization {{ user: conquest, password: "{bus}" }}\n',
        "grafana_password": grafana,
    }


def main() -> int:
    """Write them; those that belong together are made together or not at all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=Path(__file__).with_name("secrets"), metavar="DIR")
    directory = parser.parse_args().into
    directory.mkdir(mode=0o700, exist_ok=True)
    files = made()
    if any((directory / name).exists() for name in files):
        print(f"{directory} has secrets already; nothing was changed.")
        return 1
    for name, content in files.items():
        (directory / name).write_text(content)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
