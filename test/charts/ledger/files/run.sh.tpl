#!/bin/sh
# {{ .task }}: found beside the container's own files, or where the machine has it.
set -eu
PROGRAM="${LEDGER_PROGRAM:-/program/main.mjs}"
exec node "${PROGRAM}" {{ .task }}
