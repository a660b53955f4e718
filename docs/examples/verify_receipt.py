"""Verify receipts offline: verify_receipt.py TRUST FILE..., TRUST is a genesis file or HEIGHT:HASH of a header. A FILE holds one receipt, or one a line."""
import base64, calendar, hashlib, json, re, struct, sys, time
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"  # bech32m
TRANSFER, CANCEL = {"amount", "chainId", "from", "nonce", "signature", "to"}, {"chainId", "from", "nonce", "signature", "signer", "txHash"}
HASHES = "last_commit_hash data_hash validators_hash next_validators_hash consensus_hash app_hash last_results_hash evidence_hash proposer_address"
ABSENT = {"block_id_flag": 1, "validator_address": "", "timestamp": "0001-01-01T00:00:00Z", "signature": None}

def check(holds, what):
    if not holds: raise ValueError(what)
def only(holds, value):  # each value has one text, so that no byte can be changed unnoticed
    check(holds, "a member is not in its one form"); return value
def unhex(text): return only(re.fullmatch("([0-9A-F]{2})*", text), bytes.fromhex(text))
def unbase64(text): return only(base64.b64encode(base64.b64decode(text)).decode() == text, base64.b64decode(text))
def number(text): return only(str(int(text)) == text, int(text))
def count(value): return only(type(value) is int, value)
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def signed_by(key, signature, signed): Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)  # or raises

# Protobuf, as CometBFT hashes and signs it: what is 0 or empty is left out.
def varint(n): return bytes([n]) if 0 <= n < 128 else bytes([n & 127 | 128]) + varint((n & 2**64 - 1) >> 7)
def integer(field, n): return bytes([field << 3]) + varint(n) if n else b""
def fixed(field, n): return bytes([field << 3 | 1]) + struct.pack("<q", n) if n else b""
def message(field, value): return bytes([field << 3 | 2]) + varint(len(value)) + value
def data(field, value): return message(field, value) if value else b""
def block_id(i): return data(1, unhex(i["hash"])) + message(2, integer(1, count(i["parts"]["total"])) + data(2, unhex(i["parts"]["hash"])))
def stamp(text):
    second, fraction = re.fullmatch(r"(.{19})(?:\.([0-9]{0,8}[1-9]))?Z", text).groups("")
    at = calendar.timegm(time.strptime(second, "%Y-%m-%dT%H:%M:%S"))
    return only(time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) == second, integer(1, at) + integer(2, int(fraction.ljust(9, "0"))))

# Merkle trees of RFC 6962.
def split(n): return 1 << (n - 1).bit_length() - 1  # the largest power of two below n
def root(leaves):
    if len(leaves) < 2: return sha(b"\0", leaves[0]) if leaves else sha()
    return sha(b"\1", root(leaves[: split(len(leaves))]), root(leaves[split(len(leaves)) :]))
def climb(node, index, total, aunts):
    check(0 <= index < total and (total > 1) == bool(aunts), "a path has not the steps of its place")
    if total == 1: return node
    if index < split(total): return sha(b"\1", climb(node, index, split(total), aunts[:-1]), aunts[-1])
    return sha(b"\1", aunts[-1], climb(node, index - split(total), total - split(total), aunts[:-1]))
def check_path(leaf, receipt, proof, expected):
    check(unbase64(proof["leaf_hash"]) == sha(b"\0", leaf) and proof["index"] == str(count(receipt["index"])), "a path begins elsewhere")
    check(proof["total"] == receipt["transactionProof"]["total"], "the paths are of blocks of different sizes")
    end = climb(sha(b"\0", leaf), number(proof["index"]), number(proof["total"]), [unbase64(aunt) for aunt in proof["aunts"]])
    check(end == unhex(expected), "a path leads elsewhere")

def check_transaction(raw, chain_id):
    tx, write = json.loads(raw), lambda value: json.dumps(value, separators=(",", ":"), sort_keys=True)
    kind = "cancel" if "signer" in tx else "transfer"
    check(set(tx) == CANCEL or set(tx) - {"reference", "validUntil"} == TRANSFER, "it is no transfer or cancel")
    check(write(tx).encode() == raw and tx["chainId"] == chain_id, "the transaction is not in its one form, or of another chain")
    fields, bits = {name: value for name, value in tx.items() if name != "signature"}, 0
    for character in tx.get("signer", tx["from"]).split("1", 1)[1][:-6]: bits = bits << 5 | CHARSET.index(character)
    signed_by((bits >> 4).to_bytes(32, "big"), bytes.fromhex(tx["signature"]), f"txledger-{kind}-v1\n{write(fields)}".encode())
    return {"kind": kind, **fields}

def address(key): return sha(key)[:20].hex().upper()
def set_hash(validators): return root([message(1, data(1, key)) + integer(2, power) for key, power in validators]).hex().upper()
def check_block(block, chain_id, height):
    header, commit, signed = block["header"], block["commit"], 0
    leaves = [integer(1, number(header["version"]["block"])) + integer(2, number(header["version"]["app"])), data(1, header["chain_id"].encode())]
    leaves += [integer(1, number(header["height"])), stamp(header["time"]), block_id(header["last_block_id"])]
    hashed = root(leaves + [data(1, unhex(header[name])) for name in HASHES.split()])
    check(unhex(commit["block_id"]["hash"]) == hashed and header["chain_id"] == chain_id, f"the header of block {height} is another one")
    check(header["height"] == commit["height"] == str(height), f"the header or commit is not of block {height}")
    validators = [(unbase64(v["pub_key"]["value"]), number(v["voting_power"])) for v in block["validators"]]
    check(set_hash(validators) == header["validators_hash"] and len(validators) == len(commit["signatures"]), f"block {height} has other validators")
    for v, (key, power), s in zip(block["validators"], validators, commit["signatures"]):
        check(v["address"] == address(key) and v["pub_key"]["type"] == "tendermint/PubKeyEd25519", "an address is not that of its key")
        if count(s["block_id_flag"]) == 1 and s == ABSENT: continue
        check(s["block_id_flag"] == 2 and s["validator_address"] == v["address"], "a signature is of another validator")
        vote = integer(1, 2) + fixed(2, height) + fixed(3, count(commit["round"])) + message(4, block_id(commit["block_id"]))
        vote += message(5, stamp(s["timestamp"])) + data(6, chain_id.encode())
        signed_by(key, unbase64(s["signature"]), varint(len(vote)) + vote)
        signed += power
    check(3 * signed > 2 * sum(power for _, power in validators), f"too few validators signed block {height}")

def verify(receipt, trust):
    raw, result, block, after, height = (receipt[name] for name in ("transaction", "result", "block", "nextBlock", "height"))
    raw, chain_id = unbase64(raw), receipt["chainId"]
    check(sha(raw).hex().upper() == receipt["txHash"], "txHash is not the hash of the transaction")
    proven = check_transaction(raw, chain_id)
    check_path(sha(raw), receipt, receipt["transactionProof"], block["header"]["data_hash"])
    check_block(block, chain_id, height)
    check_block(after, chain_id, height + 1)
    check(after["header"]["last_block_id"] == block["commit"]["block_id"], "the next block does not follow the block")
    check(after["header"]["validators_hash"] == block["header"]["next_validators_hash"], "the next block has other validators than were announced")
    returned = b"" if result["data"] is None else only(result["data"], unbase64(result["data"]))
    leaf = integer(1, count(result["code"])) + data(2, returned) + integer(5, number(result["gas_wanted"])) + integer(6, number(result["gas_used"]))
    check_path(leaf, receipt, receipt["resultProof"], after["header"]["last_results_hash"])
    if isinstance(trust, dict):
        powers = [(base64.b64decode(v["pub_key"]["value"]), int(v["power"])) for v in trust["validators"]]
        known = set_hash(sorted(powers, key=lambda v: (-v[1], address(v[0]))))
        check((trust["chain_id"], known) == (chain_id, block["header"]["validators_hash"]), "other validators than those of genesis: trust a header's hash")
    else:
        check(trust in (f"{h}:{b['commit']['block_id']['hash']}" for h, b in ((height, block), (height + 1, after))), "the trusted header is another one")
    if proven["kind"] == "cancel": proven["cancels"] = proven["txHash"]
    return {**proven, "txHash": receipt["txHash"], "code": result["code"], "height": height, "time": block["header"]["time"]}

trust = sys.argv[1].upper() if re.fullmatch("[0-9]+:[0-9A-Fa-f]{64}", sys.argv[1]) else json.load(open(sys.argv[1]))
texts = [open(file).read() for file in sys.argv[2:]]
refused = 0
for receipt in (one for text in texts for one in (text.splitlines() if "}\n{" in text else [text])):
    try: print("proven", json.dumps(verify(json.loads(receipt), trust)))  # a payment only if kind is transfer and code is 0
    except Exception as error: refused += 1; print("refused:", error or type(error).__name__)
if refused: sys.exit(f"{refused} of the receipts prove nothing: do not rely on them.")
