"""An independent signer: it shares no code with the product, only the published format.

Reads one JSON object a line and answers with one a line, so that a test can sign thousands of transfers with one process:

    {"seed", "hrp"}                                                  -> {"address"}
    {"seed", "chainId", "from", "to", "amount", "nonce"}             -> the body of POST /transactions, txHash included; "reference" and
                                                                        "validUntil" may stand beside them

Only the standard library and the package `cryptography`.
"""
import hashlib
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
BECH32M = 0x2BC830A3  # BIP 350


def polymod(values):
    checksum = 1
    for value in values:
        top = checksum >> 25
        checksum = (checksum & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            checksum ^= generator if (top >> bit) & 1 else 0
    return checksum


def address(hrp, public_key):
    number = int.from_bytes(public_key, "big") << 4  # 256 bits and 4 of padding are 52 groups of 5
    data = [(number >> (5 * (51 - i))) & 31 for i in range(52)]
    expanded = [ord(c) >> 5 for c in hrp] + [0] + [ord(c) & 31 for c in hrp]
    checksum = polymod(expanded + data + [0] * 6) ^ BECH32M
    return hrp + "1" + "".join(CHARSET[d] for d in data + [(checksum >> 5 * (5 - i)) & 31 for i in range(6)])


def answer(question):
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(question["seed"]))
    if "hrp" in question:
        return {"address": address(question["hrp"], key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))}
    called = '"reference":"%(reference)s",' % question if "reference" in question else ""
    ends = ',"validUntil":%(validUntil)d' % question if "validUntil" in question else ""
    head = '{"amount":"%(amount)s","chainId":"%(chainId)s","from":"%(from)s","nonce":%(nonce)d,' % question + called
    tail = '"to":"%(to)s"' % question + ends + "}"
    signature = key.sign(("txledger-transfer-v1\n" + head + tail).encode()).hex()
    raw = head + '"signature":"' + signature + '",' + tail
    body = {name: question[name] for name in ("from", "to", "amount", "nonce", "reference", "validUntil") if name in question}
    return {**body, "signature": signature, "txHash": hashlib.sha256(raw.encode()).hexdigest().upper()}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
