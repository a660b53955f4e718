#!/usr/bin/env bash
# Makes what ops/compose/single.yaml runs on: keys, a genesis file and the first partner's token, in a folder of its own.
#
#   ops/compose/make-single.sh FOLDER
#
# TXLEDGER is the command that makes them (by default that of this checkout), CHAIN_ID, CURRENCY and SUPPLY say what chain it is. Run as root it gives
# the files to the user of the image. Governors and the treasury belong on machines of their own: see docs/OPERATING.md before real money moves.
set -euo pipefail
umask 077

folder=${1:?a folder that does not exist yet}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
IMAGE_UID=65532
txledger() { ${TXLEDGER:-"$here/scripts/bin/node" "$here/server/cli/txledger.ts"} "$@"; }

mkdir -p "$(dirname "$folder")"
mkdir "$folder"
folder=$(cd "$folder" && pwd)
mkdir "$folder/data"
operator=$(txledger operator-key create --out "$folder/operator_key.json")
txledger validator-key create --out "$folder/priv_validator_key.json" > /dev/null
governors=()
for i in 1 2 3; do governors+=(--governor "$(txledger governor-key create --out "$folder/governor-$i.json")"); done
treasury=$(txledger operator-key create --out "$folder/treasury.json")
txledger genesis create --chain-id "${CHAIN_ID:-acme-1}" --validator-key "$folder/priv_validator_key.json" --canceller "$operator" \
  "${governors[@]}" --threshold 2 --currency "${CURRENCY:-EUR:2}" --account "$treasury=${SUPPLY:-1000000000000000}" --out "$folder/genesis.json" > /dev/null
DATA_DIR="$folder/data" txledger token create --owner "${OWNER:-acme}" --scope transactions:read --scope transactions:write --expires-in 90d > "$folder/token"
if [ "$(id -u)" = 0 ]; then chown -R "$IMAGE_UID:$IMAGE_UID" "$folder/data" "$folder/genesis.json" "$folder/priv_validator_key.json" "$folder/operator_key.json"; fi

echo "$folder holds a chain of its own. Move governor-*.json and treasury.json to the machines of their holders; token is the first partner's." >&2
