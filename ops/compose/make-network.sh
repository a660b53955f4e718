#!/usr/bin/env bash
# Makes what ops/compose/network.yaml runs on: keys, a genesis file, and the homes of four nodes and two gateways, in a folder of its own.
#
#   ops/compose/make-network.sh FOLDER
#   set -a && . FOLDER/.env && set +a      PEERS and NETWORK, which network.yaml needs
#
# TXLEDGER and COMETBFT are the commands that make them: by default that of this checkout, and `cometbft` v0.38.26. Run as root it gives the files to the
# user of the images. In production each key is made on the machine that uses it: docs/NETWORK.md.
set -euo pipefail
umask 077

folder=${1:?a folder that does not exist yet}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
IMAGE_UID=65532
txledger() { ${TXLEDGER:-"$here/scripts/bin/node" "$here/server/cli/txledger.ts"} "$@"; }
cometbft() { command "${COMETBFT:-cometbft}" "$@"; }

mkdir -p "$(dirname "$folder")"
mkdir "$folder"
folder=$(cd "$folder" && pwd)
validators=() peers=()
for i in 1 2 3 4; do
  mkdir "$folder/app-$i"
  cometbft init --home "$folder/node-$i" > /dev/null
  rm "$folder/node-$i/config/genesis.json" "$folder/node-$i/config/priv_validator_key.json"
  validators+=(--validator "$(txledger validator-key create --out "$folder/node-$i/config/priv_validator_key.json")=10")
  peers+=("$(cometbft show-node-id --home "$folder/node-$i")@node-$i:26656")
done
cancellers=() governors=()
for i in 1 2; do
  mkdir "$folder/gateway-$i"
  cancellers+=(--canceller "$(txledger operator-key create --out "$folder/operator_key-$i.json")")
done
for i in 1 2 3; do governors+=(--governor "$(txledger governor-key create --out "$folder/governor-$i.json")"); done
treasury=$(txledger operator-key create --out "$folder/treasury.json")
txledger genesis create --chain-id "${CHAIN_ID:-acme-1}" "${validators[@]}" "${cancellers[@]}" "${governors[@]}" --threshold 2 \
  --currency "${CURRENCY:-EUR:2}" --account "$treasury=${SUPPLY:-1000000000000000}" --out "$folder/genesis.json" > /dev/null
for i in 1 2 3 4; do cp "$folder/genesis.json" "$folder/node-$i/config/genesis.json"; done
password=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
printf '%s' "$password" > "$folder/database-password"
printf 'postgres://txledger:%s@postgres:5432/txledger' "$password" > "$folder/database-url"
printf 'NETWORK=%s\nPEERS=%s\nCHAIN_ID=%s\n' "$folder" "$(IFS=,; echo "${peers[*]}")" "${CHAIN_ID:-acme-1}" > "$folder/.env"
if [ "$(id -u)" = 0 ]; then
  chown -R "$IMAGE_UID:$IMAGE_UID" "$folder"/app-* "$folder"/node-* "$folder"/gateway-* "$folder/genesis.json" "$folder/database-url" "$folder"/operator_key-*.json
fi

echo "$folder holds a network of four. Move governor-*.json and treasury.json to the machines of their holders." >&2
