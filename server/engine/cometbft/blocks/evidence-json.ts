/**
 * Reads evidence from a node's JSON, with the bytes that `evidence_hash` of the header covers (types/evidence.go, v0.38). Evidence costs a
 * validator its power, so it is used only as far as the header commits to it.
 */
import { DuplicateVoteEvidence, LightClientAttackEvidence } from 'cosmjs-types/tendermint/types/evidence';
import type { Vote } from 'cosmjs-types/tendermint/types/types';
import type { Validator } from 'cosmjs-types/tendermint/types/validator';
import type { Misbehavior } from '../../../ledger/index.ts';
import {
  parseTime,
  splitNs,
  toBlockIdMessage,
  toCommitMessage,
  toHeaderMessage,
  upperHex,
  validatorAddress,
} from '../../encoding/index.ts';
import { commitOfJson } from '../trust/commit-json.ts';
import { blockIdOf, demand, headerOfJson, hex } from './header-json.ts';

export interface EvidenceOfBlock {
  /** The bytes of a leaf of the evidence tree. */
  readonly bytes: Uint8Array;
  /** The validators that it names, in the application's form: types/evidence.go, ABCI(). */
  readonly misbehavior: readonly Misbehavior[];
}

type Json = Readonly<Record<string, unknown>>;

/** More than any set of this ledger has (VALIDATORS_MAX). */
const VALIDATORS_READ_MAX = 1_024;
const INTEGER = /^-?[0-9]{1,19}$/;

const json = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** An int64 of Go: text, possibly below zero. */
function int64(value: unknown, name: string): bigint {
  demand(typeof value === 'string' && INTEGER.test(value), `${name} of its evidence is not an integer`);
  return BigInt(value);
}

function int32(value: unknown, name: string): number {
  demand(typeof value === 'number' && Number.isInteger(value), `${name} of its evidence is not an integer`);
  return value;
}

function base64(value: unknown, name: string): Uint8Array {
  demand(value === null || value === undefined || typeof value === 'string', `${name} of its evidence is no text`);
  return Buffer.from(value ?? '', 'base64');
}

function time(value: unknown): ReturnType<typeof splitNs> {
  const ns = typeof value === 'string' ? parseTime(value) : undefined;
  demand(ns !== undefined, 'a time of its evidence is none');
  return splitNs(ns);
}

function voteOf(value: unknown): Vote {
  const vote = json(value);
  return {
    type: int32(vote['type'], 'the type of a vote'),
    height: int64(vote['height'], 'the height of a vote'),
    round: int32(vote['round'], 'the round of a vote'),
    blockId: toBlockIdMessage(blockIdOf(vote['block_id'], 'block_id of a vote')),
    timestamp: time(vote['timestamp']),
    validatorAddress: hex(vote['validator_address'], 'validator_address of a vote'),
    validatorIndex: int32(vote['validator_index'], 'the index of a validator'),
    signature: base64(vote['signature'], 'a signature'),
    extension: base64(vote['extension'], 'an extension'),
    extensionSignature: base64(vote['extension_signature'], 'a signature of an extension'),
  };
}

function duplicateVote(value: Json): EvidenceOfBlock {
  const [voteA, voteB] = [voteOf(value['vote_a']), voteOf(value['vote_b'])];
  const bytes = DuplicateVoteEvidence.encode({
    voteA,
    voteB,
    totalVotingPower: int64(value['TotalVotingPower'], 'TotalVotingPower'),
    validatorPower: int64(value['ValidatorPower'], 'ValidatorPower'),
    timestamp: time(value['Timestamp']),
  }).finish();
  return {
    bytes,
    misbehavior: [
      { kind: 'duplicate_vote', validatorAddress: upperHex(voteA.validatorAddress), height: Number(voteA.height) },
    ],
  };
}

function validatorOf(value: unknown): Validator {
  const validator = json(value);
  return {
    address: hex(validator['address'], 'the address of a validator'),
    pubKey: { ed25519: base64(json(validator['pub_key'])['value'], 'a key') },
    votingPower: int64(validator['voting_power'], 'a power'),
    proposerPriority: int64(validator['proposer_priority'], 'a priority'),
  };
}

function validatorsOf(value: unknown): Validator[] {
  const validators = value ?? [];
  demand(
    Array.isArray(validators) && validators.length <= VALIDATORS_READ_MAX,
    'its evidence has no list of validators',
  );
  return validators.map(validatorOf);
}

function lightClientAttack(value: Json): EvidenceOfBlock {
  const { signed_header: signedHeader, validator_set: set } = json(value['ConflictingBlock']);
  const { header, commit } = json(signedHeader);
  const { validators, proposer } = json(set);
  const byzantineValidators = validatorsOf(value['ByzantineValidators']);
  const commonHeight = int64(value['CommonHeight'], 'CommonHeight');
  const bytes = LightClientAttackEvidence.encode({
    conflictingBlock: {
      signedHeader: {
        header: toHeaderMessage(headerOfJson(json(header))),
        commit: toCommitMessage(commitOfJson(commit)),
      },
      // Not among the bytes that are hashed.
      validatorSet: { validators: validatorsOf(validators), proposer: validatorOf(proposer), totalVotingPower: 0n },
    },
    commonHeight,
    byzantineValidators,
    totalVotingPower: int64(value['TotalVotingPower'], 'TotalVotingPower'),
    timestamp: time(value['Timestamp']),
  }).finish();
  const misbehavior = byzantineValidators.map(({ pubKey }): Misbehavior => ({
    kind: 'light_client_attack',
    validatorAddress: upperHex(validatorAddress(pubKey.ed25519 as Uint8Array)),
    height: Number(commonHeight),
  }));
  return { bytes, misbehavior };
}

/** Throws BlockLie when it is not evidence of a kind that CometBFT v0.38 has. */
export function evidenceOfJson(value: unknown): EvidenceOfBlock {
  const { type, value: content } = json(value);
  if (type === 'tendermint/DuplicateVoteEvidence') return duplicateVote(json(content));
  demand(type === 'tendermint/LightClientAttackEvidence', 'its evidence is of an unknown kind');
  return lightClientAttack(json(content));
}
