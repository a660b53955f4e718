package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// A signer written from the published format alone: plain string formatting gives the exact bytes.

// Transfer is what a partner wants to pay.
type transfer struct {
	chainID, from, to, amount string
	nonce                     int64
}

func (t transfer) fields(signature string) string {
	return fmt.Sprintf(`{"amount":"%s","chainId":"%s","from":"%s","nonce":%d,%s"to":"%s"}`, t.amount, t.chainID, t.from, t.nonce, signature, t.to)
}

func (t transfer) signBytes() string { return "txledger-transfer-v1\n" + t.fields("") }

// sign gives the signature, and the hash by which the transfer will be known.
func (t transfer) sign(key ed25519.PrivateKey) (signature, txHash string) {
	signature = hex.EncodeToString(ed25519.Sign(key, []byte(t.signBytes())))
	hash := sha256.Sum256([]byte(t.fields(`"signature":"` + signature + `",`)))
	return signature, strings.ToUpper(hex.EncodeToString(hash[:]))
}
