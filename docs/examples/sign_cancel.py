"""Sign the cancel of one's own transfer with the seed in LEDGER_SEED: sign_cancel.py CHAIN_ID FROM NONCE TX_HASH prints the body of POST /transactions/{txHash}/cancel."""
import os, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

chain_id, sender, nonce, tx_hash = sys.argv[1:]
text = f'txledger-cancel-v1\n{{"chainId":"{chain_id}","from":"{sender}","nonce":{nonce},"signer":"{sender}","txHash":"{tx_hash}"}}'
key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(os.environ["LEDGER_SEED"]))
print(f'{{"signature":"{key.sign(text.encode()).hex()}"}}')
