"""Decides every published vector again, sharing nothing with the implementation.

Written from the text of the rules, BIP 350, RFC 8032, RFC 6962/9162 and CometBFT's ValueOp. Needs Python 3.9 or newer and `cryptography`.
Usage: python3 test/ledger/vectors_check.py [folder of vectors]. Prints one line a file; exits with 1 at the first difference.
"""

import base64
import hashlib
import json
import pathlib
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2] / "spec" / "vectors")
CASES = 0


def load(name):
    return json.loads((FOLDER / name).read_text("utf-8"))


def same(what, actual, expected):
    global CASES
    CASES += 1
    if actual != expected:
        sys.exit(f"{what}: expected {expected!r}, computed {actual!r}")


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


# ---------------------------------------------------------------- addresses (BIP 173, BIP 350)

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
BECH32, BECH32M = 1, 0x2BC830A3
ADDRESS = re.compile(r"txlt?1[02-9ac-hj-np-z]{58}")


def polymod(values):
    generator = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
    checksum = 1
    for value in values:
        top = checksum >> 25
        checksum = (checksum & 0x1FFFFFF) << 5 ^ value
        for i in range(5):
            checksum ^= generator[i] if (top >> i) & 1 else 0
    return checksum


def expand(prefix):
    return [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]


def encode_address(key, prefix):
    bits = int.from_bytes(key, "big") << 4
    words = [(bits >> (5 * i)) & 31 for i in reversed(range(52))]
    checksum = polymod(expand(prefix) + words + [0] * 6) ^ BECH32M
    words += [(checksum >> 5 * (5 - i)) & 31 for i in range(6)]
    return prefix + "1" + "".join(ALPHABET[w] for w in words)


def parse_address(text, prefix):
    """The key, or the reason why there is none."""
    if not ADDRESS.fullmatch(text):
        return "format"
    found, data = text.split("1", 1)
    words = [ALPHABET.index(c) for c in data]
    constant = polymod(expand(found) + words)
    if constant == BECH32:
        return "not_bech32m"
    if constant != BECH32M:
        return "checksum"
    if found != prefix:
        return "wrong_network"
    bits = 0
    for word in words[:-6]:
        bits = bits << 5 | word
    if bits & 15:
        return "format"
    key = (bits >> 4).to_bytes(32, "big")
    return key if strict_key(key) else "weak_key"


# ---------------------------------------------------------------- STRICT Ed25519

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
ORDER_EIGHT = 2707385501144840649318225287225658788936804267575313519463743609750303402022
SMALL = {0, 1, P - 1, ORDER_EIGHT, P - ORDER_EIGHT}


def y_of(point):
    return int.from_bytes(point, "little") & (2**255 - 1)


def strict_key(key):
    return len(key) == 32 and y_of(key) < P and y_of(key) not in SMALL


def verify(key, message, signature):
    if len(signature) != 64 or not strict_key(key):
        return False
    if y_of(signature[:32]) % P in SMALL or int.from_bytes(signature[32:], "little") >= L:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def public_key(seed):
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def sign(seed, message):
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message).hex()


# ---------------------------------------------------------------- transactions

CHAIN_ID = re.compile(r"[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?")
INTEGER_MAX = 2**53 - 1
KEYS = {
    "transfer": ["amount", "chainId", "from", "nonce", "signature", "to"],
    "cancel": ["chainId", "from", "nonce", "signature", "signer", "txHash"],
    "governance": ["chainId", "kind", "power", "sequence", "signatures", "subject"],
}


ROLES = ("canceller_add", "canceller_remove", "governor_add", "governor_remove")
GOVERNORS_MAX = 16

# What a transfer may carry besides.
OPTIONAL = ("reference", "validUntil")


def compact(fields):
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=True)


def sign_bytes(kind, tx):
    version = 2 if kind == "governance" else 1
    return (f"txledger-{kind}-v{version}\n" + compact({k: v for k, v in tx.items() if k not in ("signature", "signatures")})).encode()


def is_text(value, pattern):
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def is_integer(value):
    return type(value) is int and 0 <= value <= INTEGER_MAX


def are_signatures(value):
    if not isinstance(value, list) or not 1 <= len(value) <= GOVERNORS_MAX:
        return False
    for each in value:
        if not isinstance(each, dict) or list(each) != ["signature", "signer"]:
            return False
        if not is_text(each["signature"], r"[0-9a-f]{128}") or not is_text(each["signer"], ADDRESS):
            return False
    signers = [each["signer"] for each in value]
    return signers == sorted(set(signers))


def decode(raw):
    """(kind, fields), or None when the bytes are not canonical."""
    if len(raw) > (4096 if raw.startswith(b'{"chainId":') else 1024):
        return None
    try:
        tx = json.loads(raw.decode("ascii"), parse_constant=lambda _: None)
    except ValueError:
        return None
    kind = next((k for k in KEYS if isinstance(tx, dict) and [key for key in tx if key not in OPTIONAL] == KEYS[k]), None)
    if kind is None or (kind != "transfer" and any(key in tx for key in OPTIONAL)) or list(tx) != sorted(tx):
        return None
    rules = {
        "amount": lambda v: is_text(v, r"[1-9][0-9]{0,38}") and int(v) < 2**128,
        "chainId": lambda v: is_text(v, CHAIN_ID),
        "from": lambda v: is_text(v, ADDRESS),
        "to": lambda v: is_text(v, ADDRESS),
        "signer": lambda v: is_text(v, ADDRESS),
        "nonce": is_integer,
        "sequence": is_integer,
        "signature": lambda v: is_text(v, r"[0-9a-f]{128}"),
        "txHash": lambda v: is_text(v, r"[0-9A-F]{64}"),
        "reference": lambda v: is_text(v, r"[!#-\[\]-~]([ !#-\[\]-~]{0,138}[!#-\[\]-~])?"),
        "validUntil": lambda v: type(v) is int and 1 <= v <= 253402300799,
        "kind": lambda v: v in ROLES + ("threshold", "validator_power", "rules_version"),
        "power": lambda v: is_integer(v)
        and {"threshold": 1 <= v <= GOVERNORS_MAX, "validator_power": True, "rules_version": v >= 1}.get(tx["kind"], v == 0),
        "signatures": are_signatures,
        "subject": lambda v: is_text(
            v, {"threshold": r"", "validator_power": r"[0-9a-f]{64}", "rules_version": r"[1-9][0-9]{0,5}"}.get(tx["kind"], ADDRESS)
        ),
    }
    if not all(rules[key](tx[key]) for key in tx) or compact(tx).encode() != raw:
        return None
    return kind, tx


def check(raw, chain_id, prefix):
    """The name of the refusal, or (kind, fields)."""
    decoded = decode(raw)
    if decoded is None:
        return "malformed"
    kind, tx = decoded
    if tx["chainId"] != chain_id:
        return "wrong_chain"
    addresses = [tx[k] for k in ("from", "to", "signer") if k in tx]
    if kind == "governance":
        addresses += [each["signer"] for each in tx["signatures"]]
        addresses += [tx["subject"]] if tx["kind"] in ROLES else []
    if any(isinstance(parse_address(address, prefix), str) for address in addresses):
        return "invalid_address"
    if kind == "governance" and tx["kind"] == "validator_power" and not strict_key(bytes.fromhex(tx["subject"])):
        return "governance_subject"
    for signer, signature in signatures_of(kind, tx):
        if not verify(parse_address(signer, prefix), sign_bytes(kind, tx), bytes.fromhex(signature)):
            return "invalid_signature"
    return decoded


def signatures_of(kind, tx):
    if kind == "governance":
        return [(each["signer"], each["signature"]) for each in tx["signatures"]]
    return [(tx["from"] if kind == "transfer" else tx["signer"], tx["signature"])]


# ---------------------------------------------------------------- the ledger's rules

WINDOW = 1024


class Ledger:
    """Accounts with the *set* of their used nonces: the bit map is derived, so that it is checked too."""

    def __init__(self, genesis):
        state = genesis["app_state"]
        self.chain_id, self.prefix = genesis["chain_id"], state["address_prefix"]
        self.balances = {a["address"]: int(a["balance"]) for a in state["accounts"]}
        self.used = {address: set() for address in self.balances}
        self.roles = {"canceller": set(state["cancellers"]), "governor": set(state["governors"])}
        self.threshold, self.rules = state["threshold"], [(r["version"], r["height"]) for r in state["rules"]]
        self.currency, self.opening_minimum = state["currency"], int(state["openingMinimum"])
        self.powers = {base64.b64decode(v["pub_key"]["value"]).hex(): int(v["power"]) for v in genesis["validators"]}
        self.sequence = 0

    def nonce(self, address):
        nonce = 0
        while nonce in self.used[address]:
            nonce += 1
        return nonce

    def begin(self, height, time):
        self.height, self.time, self.powers_before = height, time, dict(self.powers)

    def end(self, misbehavior):
        addresses = {sha256(bytes.fromhex(key))[:20].hex().upper(): key for key in self.powers}
        named = {addresses[m["validatorAddress"]] for m in misbehavior if m["validatorAddress"] in addresses}
        if len(named) == len(self.powers):
            # The strongest stays, the lowest key among equals.
            named.remove(min(named, key=lambda key: (-self.powers[key], key)))
        for key in named:
            del self.powers[key]

    def execute(self, raw):
        checked = check(raw, self.chain_id, self.prefix)
        if isinstance(checked, str):
            return checked
        return getattr(self, checked[0])(checked[1])

    def transfer(self, tx):
        sender, amount = tx["from"], int(tx["amount"])
        if sender not in self.balances:
            return "unknown_account"
        nonce = self.nonce(sender)
        if tx["nonce"] < nonce:
            return "nonce_too_low"
        if tx["nonce"] > nonce:
            return "nonce_void" if tx["nonce"] in self.used[sender] else "nonce_gap"
        if self.time > tx.get("validUntil", self.time):
            return "validity_passed"
        self.used[sender].add(nonce)
        if self.balances[sender] < amount:
            return "insufficient_funds"
        if tx["to"] not in self.balances and amount < self.opening_minimum:
            return "below_opening_minimum"
        self.balances[sender] -= amount
        self.balances[tx["to"]] = self.balances.get(tx["to"], 0) + amount
        self.used.setdefault(tx["to"], set())
        return "ok"

    def cancel(self, tx):
        account, nonce = tx["from"], tx["nonce"]
        if account not in self.balances:
            return "unknown_account"
        if not self.nonce(account) <= nonce < self.nonce(account) + WINDOW:
            return "cancel_outside_window"
        if nonce in self.used[account]:
            return "cancel_without_effect"
        if tx["signer"] != account and tx["signer"] not in self.roles["canceller"]:
            return "signer_not_allowed"
        self.used[account].add(nonce)
        return "ok"

    def governance(self, tx):
        if any(each["signer"] not in self.roles["governor"] for each in tx["signatures"]):
            return "signer_not_allowed"
        if len(tx["signatures"]) < self.threshold:
            return "governance_threshold"
        if tx["sequence"] != self.sequence:
            return "governance_sequence"
        outcome = self.change(tx["kind"], tx["subject"], tx["power"])
        if outcome == "ok":
            self.sequence += 1
        return outcome

    def change(self, action, subject, power):
        if action == "validator_power":
            return self.set_power(subject, power)
        if action == "threshold":
            if power == self.threshold:
                return "governance_without_effect"
            if power > len(self.roles["governor"]):
                return "governance_unreachable"
            self.threshold = power
            return "ok"
        if action == "rules_version":
            return self.set_rules(int(subject), power)
        role, verb = action.split("_")
        members, most = self.roles[role], {"canceller": 64, "governor": GOVERNORS_MAX}[role]
        if (subject in members) == (verb == "add"):
            return "governance_without_effect"
        if verb == "add" and len(members) == most:
            return "governance_limit"
        if verb == "remove" and role == "canceller" and len(members) == 1:
            return "governance_last_one"
        if verb == "remove" and role == "governor" and len(members) <= self.threshold:
            return "governance_unreachable"
        members ^= {subject}
        return "ok"

    def set_power(self, subject, power):
        if self.powers.get(subject, 0) == power:
            return "governance_without_effect"
        if power == 0 and len(self.powers) == 1:
            return "governance_last_one"
        if power and subject not in self.powers and len(self.powers) == 128:
            return "governance_limit"
        after = {key: p for key, p in {**self.powers, subject: power}.items() if p}
        moved = sum(abs(after.get(key, 0) - self.powers_before.get(key, 0)) for key in {**after, **self.powers_before})
        if 3 * moved >= sum(self.powers_before.values()):
            return "governance_power_bound"
        self.powers = after
        return "ok"

    def set_rules(self, version, height):
        last, last_height = self.rules[-1]
        moved = version == last and last_height > self.height
        if not moved and version != last + 1:
            return "governance_rules_version"
        if moved and height == last_height:
            return "governance_without_effect"
        earlier = self.rules[:-1] if moved else self.rules
        if height < self.height + 100 or height <= earlier[-1][1]:
            return "governance_rules_height"
        self.rules = earlier + [(version, height)]
        return "ok"

    def values(self):
        accounts = []
        # dict keeps the order of first insertion, which is the order of leaves.
        for address, balance in self.balances.items():
            nonce = self.nonce(address)
            voids = sum(1 << (n - nonce) for n in self.used[address] if n > nonce)
            value = {"balance": str(balance), "nonce": nonce, "void": f"{voids:x}" if voids else ""}
            accounts.append((address, compact(value).encode()))
        governance = [
            ("cancellers", compact(sorted(self.roles["canceller"])).encode()),
            ("currency", compact({"code": self.currency["code"], "scale": self.currency["scale"]}).encode()),
            ("governors", compact(sorted(self.roles["governor"])).encode()),
            ("openingMinimum", compact(str(self.opening_minimum)).encode()),
            ("rules", compact([{"height": h, "version": v} for v, h in self.rules]).encode()),
            ("sequence", str(self.sequence).encode()),
            ("threshold", str(self.threshold).encode()),
            ("validators", compact([{"power": p, "publicKey": k} for k, p in sorted(self.powers.items())]).encode()),
        ]
        return {"accounts": accounts, "governance": governance}

    def app_hash(self):
        stores = {name: root([pair(k, v) for k, v in leaves]) for name, leaves in self.values().items()}
        return root([pair(name, stores[name]) for name in sorted(stores)])


# ---------------------------------------------------------------- RFC 6962 and proofs


def leaf(data):
    return sha256(b"\0", data)


def inner(left, right):
    return sha256(b"\1", left, right)


def pair(key, value):
    return leaf(bytes([len(key)]) + key.encode() + bytes([32]) + sha256(value))


def root(leaves):
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return inner(root(leaves[:k]), root(leaves[k:]))


def path(index, leaves):
    """PATH(m, D[n]) of RFC 6962 section 2.1.1."""
    if len(leaves) <= 1:
        return []
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    if index < k:
        return path(index, leaves[:k]) + [root(leaves[k:])]
    return path(index - k, leaves[k:]) + [root(leaves[:k])]


def root_from(index, total, node, aunts):
    """CometBFT's computeHashFromAunts: recursion from the root down."""
    if total == 1:
        assert not aunts
        return node
    k = 1
    while 2 * k < total:
        k *= 2
    if index < k:
        return inner(root_from(index, k, node, aunts[:-1]), aunts[-1])
    return inner(aunts[-1], root_from(index - k, total - k, node, aunts[:-1]))


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def protobuf(data):
    at, fields = 0, []
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            value, at = data[at : at + value], at + value
        fields.append((tag >> 3, value))
    return fields


def run_op(value, op):
    """The root that one simple:v operation leads to."""
    same("proof operation", op["type"], "simple:v")
    (one, key), (two, proof) = protobuf(bytes.fromhex(op["data"]))
    same("proof fields", (one, two, key), (1, 2, op["key"].encode()))
    fields = protobuf(proof)
    integers = dict(f for f in fields if f[0] in (1, 2))
    (leaf_hash,) = [v for f, v in fields if f == 3]
    same(f"leaf of {op['key']}", leaf_hash, pair(op["key"], value))
    return root_from(integers.get(2, 0), integers[1], leaf_hash, [v for f, v in fields if f == 4])


# ---------------------------------------------------------------- the files


def check_addresses():
    vectors = load("addresses.json")
    for v in vectors["valid"]:
        same(v["name"], encode_address(bytes.fromhex(v["publicKey"]), v["prefix"]), v["address"])
        same(v["name"], parse_address(v["address"], v["prefix"]), bytes.fromhex(v["publicKey"]))
    for v in vectors["refused"]:
        same(v["name"], parse_address(v["address"], v["prefix"]), v["reason"])


def check_ed25519():
    for v in load("ed25519.json"):
        key, message, signature = (bytes.fromhex(v[k]) for k in ("publicKey", "message", "signature"))
        same(v["name"], verify(key, message, signature), v["accepted"])


def check_speccheck():
    for i, v in enumerate(load("ed25519-speccheck.json")):
        key, message, signature = (bytes.fromhex(v[k]) for k in ("pub_key", "message", "signature"))
        same(f"case {i}", verify(key, message, signature), i == 3)


def check_signing():
    for v in load("signing-vectors.json"):
        seed, request = bytes.fromhex(v["seed"]), v["request"]
        prefix = request["from"].split("1")[0]
        same(v["name"], encode_address(public_key(seed), prefix), request["from"])
        kind, tx = check(v["raw"].encode(), v["chainId"], prefix)
        same(v["name"], sign_bytes(kind, tx).decode(), v["signBytes"])
        same(v["name"], sign(seed, sign_bytes(kind, tx)), request["signature"])
        same(v["name"], sha256(v["raw"].encode()).hex().upper(), v["txHash"])
        same(v["name"], check(v["cancelBySender"].encode(), v["chainId"], prefix)[0], "cancel")


def check_transactions():
    vectors, codes = load("transactions.json"), load("codes.json")
    chain_id, prefix = vectors["chain"]["chainId"], vectors["chain"]["addressPrefix"]
    for v in vectors["valid"]:
        kind, tx = check(v["raw"].encode(), chain_id, prefix)
        seeds = [bytes.fromhex(seed) for seed in v.get("seeds") or [v["seed"]]]
        same(v["name"], kind, v["kind"])
        same(v["name"], sign_bytes(kind, tx).decode(), v["signBytes"])
        signed = [(encode_address(public_key(seed), prefix), sign(seed, sign_bytes(kind, tx))) for seed in seeds]
        same(v["name"], signed, signatures_of(kind, tx))
        same(v["name"], sha256(v["raw"].encode()).hex().upper(), v["txHash"])
    for v in vectors["refused"]:
        raw = bytes.fromhex(v["rawHex"]) if "rawHex" in v else v["raw"].encode()
        same(v["name"], check(raw, chain_id, prefix), v["refusal"])
        same(v["name"], codes[v["refusal"]], v["code"])


def check_tree():
    vectors = load("tree.json")
    same("leaf of nothing", leaf(b"").hex(), vectors["leafHashOfNothing"])
    same("inner", inner(leaf(b""), leaf(b"")).hex(), vectors["innerHashOfTwoOfThose"])
    for v in vectors["trees"]:
        leaves = [leaf(f"leaf {i} version 0".encode()) for i in range(v["size"])]
        same(f"root of {v['size']}", root(leaves).hex(), v["root"])
        for proof in v["proofs"]:
            aunts = [bytes.fromhex(a) for a in proof["aunts"]]
            same(f"path {proof['index']} of {v['size']}", aunts, path(proof["index"], leaves))
            same("its root", root_from(proof["index"], v["size"], leaves[proof["index"]], aunts).hex(), v["root"])
        for i in range(0, v["size"], 3):
            leaves[i] = leaf(f"leaf {i} version 1".encode())
        same(f"rewritten root of {v['size']}", root(leaves).hex(), v["rootAfterEveryThirdIsRewritten"])


def check_chain():
    vectors, codes = load("chain.json"), load("codes.json")
    same("genesis hash", sha256(vectors["genesis"].encode()).hex().upper(), vectors["genesisHash"])
    ledger = Ledger(json.loads(vectors["genesis"]))
    supply = sum(ledger.balances.values())
    same("genesis app hash", ledger.app_hash().hex(), vectors["genesisAppHash"])
    for block in vectors["blocks"]:
        before = dict(ledger.powers)
        ledger.begin(block["height"], block["time"])
        for i, tx in enumerate(block["transactions"]):
            same(f"height {block['height']}, transaction {i}", codes[ledger.execute(tx["raw"].encode())], tx["code"])
        ledger.end(block.get("misbehavior", []))
        updates = {k: ledger.powers.get(k, 0) for k in sorted({**before, **ledger.powers}) if before.get(k, 0) != ledger.powers.get(k, 0)}
        same(f"updates of {block['height']}", [{"publicKey": k, "power": p} for k, p in updates.items()], block["validatorUpdates"])
        same(f"app hash of {block['height']}", ledger.app_hash().hex(), block["appHash"])
        same("supply", sum(ledger.balances.values()), supply)
    final = {store: dict(leaves) for store, leaves in ledger.values().items()}
    for proof in vectors["proofs"]:
        value = proof["value"].encode()
        same(proof["key"], value, final[proof["store"]][proof["key"]])
        same("operations", [op["key"] for op in proof["ops"]], [proof["key"], proof["store"]])
        for op in proof["ops"]:
            value = run_op(value, op)
        same(f"proof of {proof['key']}", value.hex(), vectors["blocks"][-1]["appHash"])


for name, run in {
    "addresses.json": check_addresses,
    "ed25519.json": check_ed25519,
    "ed25519-speccheck.json": check_speccheck,
    "signing-vectors.json": check_signing,
    "transactions.json": check_transactions,
    "tree.json": check_tree,
    "chain.json": check_chain,
}.items():
    CASES = 0
    try:
        run()
    except SystemExit as difference:
        sys.exit(f"{name}: {difference.code}")
    if CASES == 0:
        sys.exit(f"{name}: no cases")
    print(f"{name}: {CASES} checks agree")
