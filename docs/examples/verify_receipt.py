"""Verify receipts offline: verify_receipt.py TRUST FILE... TRUST is a genesis file, or HEIGHT:HASH of a header; a FILE has a receipt a line."""
import base64, calendar, hashlib, json, re, struct, sys, time
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"  # bech32m
MEMBERS = {"transfer": {"amount", "chainId", "from", "nonce", "signature", "to"}, "cancel": {"chainId", "from", "nonce", "signature", "signer", "txHash"}}
HASHES = "last_commit_hash data_hash validators_hash next_validators_hash consensus_hash app_hash last_results_hash evidence_hash proposer_address"

def check(holds, what):
    if not holds: raise ValueError(what)
def only(holds, value):  # every value has one text
    check(holds, "a member is not in its one form"); return value
def unhex(text): return only(re.fullmatch("([0-9A-F]{2})*", text), bytes.fromhex(text))
def unbase64(text): return only(base64.b64encode(base64.b64decode(text)).decode() == text, base64.b64decode(text))
def number(text): return only(str(int(text)) == text, int(text))
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def varint(n): return bytes([n & 127]) if 0 <= n < 128 else bytes([n & 127 | 128]) + varint((n & 2**64 - 1) >> 7)
def integer(field, n): return bytes([field << 3]) + varint(n) if n else b""
def fixed(field, n): return bytes([field << 3 | 1]) + struct.pack("<q", n) if n else b""
def message(field, value): return bytes([field << 3 | 2]) + varint(len(value)) + value
def data(field, value): return message(field, value) if value else b""
def block_id(i): return data(1, unhex(i["hash"])) + message(2, integer(1, i["parts"]["total"]) + data(2, unhex(i["parts"]["hash"])))
def signed_by(key, signature, text): Ed25519PublicKey.from_public_bytes(key).verify(signature, text)  # raises when it does not verify
def stamp(text):
    second, fraction = re.fullmatch(r"(.{19})(?:\.([0-9]{0,8}[1-9]))?Z", text).groups()
    at = calendar.timegm(time.strptime(second, "%Y-%m-%dT%H:%M:%S"))
    return only(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) == second, integer(1, at) + integer(2, int((fraction or "").ljust(9, "0"))))

def split(n): return 1 << (n - 1).bit_length() - 1  # the largest power of two below n
def root(leaves):
    if len(leaves) < 2: return sha(b"\0", leaves[0]) if leaves else sha()
    return sha(b"\1", root(leaves[: split(len(leaves))]), root(leaves[split(len(leaves)) :]))
def climb(node, index, total, aunts):
    check(0 <= index < total and (total > 1) == bool(aunts), "a path has not the steps of its place")
    if total == 1: return node
    left = index < (at := split(total))
    below = climb(node, index if left else index - at, at if left else total - at, aunts[:-1])
    return sha(b"\1", below, aunts[-1]) if left else sha(b"\1", aunts[-1], below)
def prove(leaf, receipt, proof, expected):
    node, index = sha(b"\0", leaf), number(proof["index"])
    check(unbase64(proof["leaf_hash"]) == node and proof["index"] == str(receipt["index"]), "a path begins elsewhere")
    check(proof["total"] == receipt["transactionProof"]["total"], "the paths are of blocks of different sizes")
    check(climb(node, index, number(proof["total"]), [unbase64(aunt) for aunt in proof["aunts"]]) == unhex(expected), "a path leads elsewhere")

def transaction(raw, chain_id):
    tx, write = json.loads(raw), lambda value: json.dumps(value, separators=(",", ":"), sort_keys=True)
    kind = "cancel" if "signer" in tx else "transfer"
    check(write(tx).encode() == raw and set(tx) - ({"reference", "validUntil"} if kind == "transfer" else set()) == MEMBERS[kind], "it is no transfer or cancel")
    bits = 0
    for character in (tx["signer"] if kind == "cancel" else tx["from"]).split("1", 1)[1][:-6]: bits = bits << 5 | CHARSET.index(character)
    text = f"txledger-{kind}-v1\n{write({name: value for name, value in tx.items() if name != 'signature'})}"
    signed_by((bits >> 4).to_bytes(32, "big"), bytes.fromhex(tx["signature"]), text.encode())
    check(tx["chainId"] == chain_id, "the transaction is of another chain")
    return {"kind": kind, **{name: value for name, value in tx.items() if name != "signature"}}
def set_hash(validators): return root([message(1, data(1, key)) + integer(2, power) for key, power in validators]).hex().upper()
def address(key): return sha(key)[:20].hex().upper()
def block(part, chain_id, height):
    header, commit, signed = part["header"], part["commit"], 0
    validators = [(unbase64(v["pub_key"]["value"]), number(v["voting_power"])) for v in part["validators"]]
    leaves = [integer(1, number(header["version"]["block"])) + integer(2, number(header["version"]["app"])), data(1, header["chain_id"].encode())]
    leaves += [integer(1, number(header["height"])), stamp(header["time"]), block_id(header["last_block_id"])] + [data(1, unhex(header[name])) for name in HASHES.split()]
    check(root(leaves).hex().upper() == commit["block_id"]["hash"] and header["height"] == commit["height"] == str(height) and header["chain_id"] == chain_id, f"the header of block {height} is another one")
    check(set_hash(validators) == header["validators_hash"] and len(validators) == len(commit["signatures"]), f"block {height} has other validators")
    for v, (key, power), s in zip(part["validators"], validators, commit["signatures"]):
        check(v["address"] == address(key) and v["pub_key"]["type"] == "tendermint/PubKeyEd25519", "an address is not that of its key")
        if s == {"block_id_flag": 1, "validator_address": "", "timestamp": "0001-01-01T00:00:00Z", "signature": None}: continue
        check(s["block_id_flag"] == 2 and s["validator_address"] == v["address"], "a signature is of another validator")
        vote = integer(1, 2) + fixed(2, height) + fixed(3, commit["round"]) + message(4, block_id(commit["block_id"])) + message(5, stamp(s["timestamp"])) + data(6, chain_id.encode())
        signed_by(key, unbase64(s["signature"]), varint(len(vote)) + vote)
        signed += power
    check(3 * signed > 2 * sum(power for _, power in validators), f"too few validators signed block {height}")

def verify(receipt, trust):
    raw, result, first, second, height = unbase64(receipt["transaction"]), receipt["result"], receipt["block"], receipt["nextBlock"], receipt["height"]
    check(sha(raw).hex().upper() == receipt["txHash"], "txHash is not the hash of the transaction")
    proven = transaction(raw, receipt["chainId"])
    block(first, receipt["chainId"], height)
    block(second, receipt["chainId"], height + 1)
    check(second["header"]["last_block_id"] == first["commit"]["block_id"], "the second block does not follow the first")
    check(second["header"]["validators_hash"] == first["header"]["next_validators_hash"], "the validators of the second block are not those that the first names")
    prove(sha(raw), receipt, receipt["transactionProof"], first["header"]["data_hash"])
    returned = b"" if result["data"] is None else only(result["data"], unbase64(result["data"]))
    leaf = integer(1, number(str(result["code"]))) + data(2, returned) + integer(5, number(result["gas_wanted"])) + integer(6, number(result["gas_used"]))
    prove(leaf, receipt, receipt["resultProof"], second["header"]["last_results_hash"])
    if isinstance(trust, dict):
        powers = [(base64.b64decode(v["pub_key"]["value"]), int(v["power"])) for v in trust["validators"]]
        known = set_hash(sorted(powers, key=lambda v: (-v[1], address(v[0]))))
        check(trust["chain_id"] == receipt["chainId"] and known == first["header"]["validators_hash"], "the validators of genesis did not sign this; trust the hash of a header instead")
    else:
        check(trust in (f"{height}:{first['commit']['block_id']['hash']}", f"{height + 1}:{second['commit']['block_id']['hash']}"), "neither block is the trusted one")
    return {**proven, "txHash": receipt["txHash"], "code": result["code"], "height": height, "time": first["header"]["time"]}

trust = sys.argv[1].upper() if re.fullmatch("[0-9]+:[0-9A-Fa-f]{64}", sys.argv[1]) else json.load(open(sys.argv[1]))
refused = 0
for line in (line for file in sys.argv[2:] for line in open(file)):
    try: print("proven", json.dumps(verify(json.loads(line), trust)))
    except Exception as error: refused += 1; print("refused:", error or type(error).__name__)
sys.exit(f"{refused} receipts prove nothing" if refused else 0)
