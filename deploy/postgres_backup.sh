#!/bin/sh
# Back up a PostgreSQL store while servers use it, and restore it.
#   postgres_backup.sh backup  URL FILE    copy all matches and profiles as of one moment;
#   postgres_backup.sh restore URL FILE    restore into an empty database that no server uses; all of it or nothing
# URL as for --store. It needs pg_dump and pg_restore, of the server's version or a later one.
set -eu
umask 077  # A backup holds keys, hidden cards and the secret of the dice.
fail() { echo "postgres_backup.sh: $1" >&2; exit 2; }
[ $# -eq 3 ] || fail "usage: postgres_backup.sh backup URL FILE, or: postgres_backup.sh restore URL FILE"
case "$1" in
backup)
    [ ! -e "$3" ] || fail "$3 exists already; give another name"
    # Heartbeats of servers are useless in another database.
    pg_dump --format=custom --no-owner --no-privileges --exclude-table-data='*.nodes' --file="$3.part" "$2"
    pg_restore --list "$3.part" >/dev/null
    mv "$3.part" "$3"
    ;;
restore)
    [ -f "$3" ] || fail "$3 does not exist"
    pg_restore --no-owner --no-privileges --exit-on-error --single-transaction --dbname="$2" "$3"
    ;;
*) fail "the first argument must be backup or restore, not $1" ;;
esac
