/**
 * Judges a disk: starts the real server on it, compares what it says with what clients were told before the power was cut, has it make another block,
 * ends it, and of some has `txledger verify` execute the chain again from genesis.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { verifyFolder } from '../../server/app/backup/verify.ts';
import { chainOf, type Chain } from '../e2e/support/chain.ts';
import { freePort, type Program, Server } from '../e2e/support/server.ts';
import type { Claim } from './claims.ts';
import { Connection } from './load.ts';
import { endInTime, SERVER_VARIABLES } from './lives.ts';

/** What nobody of the load sends from. */
const OWN_ACCOUNT = 9;
/** So many of the highest blocks that clients were shown are compared; RPC gives twenty headers at once. */
const HEADERS_MAX = 20;
const FAULTS_SHOWN_MAX = 5;

/** What was said before a cut, in the shape in which a disk is asked for it. */
export class Told {
  readonly transfers = new Map<string, Extract<Claim, { kind: 'transfer' }>>();
  readonly blocks = new Map<number, string>();
  /** Two blocks of one height were shown. */
  readonly contradictions: string[] = [];

  /** In order: what is final is never said otherwise later. */
  add(claim: Claim): void {
    if (claim.kind === 'block') {
      const known = this.blocks.get(claim.height);
      if (known !== undefined && known !== claim.hash)
        this.contradictions.push(`two blocks of height ${claim.height} were shown: ${known} and ${claim.hash}`);
      this.blocks.set(claim.height, claim.hash);
      return;
    }
    const known = this.transfers.get(claim.txHash);
    if (known === undefined || known.status === 'pending')
      this.transfers.set(claim.txHash, {
        ...claim,
        isCancelRequested: claim.isCancelRequested || known?.isCancelRequested === true,
      });
    // An answer that was made before may be sent behind it: pending is no contradiction.
    else if (
      claim.status !== 'pending' &&
      (claim.status !== known.status || (claim.height ?? known.height) !== known.height)
    )
      this.contradictions.push(
        `${claim.txHash} was ${known.status} at height ${known.height}, and later ${claim.status} at height ${claim.height}`,
      );
  }
}

/** @returns what is wrong with it, a sentence each. */
export async function judgeDisk(dataDir: string, told: Told, program: Program, isVerified: boolean): Promise<string[]> {
  const variables = { ...SERVER_VARIABLES, HTTP_THREADS: '1' };
  const server = new Server({ dataDir, port: await freePort(), variables, program });
  const faults = [...told.contradictions];
  try {
    await server.start();
    const chain = chainOf(server, JSON.parse(readFileSync(path.join(dataDir, 'dev.json'), 'utf8')));
    const connection = new Connection(chain);
    try {
      const { status } = await connection.ask('GET', '/transactions?limit=1');
      // The token is part of what must be there.
      if (status !== 200) throw new Error(`the list is answered ${status}`);
      faults.push(...compareTransfers(await chain.list(), told));
      faults.push(...(await compareBlocks(connection, told)));
      faults.push(...(await goesOn(connection, chain, told)));
    } finally {
      connection.close();
    }
    const code = await endInTime(server);
    if (code !== 0) faults.push(`the server ended with ${code}`);
    if (isVerified) faults.push(...(await verified(dataDir)));
  } catch (error) {
    faults.push((error as Error).message);
  } finally {
    await server.stop('SIGKILL');
  }
  const more = faults.length - FAULTS_SHOWN_MAX;
  return more > 0 ? [...faults.slice(0, FAULTS_SHOWN_MAX), `and ${more} more`] : faults;
}

async function verified(folder: string): Promise<string[]> {
  const { fault } = await verifyFolder({
    folder,
    env: {},
    cwd: folder,
    isQuick: false,
    from: 1,
    onProgress: () => undefined,
  });
  return fault === undefined ? [] : [fault];
}

type Listed = Awaited<ReturnType<Chain['list']>>[number];

function* compareTransfers(listed: readonly Listed[], told: Told): Generator<string> {
  const there = new Map(listed.map((transfer) => [transfer.txHash, transfer]));
  if (there.size < listed.length) yield `${listed.length - there.size} transfers are listed twice`;
  for (const { txHash, status, height, isCancelRequested } of told.transfers.values()) {
    const found = there.get(txHash);
    if (found === undefined) {
      yield `${txHash} was acknowledged (${status}) and is not there`;
    } else if (status !== 'pending' && (found.status !== status || found['height'] !== height)) {
      yield `${txHash} was ${status} at height ${height} and is ${found.status} at ${String(found['height'])}`;
    } else if (isCancelRequested && found.status === 'pending' && reasonOf(found) !== 'cancel_requested') {
      yield `the cancel of ${txHash} was acknowledged and is not there`;
    }
  }
}

const reasonOf = (transfer: Listed): string | undefined => (transfer['reason'] as { code?: string } | undefined)?.code;

async function compareBlocks(connection: Connection, { blocks }: Told): Promise<string[]> {
  const highest = Math.max(0, ...blocks.keys());
  if (highest === 0) return [];
  const { body } = await connection.ask('POST', '/rpc/blockchain', {
    minHeight: String(Math.max(1, highest - HEADERS_MAX + 1)),
    maxHeight: String(highest),
  });
  const metas = (body.result?.block_metas ?? []) as { block_id: { hash: string }; header: { height: string } }[];
  const found = new Map(metas.map(({ block_id: { hash }, header }) => [Number(header.height), hash]));
  return [...blocks]
    .filter(([height]) => height > highest - HEADERS_MAX)
    .flatMap(([height, hash]) =>
      found.get(height) === hash
        ? []
        : `block ${height} was shown as ${hash} and is ${found.get(height) ?? 'not there: another will be signed'}`,
    );
}

/** A payment is taken and committed, above every height that was shown. */
async function goesOn(connection: Connection, chain: Chain, { blocks }: Told): Promise<string[]> {
  const nonce = await chain.nextNonce(chain.account(OWN_ACCOUNT).address);
  const body = chain.signed(OWN_ACCOUNT, 0, 1n, nonce);
  const { status, body: answer } = await connection.ask('POST', '/transactions', body, { prefer: 'wait=10' });
  if (status !== 201) return [`a payment on it is answered ${status} ${JSON.stringify(answer)}`];
  const highest = Math.max(0, ...blocks.keys());
  return Number(answer.height) > highest
    ? []
    : [`a payment was committed at height ${answer.height}, and ${highest} was shown`];
}
