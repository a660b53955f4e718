"""Sign a transfer from the first development account to the second: sign_transfer.py AMOUNT REFERENCE [NONCES_AHEAD]"""
import hashlib, json, sys, urllib.request
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

dev = json.load(open("data/dev.json"))
sender, receiver = dev["accounts"][0], dev["accounts"][1]
url = f"{dev['baseUrl']}/accounts/{sender['address']}"
account = json.load(urllib.request.urlopen(urllib.request.Request(url, headers={"Authorization": f"Bearer {dev['token']}"})))
(amount, reference), nonce = sys.argv[1:3], account["nextNonce"] + int(sys.argv[3] if len(sys.argv) > 3 else 0)
# Keys in this order, no spaces: the signature covers these very bytes. The hash is known before anything is sent.
head = f'{{"amount":"{amount}","chainId":"{dev["chainId"]}","from":"{sender["address"]}","nonce":{nonce},"reference":"{reference}",'
tail = f'"to":"{receiver["address"]}"}}'
signature = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(sender["seed"])).sign(f"txledger-transfer-v1\n{head}{tail}".encode()).hex()
tx_hash = hashlib.sha256(f'{head}"signature":"{signature}",{tail}'.encode()).hexdigest().upper()
print(json.dumps({"from": sender["address"], "to": receiver["address"], "amount": amount, "nonce": nonce, "reference": reference, "signature": signature, "txHash": tx_hash}))
