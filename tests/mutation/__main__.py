"""`python -m tests.mutation`: how many small faults the default suite notices, and which it does not."""

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from tests.mutation import run as runner

KNOWN: Final = Path(__file__).parent / "survivors.txt"
ENOUGH: Final = 0.92
DESCRIPTION: Final = f"""\
Puts small faults into a copy of the code, one at a time, and runs the tests until one fails.

At least {ENOUGH:.0%} of a sample must be noticed: else, or if the tests fail where nothing is wrong, the exit code is
1. Survivors are listed, with the reason why they do not matter where {KNOWN.name} gives one."""


def known() -> dict[str, str]:
    """Return the reasons by fault: lines of `fault # reason`."""
    lines = [line.partition(" # ") for line in KNOWN.read_text(encoding="utf-8").splitlines()] if KNOWN.exists() else []
    return {fault: reason for fault, sharp, reason in lines if sharp}


def main() -> int:
    """See DESCRIPTION."""
    parser = argparse.ArgumentParser("tests.mutation", None, DESCRIPTION)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--sample", type=int, default=400, help="how many faults (default: 400)")
    parser.add_argument("--seed", type=int, default=1, help="which (default: 1)")
    parser.add_argument("--only", default="", help="only files whose path contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at once (default: one a core)")
    parser.add_argument("--trust", action="store_true", help="do not run the tests without any fault first")
    parser.add_argument("--near", action="store_true", help="ask only the tests that stand nearest")
    args = parser.parse_args()
    faults = runner.sample(args.sample, args.seed, args.only)
    asked = {test for fault in faults for tests in runner.tests_of(fault.path)[1:] for test in tests}
    if not args.trust and not runner.is_sound(sorted(asked)):
        print("The tests fail without any fault: mend that first.", file=sys.stderr)
        return 1
    survivors = []
    for n, finding in enumerate(runner.run(faults, args.jobs, not args.near), 1):
        print(f"{n:4} {finding.verdict:9}{finding.seconds:6.1f} s  {finding.fault.path}:{finding.fault.line}  "
              f"{finding.fault.before} -> {finding.fault.after}  {finding.by}", flush=True)  # fmt: skip
        if finding.verdict == "survived":
            survivors.append(finding.fault)
    reasons = known()
    noticed = 1 - len(survivors) / len(faults)
    print(f"\n{noticed:.1%} of {len(faults)} faults were noticed (seed {args.seed}). Survivors:")
    for fault in survivors:
        print(f"{fault.key} # {reasons.get(fault.key, '?')}")
    return 0 if noticed >= ENOUGH else 1


if __name__ == "__main__":
    sys.exit(main())
