"""Sign one transfer with the seed in LEDGER_SEED: sign.py CHAIN_ID FROM TO AMOUNT NONCE prints the body of POST /transactions."""
import hashlib, json, os, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

chain_id, sender, receiver, amount, nonce = sys.argv[1:]
head = f'{{"amount":"{amount}","chainId":"{chain_id}","from":"{sender}","nonce":{nonce},'
tail = f'"to":"{receiver}"}}'
key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(os.environ["LEDGER_SEED"]))
signature = key.sign(f"txledger-transfer-v1\n{head}{tail}".encode()).hex()
tx_hash = hashlib.sha256(f'{head}"signature":"{signature}",{tail}'.encode()).hexdigest().upper()
print(json.dumps({"from": sender, "to": receiver, "amount": amount, "nonce": int(nonce), "signature": signature, "txHash": tx_hash}))
