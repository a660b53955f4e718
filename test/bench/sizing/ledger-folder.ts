/** A chain of the embedded engine in a folder, in virtual time: blocks come as fast as they are made, and its files hold what those of a service hold. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedLedger, type EmbeddedLedger } from '../../../server/app/embedded-ledger.ts';
import { statementBlocks } from '../../../server/engine/embedded/sqlite-statement-blocks.ts';
import { validatorKeyFromSeed } from '../../../server/engine/embedded/index.ts';
import type { Logger } from '../../../server/engine/ports.ts';
import { StatementIndex } from '../../../server/engine/statements/index.ts';
import { createGatewayFront, type Gateway, type Principal } from '../../../server/gateway/index.ts';
import { openChainDatabase, openChainReader, type ChainConnection } from '../../../server/store/embedded/connection.ts';
import { openConnection } from '../../../server/store/sqlite/library.ts';
import { realClock } from '../../engine/support/real-clock.ts';
import { VirtualClock } from '../../engine/support/virtual-clock.ts';
import {
  operatorSeed,
  signedTransfer,
  testGenesis,
  type TransferOptions,
  validatorSeed,
} from '../../ledger/support.ts';

export const FILES = ['chain.db', 'search.db', 'statements.db'] as const;
export type Bytes = Record<(typeof FILES)[number], number>;

const BLOCK_MS = 1000;
const IDLE_MS = 60_000;
const POLL_MS = 20;
const PAYER: Principal = { tokenId: 'sizing', owner: 'partner-17', scopes: ['transactions:write'] };
const silent: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (fields, message) => console.error(message, fields),
};

export class LedgerFolder {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'txledger-sizing-'));
  readonly #genesis = testGenesis();
  readonly #clock = new VirtualClock(Date.parse(this.#genesis.genesisTime) + BLOCK_MS);
  #sql: ChainConnection | undefined;
  #ledger: EmbeddedLedger | undefined;

  file(name: string): string {
    return path.join(this.folder, name);
  }

  /** Everything that `work` leaves in the files, once they are closed and the statements are made. */
  async grows(work: () => Promise<void>): Promise<{ bytes: Bytes; blocks: number }> {
    const before = this.#bytes();
    await this.#open();
    const { height } = this.#opened().engine.tip;
    await work();
    const blocks = this.#opened().engine.tip.height - height;
    const reached = this.#opened().engine.tip.height;
    await this.#close();
    await this.#makeStatements(reached);
    const after = this.#bytes();
    return { blocks, bytes: Object.fromEntries(FILES.map((name) => [name, after[name] - before[name]])) as Bytes };
  }

  async idle(blocks: number): Promise<void> {
    const until = this.#opened().engine.tip.height + blocks;
    while (this.#opened().engine.tip.height < until) await this.#clock.advance(IDLE_MS);
  }

  /** Has them accepted together, and lets blocks decide them. */
  async pay(transfers: readonly TransferOptions[]): Promise<void> {
    const { core } = this.#opened();
    const gateway = createGatewayFront(core, { chain: this.#genesis, clock: this.#clock });
    const answers = await Promise.all(transfers.map((options) => submit(gateway, options)));
    const refused = answers.find((answer) => !answer.ok);
    if (refused !== undefined) throw new Error(`a transfer was refused: ${JSON.stringify(refused)}`);
    // The block with them, and the one after a block that changed the state.
    await this.#clock.advance(2 * BLOCK_MS);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #opened(): EmbeddedLedger {
    if (this.#ledger === undefined) throw new Error('the ledger is not open');
    return this.#ledger;
  }

  async #open(): Promise<void> {
    const file = this.file('chain.db');
    this.#sql = openChainDatabase({ path: file });
    this.#ledger = await openEmbeddedLedger({
      sql: this.#sql,
      file,
      genesis: this.#genesis,
      dataDir: this.folder,
      validatorKey: validatorKeyFromSeed(validatorSeed(0)),
      blockIntervalMs: BLOCK_MS,
      idleBlockMs: IDLE_MS,
      operatorSeed: operatorSeed(0),
      gatewayId: 'sizing',
      fronts: 1,
      clock: this.#clock,
      logger: silent,
      onFatal: (error) => {
        throw error;
      },
    });
    await this.#clock.advance(0);
  }

  async #close(): Promise<void> {
    await this.#ledger?.core.close();
    await this.#ledger?.close();
    this.#sql?.close();
  }

  async #makeStatements(height: number): Promise<void> {
    const sql = openChainReader(this.file('chain.db'));
    const index = new StatementIndex({
      path: this.file('statements.db'),
      genesis: this.#genesis,
      source: statementBlocks(sql),
      clock: realClock,
      logger: silent,
    });
    while (index.height < height && index.failure === '') await sleep(POLL_MS);
    index.close();
    sql.close();
    if (index.failure !== '') throw new Error(`the statements could not be made: ${index.failure}`);
  }

  #bytes(): Bytes {
    return Object.fromEntries(FILES.map((name) => [name, bytesOf(this.file(name))])) as Bytes;
  }
}

function submit(gateway: Gateway, options: TransferOptions): ReturnType<Gateway['submit']> {
  const { from, to, amount, nonce, reference, signature } = signedTransfer(options).tx;
  return gateway.submit(
    { from, to, amount: amount.toString(), nonce, ...(reference !== undefined && { reference }), signature },
    PAYER,
  );
}

/** Pages in use: what is free is used again before the file grows. */
export function bytesOf(file: string): number {
  if (!existsSync(file)) return 0;
  const sql = openConnection(file);
  const one = (name: string): number => Number(sql.pragma(name, { simple: true }));
  const bytes = (one('page_count') - one('freelist_count')) * one('page_size');
  sql.close();
  return bytes;
}
