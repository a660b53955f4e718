/**
 * Reads beside commits: a transfer is acknowledged on one connection while the HTTP threads are in the middle of longer reads, and asked for on every
 * other connection right then. So a commit falls into a read again and again, and the next read of that thread must not take what it saw for what is there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../client/chaos/chance.ts';
import { chainOf } from '../e2e/support/chain.ts';
import { freePort, type Program, Server } from '../e2e/support/server.ts';
import { BATCH, Connection } from './load.ts';

const HTTP_THREADS = 3;
/** The system shares connections out among the threads: with so many, a thread without one comes once in forty runs. */
const CONNECTIONS = 12;
/** Connections with a long read in each round. */
const LONG_READERS = 9;
/** They come with the transfer, or so long after it, so that its commit falls into them on faster and slower machines. */
const READ_AFTER_MS_MAX = 3;
/** Looks at every event and finds none, so that almost all of its time is a read of the database. */
const LONG_READ = '/events?status=failed&limit=1';
const SENDER = 8;
/** The accounts before that one send a batch each, for events to look at. */
const FILLERS = 2;
const FAULTS_MAX = 5;

export interface FreshnessOptions {
  rounds: number;
  random: Chance;
  program: Program;
  tell: (line: string) => void;
}

/** @returns what is wrong. */
export async function readBeside({ rounds, random, program, tell }: FreshnessOptions): Promise<string[]> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'txledger-freshness-'));
  const variables = {
    HTTP_THREADS: String(HTTP_THREADS),
    // A block commits too, and would end what is kept before a fault could show.
    BLOCK_INTERVAL_MS: '2000',
    LOG_LEVEL: 'warn',
    TXLEDGER_VALIDATE_RESPONSES: 'false',
  };
  const server = new Server({ dataDir, port: await freePort(), variables, program });
  const faults: string[] = [];
  try {
    await server.start();
    const chain = chainOf(server, await server.development());
    const open = (): Connection => new Connection(chain);
    const poster = open();
    for (let filler = 0; filler < FILLERS; filler += 1) {
      const transactions = Array.from({ length: BATCH }, (_, nonce) => chain.signed(filler, SENDER, 1n, nonce));
      await poster.ask('POST', '/transactions/batch', { transactions });
    }
    const bodies = Array.from({ length: rounds }, (_, nonce) => chain.signed(SENDER, 0, 1n, nonce));

    const long = Array.from({ length: LONG_READERS }, open);
    const readers = Array.from({ length: CONNECTIONS }, open);
    const address = chain.account(SENDER).address;
    for (const [round, body] of bodies.entries()) {
      const posted = poster.ask('POST', '/transactions', body);
      if (round % 2 === 0) await sleep(random() * READ_AFTER_MS_MAX);
      const longReads = long.map((connection) => connection.ask('GET', LONG_READ));
      const { status } = await posted;
      if (status !== 202) throw new Error(`a transfer was answered ${status}`);
      await Promise.all(
        readers.map(async (reader, index) => {
          const question = index % 2 === 0 ? `/transactions/${body.txHash}` : `/accounts/${address}`;
          const answer = await reader.ask('GET', question);
          if (answer.status !== 200) faults.push(`round ${round}: ${question} is answered ${answer.status}`);
          else if (index % 2 !== 0 && answer.body.nextNonce !== round + 1)
            faults.push(`round ${round}: the next nonce is ${answer.body.nextNonce}, and ${round} was taken`);
        }),
      );
      await Promise.all(longReads);
      if (faults.length >= FAULTS_MAX) break;
    }
    for (const connection of [poster, ...long, ...readers]) connection.close();
    tell(
      `${rounds * CONNECTIONS} reads right behind ${rounds} acknowledgements, beside long ones: ${faults.length} too old`,
    );
  } finally {
    await server.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
  return faults;
}
