#!/usr/bin/env bash
# The same with OpenSSL 3: sign.sh CHAIN_ID FROM TO AMOUNT NONCE
set -euo pipefail
unhex() { printf "$(sed 's/../\\x&/g')"; }
head="{\"amount\":\"$4\",\"chainId\":\"$1\",\"from\":\"$2\",\"nonce\":$5,"
tail="\"to\":\"$3\"}"
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
printf 'txledger-transfer-v1\n%s' "$head$tail" > "$folder/message"
# An Ed25519 private key in PKCS #8 is these 16 bytes and the seed (RFC 8410). A pipe keeps it off the disk.
signature=$(openssl pkeyutl -sign -rawin -in "$folder/message" -keyform DER \
  -inkey <(echo -n "302e020100300506032b657004220420$LEDGER_SEED" | unhex) | od -An -v -tx1 | tr -d ' \n')
hash=$(printf '%s"signature":"%s",%s' "$head" "$signature" "$tail" | sha256sum | cut -c1-64 | tr a-f A-F)
printf '{"from": "%s", "to": "%s", "amount": "%s", "nonce": %s, "signature": "%s", "txHash": "%s"}\n' "$2" "$3" "$4" "$5" "$signature" "$hash"
