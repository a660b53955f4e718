#!/usr/bin/env bash
# Judges our blocks and receipts with CometBFT's own Go packages, version pinned in go.mod.
#
#   test/go/run.sh              two chains made for the purpose: a sample, and one of several validators with every kind of governance
#   test/go/run.sh DATA_DIR     the chain of a stopped server
#
# Needs Go and, the first time, its module proxy; so it is no part of `npm test`.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

if [ $# -eq 0 ]; then
  export CHAIN_IS_SAMPLE=1 GOVERNED_CHAIN_FILE="$scratch/governed.jsonl"
  "$root/node_modules/.bin/node" "$root/test/engine/export-blocks.ts" "$GOVERNED_CHAIN_FILE" --governed
fi
"$root/node_modules/.bin/node" "$root/test/engine/export-blocks.ts" "$scratch/chain.jsonl" "$@"
"$root/node_modules/.bin/node" "$root/test/receipts/export.ts" "$scratch/receipts.jsonl"
cd "$here"
RECEIPTS_FILE="$scratch/receipts.jsonl" CHAIN_FILE="$scratch/chain.jsonl" go test -count=1 -v ./...
