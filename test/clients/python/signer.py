"""A signer written from the published format alone: plain string formatting gives the exact bytes."""

import hashlib
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def fields(transfer: dict[str, Any], signature: str = "") -> str:
    head = '{"amount":"%(amount)s","chainId":"%(chainId)s","from":"%(from)s","nonce":%(nonce)d,' % transfer
    return head + signature + '"to":"%(to)s"}' % transfer


def sign_bytes(transfer: dict[str, Any]) -> str:
    return "txledger-transfer-v1\n" + fields(transfer)


def sign(transfer: dict[str, Any], seed_hex: str) -> tuple[str, str]:
    """The signature, and the hash by which the transfer will be known."""
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed_hex))
    signature = key.sign(sign_bytes(transfer).encode()).hex()
    raw = fields(transfer, f'"signature":"{signature}",')
    return signature, hashlib.sha256(raw.encode()).hexdigest().upper()
