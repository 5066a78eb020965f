#!/bin/sh
# Copies of a PostgreSQL store, while servers use it, and the way back.
#   postgres_backup.sh backup  URL FILE    all matches and profiles as they are at one moment
#   postgres_backup.sh restore URL FILE    into an empty database that no server uses; all of it or nothing
# URL as for --store. It needs pg_dump and pg_restore, of the server's version or a later one.
set -eu
umask 077  # A backup holds keys, hidden cards and the secret of the dice.
fail() { echo "postgres_backup.sh: $1" >&2; exit 2; }
[ $# -eq 3 ] || fail "say: backup URL FILE, or: restore URL FILE"
case "$1" in
backup)
    [ ! -e "$3" ] || fail "there is a $3 already"
    # Which servers live is of no use elsewhere.
    pg_dump --format=custom --no-owner --no-privileges --exclude-table-data='*.nodes' --file="$3.part" "$2"
    pg_restore --list "$3.part" >/dev/null
    mv "$3.part" "$3"
    ;;
restore)
    [ -f "$3" ] || fail "there is no $3"
    pg_restore --no-owner --no-privileges --exit-on-error --single-transaction --dbname="$2" "$3"
    ;;
*) fail "say backup or restore, not $1" ;;
esac
