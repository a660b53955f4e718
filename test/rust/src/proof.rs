//! Merkle proofs as tendermint-rs reads them, worked out with its own hashes: the crate has the types and no verification.

use prost::Message;
use tendermint::crypto::default::Sha256;
use tendermint::crypto::Sha256 as _;
use tendermint::merkle::proof::ProofOps;
use tendermint::merkle::{Hash, MerkleHash, Proof};
use tendermint_proto::v0_38::crypto::ValueOp;

/// The root that a leaf and its aunts lead to (RFC 6962), undefined where their number does not fit the place of the leaf.
fn root(leaf: Hash, index: u64, total: u64, aunts: &[Hash]) -> Option<Hash> {
    match (total, aunts.split_last()) {
        (1, None) => (index == 0).then_some(leaf),
        (0 | 1, _) | (_, None) => None,
        (_, Some((aunt, rest))) => {
            let split = total.next_power_of_two() / 2;
            let mut hasher = Sha256::default();
            if index < split {
                Some(hasher.inner_hash(root(leaf, index, split, rest)?, *aunt))
            } else {
                Some(hasher.inner_hash(*aunt, root(leaf, index - split, total - split, rest)?))
            }
        }
    }
}

fn hash_of(bytes: &[u8]) -> Option<Hash> {
    bytes.try_into().ok()
}

/// The data_hash of the block that a transaction is proved to be in.
pub fn data_hash(tx: &[u8], proof: &Proof) -> Option<Hash> {
    let leaf = Sha256::default().leaf_hash(&Sha256::digest(tx));
    let aunts = proof.aunts.iter().map(|aunt| hash_of(aunt.as_bytes())).collect::<Option<Vec<_>>>()?;
    root(leaf, proof.index, proof.total, &aunts)
}

/// A length in one byte, which is what keys and hashes here have, and then the bytes.
fn prefixed(bytes: &[u8]) -> Option<Vec<u8>> {
    let length = u8::try_from(bytes.len()).ok().filter(|length| *length < 0x80)?;
    Some([&[length], bytes].concat())
}

/// The app_hash that a value is proved to be under, through the store and the tree of all stores.
pub fn app_hash(value: &[u8], proof: &ProofOps) -> Option<Hash> {
    let mut bytes = value.to_vec();
    for op in &proof.ops {
        let ValueOp { key, proof } = ValueOp::decode(op.data.as_slice()).ok()?;
        let proof = proof?;
        if op.field_type != "simple:v" || key != op.key {
            return None;
        }
        let leaf = Sha256::default().leaf_hash(&[prefixed(&key)?, prefixed(&Sha256::digest(&bytes))?].concat());
        let aunts = proof.aunts.iter().map(|aunt| hash_of(aunt)).collect::<Option<Vec<_>>>()?;
        bytes = root(leaf, proof.index.try_into().ok()?, proof.total.try_into().ok()?, &aunts)?.to_vec();
    }
    hash_of(&bytes)
}
