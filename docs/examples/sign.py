"""Sign one transfer with the seed in LEDGER_SEED: sign.py CHAIN_ID FROM TO AMOUNT NONCE [REFERENCE [VALID_UNTIL]] prints the body of POST /transactions."""
import hashlib, os, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

chain_id, sender, receiver, amount, nonce, reference, valid_until = (sys.argv[1:] + ["", ""])[:7]
called = f'"reference":"{reference}",' if reference else ""
ends = f',"validUntil":{valid_until}' if valid_until else ""
head = f'{{"amount":"{amount}","chainId":"{chain_id}","from":"{sender}","nonce":{nonce},{called}'
tail = f'"to":"{receiver}"{ends}}}'
key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(os.environ["LEDGER_SEED"]))
signature = key.sign(f"txledger-transfer-v1\n{head}{tail}".encode()).hex()
raw = f'{head}"signature":"{signature}",{tail}'
tx_hash = hashlib.sha256(raw.encode()).hexdigest().upper()
print(raw.replace(f'"chainId":"{chain_id}",', "")[:-1] + f',"txHash":"{tx_hash}"}}')
