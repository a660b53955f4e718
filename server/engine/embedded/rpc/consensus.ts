/**
 * Methods about consensus, validators and genesis (rpc/core/consensus.go and net.go, v0.38).
 *
 * One validator decides every block in round 0, so the state of consensus is always the same: the next height, its first step, no votes
 * yet.
 */
import { formatTime, NS_PER_MS, upperHex } from '../../encoding/index.ts';
import type { RpcMethod } from '../../port.ts';
import type { Arguments } from '../../rpc/arguments.ts';
import { badRequest, notFound } from '../../rpc/failure.ts';
import { JsonText } from '../../rpc/page-text.ts';
import { pageOf } from '../../rpc/pages.ts';
import type { RpcContext, RpcHandler } from './context.ts';
import { heightOf } from '../../rpc/heights.ts';
import { validatorsJson } from './validator-json.ts';

/** RoundStepNewHeight: waiting for the time of the next block. */
const STEP_NEW_HEIGHT = 1;
/** Bytes of a hash or a signature that appear in a vote's text. */
const FINGERPRINT_BYTES = 6;

/** Height for validators and parameters, which exist for the next block already. */
function plannedHeight({ chain }: RpcContext, args: Arguments): number {
  return heightOf(args, chain.tip.height + 1);
}

function validators(context: RpcContext, args: Arguments) {
  const height = plannedHeight(context, args);
  const all = validatorsJson(context.genesis);
  const { skip, take } = pageOf(args, all.length);
  const page = all.slice(skip, skip + take);
  return { block_height: String(height), validators: page, count: String(page.length), total: String(all.length) };
}

function consensusParams(context: RpcContext, args: Arguments) {
  return {
    block_height: String(plannedHeight(context, args)),
    consensus_params: context.genesisText.consensusParams(),
  };
}

/** The time at which the last block was signed, and at which the next one begins. */
function times({ chain, blockIntervalMs }: RpcContext): { commitNs: bigint; startNs: bigint } {
  const commitNs = chain.tip.commit.signatures[0]?.timestampNs ?? chain.constants.genesisTimeNs;
  return { commitNs, startNs: commitNs + BigInt(blockIntervalMs) * NS_PER_MS };
}

function votesJson(power: string) {
  const none = `BA{1:_} 0/${power} = 0.00`;
  return [
    {
      round: 0,
      prevotes: ['nil-Vote'],
      prevotes_bit_array: none,
      precommits: ['nil-Vote'],
      precommits_bit_array: none,
    },
  ];
}

function validatorSetJson({ genesis }: RpcContext) {
  const all = validatorsJson(genesis);
  return { validators: all, proposer: all[0] };
}

function fingerprint(bytes: Uint8Array): string {
  return upperHex(bytes.subarray(0, FINGERPRINT_BYTES));
}

/** The precommits of the last block (types/vote_set.go and vote.go: String); null before the first. */
function lastCommitJson({ chain, genesis }: RpcContext) {
  const { height, id, commit } = chain.tip;
  const [sig] = commit.signatures;
  if (sig === undefined) return null;
  const power = String(genesis.validators[0]?.power);
  const vote =
    `Vote{0:${fingerprint(sig.validatorAddress)} ${height}/00/SIGNED_MSG_TYPE_PRECOMMIT(Precommit) ${fingerprint(id.hash)} ` +
    `${fingerprint(sig.signature)} ${'0'.repeat(2 * FINGERPRINT_BYTES)} @ ${formatTime(sig.timestampNs)}}`;
  return { votes: [vote], votes_bit_array: `BA{1:x} ${power}/${power} = 1.00`, peer_maj_23s: {} };
}

function consensusState(context: RpcContext) {
  const { chain, genesis } = context;
  const [validator] = validatorsJson(genesis);
  return {
    round_state: {
      'height/round/step': `${chain.tip.height + 1}/0/${STEP_NEW_HEIGHT}`,
      start_time: formatTime(times(context).startNs),
      proposal_block_hash: '',
      locked_block_hash: '',
      valid_block_hash: '',
      height_vote_set: votesJson(validator?.voting_power ?? '0'),
      proposer: { address: validator?.address, index: 0 },
    },
  };
}

function dumpConsensusState(context: RpcContext) {
  const { chain, genesis } = context;
  const { commitNs, startNs } = times(context);
  const lastCommit = lastCommitJson(context);
  return {
    round_state: {
      height: String(chain.tip.height + 1),
      round: 0,
      step: STEP_NEW_HEIGHT,
      start_time: formatTime(startNs),
      commit_time: formatTime(commitNs),
      validators: validatorSetJson(context),
      proposal: null,
      proposal_block: null,
      proposal_block_parts: null,
      locked_round: -1,
      locked_block: null,
      locked_block_parts: null,
      valid_round: -1,
      valid_block: null,
      valid_block_parts: null,
      votes: votesJson(String(genesis.validators[0]?.power)),
      commit_round: -1,
      last_commit: lastCommit,
      last_validators: lastCommit === null ? { validators: [], proposer: null } : validatorSetJson(context),
      triggered_timeout_precommit: false,
    },
    peers: [],
  };
}

function genesis({ genesisText }: RpcContext) {
  if (!genesisText.isShort) throw badRequest('genesis response is large, please use the genesis_chunked API instead');
  return new JsonText(`{"genesis":${genesisText.text()}}`);
}

function genesisChunked({ genesisText }: RpcContext, args: Arguments) {
  const chunk = args.integer('chunk');
  const total = genesisText.chunkCount();
  if (chunk < 0n || chunk >= BigInt(total)) throw notFound(`there are ${total - 1} chunks, ${chunk} is invalid`);
  return { chunk: String(chunk), total: String(total), data: genesisText.chunk(Number(chunk)) };
}

function broadcastEvidence(_context: RpcContext, args: Arguments): never {
  if (args.text('evidence') === '') throw badRequest('no evidence was provided');
  // Evidence needs validators who can punish each other.
  throw badRequest('evidence has no meaning here: one validator signs this chain alone');
}

export const CONSENSUS_METHODS = {
  broadcast_evidence: broadcastEvidence,
  consensus_params: consensusParams,
  consensus_state: consensusState,
  dump_consensus_state: dumpConsensusState,
  genesis,
  genesis_chunked: genesisChunked,
  validators,
} satisfies Partial<Record<RpcMethod, RpcHandler>>;
