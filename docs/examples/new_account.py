"""Make an account: prints a new seed (keep it secret) and its address. new_account.py PREFIX [SEED], txl in production, txlt for tests."""
import secrets, sys
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"  # bech32m, BIP-350


def checksum(values):
    state = 1
    for value in values:
        top, state = state >> 25, (state & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            state ^= generator * (top >> bit & 1)
    return [(state ^ 0x2BC830A3) >> 5 * (5 - i) & 31 for i in range(6)]


prefix, seed = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else secrets.token_hex(32)
key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed)).public_key()
raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
data = [int.from_bytes(raw, "big") << 4 >> 5 * (51 - i) & 31 for i in range(52)]  # 256 bits and 4 of padding in groups of 5
expanded = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
print(seed, prefix + "1" + "".join(CHARSET[value] for value in data + checksum(expanded + data + [0] * 6)))
