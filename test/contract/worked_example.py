"""Follows the published contract, and nothing else, from a seed to the hash of a transfer, and compares each step with the contract's example.

Usage: python3 test/contract/worked_example.py generated/openapi.json. Needs `cryptography`. Prints what it compared; exits with 1 at a difference.
"""

import base64
import hashlib
import json
import re
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

with open(sys.argv[1], encoding="utf-8") as file:
    contract = json.load(file)
compared = []


def same(what, computed, published):
    compared.append(what)
    if computed != published:
        sys.exit(f"{what}: the rules give {computed!r}, the contract shows {published!r}")


def example(name):
    return contract["components"]["examples"][name]["value"]


def tag(name):
    return next(each["description"] for each in contract["tags"] if each["name"] == name)


def bech32m(prefix, key):
    """BIP-350, for 32 bytes: groups of 5 bits, the last filled with zero bits."""
    charset = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    bits = "".join(f"{byte:08b}" for byte in key) + "0000"
    data = [int(bits[at : at + 5], 2) for at in range(0, len(bits), 5)]
    state = 1
    for value in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + data + [0] * 6:
        top, state = state >> 25, (state & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            state ^= generator * (top >> bit & 1)
    state ^= 0x2BC830A3
    return prefix + "1" + "".join(charset[value] for value in data + [state >> 5 * (5 - i) & 31 for i in range(6)])


# The rules as templates, then the example, in the order of the text.
templates_and_example = re.findall(r"```text\n(.*?)\n```", tag("Transactions"), re.DOTALL)
sign_template, raw_template, seed, signed, signature, raw, tx_hash, sign_whole, raw_whole, paid_raw, paid_hash = templates_and_example
transfer = example("SimpleTransfer")
chain_id = example("DevelopmentChain")["chainId"]


def fill(template, letters):
    """Puts the values where the template has their letters, each alone between quotes or after a colon."""
    return re.sub(r'(?<=[":])[A-Z](?=[",}])', lambda found: letters[found.group()], template)


letters = {"A": transfer["amount"], "C": chain_id, "F": transfer["from"], "N": str(transfer["nonce"]), "T": transfer["to"], "S": transfer["signature"]}
key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

same("the address of the seed", bech32m("txlt", public), transfer["from"])
same("the signed bytes", fill(sign_template, letters), signed)
same("the signed bytes of the problem", signed, example("InvalidSignatureProblem")["signBytes"])
same("the signature", key.sign(signed.encode("ascii")).hex(), signature)
same("the signature of the request", signature, transfer["signature"])
same("the raw bytes", fill(raw_template, letters), raw)
same("the hash", hashlib.sha256(raw.encode("ascii")).hexdigest().upper(), tx_hash)
same("the hash of the answer", tx_hash, example("PendingTransaction")["txHash"])
same("tx in JSON", base64.b64encode(raw.encode("ascii")).decode(), example("RpcTransactionArguments")["tx"])
parameter = contract["components"]["parameters"]["RpcTransactionBytes"]["example"]
same("tx in a query string", json.dumps(raw), parameter)

# The second request: the same rules, with the hash that the caller computed.
sixth = example("TransferWithHash")
letters = {**letters, "N": str(sixth["nonce"]), "S": sixth["signature"]}
same("another signature", key.sign(fill(sign_template, letters).encode("ascii")).hex(), sixth["signature"])
same("another hash", hashlib.sha256(fill(raw_template, letters).encode("ascii")).hexdigest(), sixth["txHash"])

# The third: with a reference and an end of its validity.
paid = example("PaymentOfAnInvoice")
letters = {**letters, "N": str(paid["nonce"]), "S": paid["signature"], "R": paid["reference"], "V": str(paid["validUntil"])}
same("the signature with a reference", key.sign(fill(sign_whole, letters).encode("ascii")).hex(), paid["signature"])
same("the raw bytes with a reference", fill(raw_whole, letters), paid_raw)
same("the hash with a reference", hashlib.sha256(paid_raw.encode("ascii")).hexdigest().upper(), paid_hash)

print(f"compared {len(compared)}: {', '.join(compared)}")
