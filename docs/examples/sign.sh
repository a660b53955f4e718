#!/usr/bin/env bash
# The same with OpenSSL 3: sign.sh CHAIN_ID FROM TO AMOUNT NONCE [REFERENCE [VALID_UNTIL]]
set -euo pipefail
unhex() { printf "$(sed 's/../\\x&/g')"; }
head="{\"amount\":\"$4\",\"chainId\":\"$1\",\"from\":\"$2\",\"nonce\":$5,${6:+\"reference\":\"$6\",}"
tail="\"to\":\"$3\"${7:+,\"validUntil\":$7}}"
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
printf 'txledger-transfer-v1\n%s' "$head$tail" > "$folder/message"
# An Ed25519 private key in PKCS #8 is these 16 bytes and the seed (RFC 8410). A pipe keeps it off the disk.
signature=$(openssl pkeyutl -sign -rawin -in "$folder/message" -keyform DER \
  -inkey <(echo -n "302e020100300506032b657004220420$LEDGER_SEED" | unhex) | od -An -v -tx1 | tr -d ' \n')
raw="$head\"signature\":\"$signature\",$tail"
hash=$(printf %s "$raw" | sha256sum | cut -c1-64 | tr a-f A-F)
printf '%s,"txHash":"%s"}\n' "$(sed "s/\"chainId\":\"$1\",//; s/}$//" <<< "$raw")" "$hash"
