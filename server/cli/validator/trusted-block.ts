/**
 * Chooses the trusted block for state sync: at least two nodes have to return it, and its header and signatures have to match.
 *
 * @module
 */
import { BlockLie, headerOfJson } from '../../engine/cometbft/blocks/header-json.ts';
import { commitOfJson } from '../../engine/cometbft/trust/commit-json.ts';
import { ValidatorSet } from '../../engine/cometbft/trust/validator-set.ts';
import { headerHash, upperHex } from '../../engine/encoding/index.ts';
import { createClock } from '../../app/environment.ts';
import { CommandError } from '../failure.ts';
import { askNode, type NodeAddress, nodeFacts, signedHeaderAt } from './node.ts';

/**
 * Distance below the newest block: as far as two snapshots of the default interval are apart, so that usually one snapshot is above the
 * block, and no node lacks the block.
 */
const BELOW_TOP_BLOCKS = 1000;
/** Validators that a node returns at one time; the ledger has no more (VALIDATORS_MAX). */
const VALIDATORS_A_PAGE = '100';

export interface TrustedBlock {
  readonly chainId: string;
  readonly height: number;
  /** Upper-case hex. */
  readonly hash: string;
  readonly time: string;
}

interface ValidatorsJson {
  readonly validators: readonly { readonly pub_key: { readonly value: string }; readonly voting_power: string }[];
}

async function blockOf(node: NodeAddress, height: number): Promise<TrustedBlock> {
  const [signed, { validators }] = await Promise.all([
    signedHeaderAt(node, height),
    askNode<ValidatorsJson>(node, 'validators', { height: String(height), per_page: VALIDATORS_A_PAGE }),
  ]);
  try {
    const header = headerOfJson(signed.header);
    const commit = commitOfJson(signed.commit);
    const hash = upperHex(headerHash(header));
    if (hash !== upperHex(commit.blockId.hash) || header.height !== height || commit.height !== height)
      throw new BlockLie('its commit is not of its header');
    const set = new ValidatorSet(
      validators.map(({ pub_key: key, voting_power: power }) => ({
        publicKey: Buffer.from(key.value, 'base64').toString('hex'),
        power: Number(power),
      })),
    );
    if (set.hash !== upperHex(header.validatorsHash)) throw new BlockLie('its validators are not those of its header');
    await set.assertCommitted(header.chainId, commit, createClock());
    return { chainId: header.chainId, height, hash, time: signed.header.time };
  } catch (error) {
    if (!(error instanceof BlockLie)) throw error;
    throw new CommandError(
      `The node at ${node.url} answers what cannot be block ${height}: ${error.message}.`,
      'refused',
      { code: 'false_answer', node: node.url },
    );
  }
}

/** @throws CommandError if the nodes disagree, or one of them returns an invalid block. */
export async function trustedBlock(
  nodes: readonly NodeAddress[],
  expected: { readonly chainId?: string; readonly height?: number } = {},
): Promise<TrustedBlock> {
  const facts = await Promise.all(nodes.map(nodeFacts));
  const top = Math.min(...facts.map(({ height }) => height));
  const base = Math.max(1, ...facts.map(({ earliestHeight }) => earliestHeight));
  const height = expected.height ?? Math.max(base, top - BELOW_TOP_BLOCKS);
  // For the newest block only this node has the commit.
  if (height >= top || height < base)
    throw new CommandError(
      `Height ${height} cannot be asked for: all of these nodes have commits from ${base} to ${top - 1}.`,
    );
  const blocks = await Promise.all(nodes.map((node) => blockOf(node, height)));
  const [first, ...others] = blocks as [TrustedBlock, ...TrustedBlock[]];
  const other = others.findIndex(({ hash, chainId }) => hash !== first.hash || chainId !== first.chainId);
  if (other >= 0) {
    throw new CommandError(
      `The nodes do not agree about block ${height}: ${nodes[0]?.url} has ${first.hash} of ${first.chainId}, ${nodes[other + 1]?.url} has ${others[other]?.hash} of ${others[other]?.chainId}. Trust neither before you know why.`,
      'refused',
      { code: 'nodes_disagree', height },
    );
  }
  if (expected.chainId !== undefined && first.chainId !== expected.chainId)
    throw new CommandError(`The nodes are of ${first.chainId}, and the home is of ${expected.chainId}.`, 'usage', {
      code: 'wrong_chain',
    });
  return first;
}
