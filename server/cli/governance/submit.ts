/**
 * `txledger governance submit`: submits a signed proposal to the chain and waits for the block that decides.
 *
 * A second run first looks up the outcome. A sequence is used once on the chain, so the change is made once, however often this runs and
 * whichever governors have signed.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  decodeTransaction,
  encodeTransaction,
  type Governance,
  txHash,
  verifyTransaction,
  withSignatures,
} from '../../ledger/index.ts';
import { type ConnectionOptions, type Service, serviceOf } from '../connection.ts';
import { CommandError } from '../failure.ts';
import { interruption } from '../interrupt.ts';
import { facts, note, print } from '../output.ts';
import { withProgress } from '../progress.ts';
import { chainStateOfService, type ChainState } from './chain-state.ts';
import { type Proposal, readProposal, signText } from './proposal-file.ts';
import { callRpc, RpcMethodError } from './rpc.ts';
import { explainGovernance, refusalSentence } from './words.ts';

/** Pause between two queries for a transaction that waits for its block. */
const LOOK_MS = 500;

export interface InBlock {
  readonly hash: string;
  readonly height: number;
  readonly code: number;
  readonly log: string;
  readonly tx: Governance;
}

interface TxAnswer {
  readonly hash: string;
  readonly height: string;
  readonly tx: string;
  readonly tx_result: { readonly code: number; readonly log?: string };
}

interface Waiting {
  readonly service: Service;
  readonly tx: Governance;
  readonly raw: Uint8Array;
  readonly hash: string;
  readonly endMs: number;
  readonly signal: AbortSignal;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const leftMs = ({ endMs }: Waiting): number => endMs - performance.now();

function inBlockOf({ hash, height, tx, tx_result: { code, log = '' } }: TxAnswer): InBlock | undefined {
  const decoded = decodeTransaction(Buffer.from(tx, 'base64'));
  return decoded.ok && decoded.tx.kind === 'governance'
    ? { hash, height: Number(height), code, log, tx: decoded.tx }
    : undefined;
}

/** Looks up this exact transaction in the blocks. */
async function find(waiting: Waiting): Promise<InBlock | undefined> {
  try {
    return inBlockOf(
      await callRpc<TxAnswer>(
        waiting.service,
        'tx',
        { hash: base64(Buffer.from(waiting.hash, 'hex')) },
        leftMs(waiting),
      ),
    );
  } catch (error) {
    // "tx (...) not found", or a block that is not indexed yet.
    if (error instanceof RpcMethodError) return undefined;
    throw error;
  }
}

/** Looks up the transaction that used the sequence. Governance that a block refused has no event, so the found one took effect. */
async function findBySequence(waiting: Waiting): Promise<InBlock | undefined> {
  const query = `governance.sequence = '${waiting.tx.sequence}'`;
  try {
    const { txs } = await callRpc<{ txs: readonly TxAnswer[] }>(
      waiting.service,
      'tx_search',
      { query },
      leftMs(waiting),
    );
    return txs.map(inBlockOf).find((found) => found?.tx.sequence === waiting.tx.sequence);
  } catch (error) {
    // The index may be behind or being rebuilt.
    if (error instanceof RpcMethodError) return undefined;
    throw error;
  }
}

function assertMaySubmit({ governance, chainId }: ChainState, tx: Governance): void {
  if (chainId !== tx.chainId)
    throw new CommandError(`The proposal is for ${tx.chainId}, and this is ${chainId}.`, 'usage', {
      code: 'wrong_chain',
    });
  if (tx.signatures.length < governance.threshold) {
    throw new CommandError(
      `Signed by ${tx.signatures.length} of the ${governance.threshold} governors whom the chain asks for. Let another one sign: txledger governance sign.`,
      'usage',
      { code: 'too_few_signatures' },
    );
  }
}

/** Broadcasts it repeatedly, because nodes drop transactions from their mempools. @throws CommandError for a refusal. */
async function broadcast(waiting: Waiting): Promise<void> {
  try {
    const { code, log } = await callRpc<{ code: number; log: string }>(
      waiting.service,
      'broadcast_tx_sync',
      { tx: base64(waiting.raw) },
      leftMs(waiting),
    );
    if (code === 0) return;
    // A block may have included it since the last query.
    if ((await find(waiting)) !== undefined) return;
    throw new CommandError(`The chain refuses it: ${refusalSentence(code, log)}`, 'refused', {
      code: 'refused',
      resultCode: code,
      txHash: waiting.hash,
    });
  } catch (error) {
    // "tx already exists in cache": it was broadcast before.
    if (!(error instanceof RpcMethodError)) throw error;
  }
}

async function untilInBlock(waiting: Waiting): Promise<InBlock> {
  for (;;) {
    const found = await find(waiting);
    if (found !== undefined) return found;
    if (leftMs(waiting) <= 0) {
      throw new CommandError(
        `No block has decided about ${waiting.hash} within the time; it may still take effect. Run the same command again.`,
        'unknown',
        { code: 'undecided', txHash: waiting.hash },
      );
    }
    await broadcast(waiting);
    await sleep(LOOK_MS, undefined, { signal: waiting.signal }).catch(() => waiting.signal.throwIfAborted());
  }
}

function report({ found, remark }: Decided): void {
  assertEffect(found);
  const { hash, height, code, tx } = found;
  const signers = tx.signatures.map(({ signer }) => signer);
  const explanation = explainGovernance(tx);
  print(
    {
      txHash: hash,
      height,
      code,
      explanation,
      sequence: tx.sequence,
      signers,
      ...(remark === undefined ? {} : { note: remark }),
    },
    [
      ...facts([
        ['hash', hash],
        ['block', `${height}`],
        ['signed by', signers.join(', ')],
      ]),
      `In effect. ${explanation}`,
      ...(remark === undefined ? [] : [remark]),
    ],
  );
}

/** The block that decided the change, with a remark if it was decided earlier. */
export interface Decided {
  readonly found: InBlock;
  readonly remark?: string;
}

/**
 * Submits a change that enough governors have signed; repeatable. @throws CommandError when the chain refuses it or has used its sequence
 * for another change.
 */
export async function bringToChain(
  { unsigned, signatures }: Pick<Proposal, 'unsigned' | 'signatures'>,
  options: ConnectionOptions,
): Promise<Decided> {
  const tx = withSignatures(unsigned, signatures);
  const raw = encodeTransaction(tx);
  const hash = txHash(raw);
  const service = serviceOf(options);
  const waiting: Waiting = {
    service,
    tx,
    raw,
    hash,
    endMs: performance.now() + options.timeout,
    signal: interruption(),
  };
  const chain = await chainStateOfService(options);
  const earlier = await find(waiting);
  if (earlier !== undefined) return { found: earlier, remark: 'It was in a block already.' };
  if (chain.governance.sequence > tx.sequence) {
    const other = await findBySequence(waiting);
    if (other !== undefined && signText(other.tx) === signText(tx))
      return { found: other, remark: 'It was in a block already, with other signatures.' };
    const by = other === undefined ? '' : ` by ${other.hash} in block ${other.height}`;
    throw new CommandError(
      `Sequence ${tx.sequence} is used${by}; the chain expects ${chain.governance.sequence}: propose it again.`,
      'refused',
      { code: 'sequence_used' },
    );
  }
  assertMaySubmit(chain, tx);
  const verdict = verifyTransaction({ chainId: chain.chainId, addressPrefix: chain.addressPrefix }, raw);
  if (!verdict.ok)
    throw new CommandError(
      `The chain would refuse it: ${refusalSentence(verdict.refusal.code, verdict.refusal.log)}`,
      'usage',
      { code: 'would_be_refused' },
    );
  note(`hash  ${hash}`);
  return { found: await withProgress('waiting for a block', untilInBlock(waiting)) };
}

/** @throws CommandError if the transaction is in its block without effect. */
export function assertEffect({ height, code, log, hash }: InBlock): void {
  if (code !== 0)
    throw new CommandError(`Block ${height} holds it without effect: ${refusalSentence(code, log)}`, 'refused', {
      code: 'refused',
      resultCode: code,
      txHash: hash,
      height,
    });
}

export async function submit(file: string, options: ConnectionOptions): Promise<void> {
  const proposal = readProposal(file);
  if (proposal.signatures.length === 0)
    throw new CommandError(`No governor has signed ${file}: txledger governance sign.`, 'usage', {
      code: 'too_few_signatures',
    });
  report(await bringToChain(proposal, options));
}
