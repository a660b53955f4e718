"""Makes spec/vectors/signing-vectors.json from the text of the rules; it shares nothing with the implementation, nor with vectors_check.py.

Usage: python3 test/ledger/signing_vectors.py [--check] FILE. Writes the file, or exits with 1 when it differs. Needs `cryptography`.
"""

import hashlib
import json
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECEIVER = "8681c2faf634934429c4f30c40151a183e632b099815ca1072541606029347c2"
SEEDS = (
    "a828a414c17fd0f6993df85cb98e6e188e1536d434d21115becd915e32041cd1",
    "9d8477ccc6b5fdfc1fcb4680507cc23802a59c50e93608b9204408167923673d",
    "6dc9074831dee22ccb3da582c248dc2c527ecc2c03074b81257ee1398443b2df",
)
# Every character that a reference may have, in the order of ASCII, and some twice: the longest reference.
PRINTABLE = "".join(chr(c) for c in range(0x21, 0x7F) if chr(c) not in '"\\')
LONGEST = (PRINTABLE + " " + PRINTABLE)[:139] + "]"

# name, seed, prefix, chain id, amount, nonce, reference, validUntil
CASES = (
    ("simple", SEEDS[0], "txlt", "txledger-dev-1", "100", 0, None, None),
    ("largest", SEEDS[1], "txl", "main-2026", str(2**128 - 1), 2**53 - 1, None, None),
    ("shortest chain id", SEEDS[2], "txl", "x", "1", 7, None, None),
    ("with a reference", SEEDS[0], "txlt", "txledger-dev-1", "100", 0, "INV-2026-17", None),
    ("with an end of its validity", SEEDS[0], "txlt", "txledger-dev-1", "100", 0, None, 1800000000),
    ("with a reference and an end", SEEDS[0], "txlt", "txledger-dev-1", "100", 0, "INV 2026/17: 3 x cup", 1800000000),
    ("with the shortest reference and the earliest end", SEEDS[2], "txl", "x", "1", 7, "#", 1),
    ("with the longest reference and the latest end", SEEDS[1], "txl", "main-2026", str(2**128 - 1), 2**53 - 1, LONGEST, 253402300799),
)


def bech32m(prefix, key):
    """BIP 350: 256 bits and four zero bits are 52 groups of five, then six of checksum."""
    charset = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    bits = "".join(format(byte, "08b") for byte in key) + "0000"
    groups = [int(bits[i : i + 5], 2) for i in range(0, 260, 5)]
    state = 1
    for value in [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix] + groups + [0] * 6:
        top, state = state >> 25, ((state & 0x1FFFFFF) << 5) ^ value
        for bit, word in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            if top >> bit & 1:
                state ^= word
    state ^= 0x2BC830A3
    return prefix + "1" + "".join(charset[g] for g in groups + [state >> 5 * (5 - i) & 31 for i in range(6)])


def compact(members):
    """Keys in alphabetical order, no spaces, members that are absent left out: the canonical JSON of both byte forms."""
    return json.dumps({k: v for k, v in members.items() if v is not None}, sort_keys=True, separators=(",", ":"))


def vector(name, seed, prefix, chain_id, amount, nonce, reference, valid_until):
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    sender, receiver = bech32m(prefix, public), bech32m(prefix, bytes.fromhex(RECEIVER))
    members = {"from": sender, "to": receiver, "amount": amount, "nonce": nonce, "reference": reference, "validUntil": valid_until}
    transfer = {k: v for k, v in members.items() if v is not None}
    sign_bytes = "txledger-transfer-v1\n" + compact({**transfer, "chainId": chain_id})
    signature = key.sign(sign_bytes.encode("ascii")).hex()
    raw = compact({**transfer, "chainId": chain_id, "signature": signature})
    tx_hash = hashlib.sha256(raw.encode("ascii")).hexdigest().upper()
    cancel = {"chainId": chain_id, "from": sender, "nonce": nonce, "signer": sender, "txHash": tx_hash}
    cancelled = key.sign(("txledger-cancel-v1\n" + compact(cancel)).encode("ascii")).hex()
    return {
        "name": name,
        "seed": seed,
        "publicKey": public.hex(),
        "chainId": chain_id,
        "request": {**transfer, "signature": signature},
        "signBytes": sign_bytes,
        "raw": raw,
        "txHash": tx_hash,
        "cancelBySender": compact({**cancel, "signature": cancelled}),
    }


text = json.dumps([vector(*case) for case in CASES], indent=1) + "\n"
file = pathlib.Path(sys.argv[-1])
if sys.argv[1] != "--check":
    file.write_text(text, "ascii")
elif file.read_text("ascii") != text:
    sys.exit(f"{file} is not what this program makes")
print(f"{len(CASES)} vectors")
