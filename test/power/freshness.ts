/**
 * Reads beside commits: a transfer is acknowledged on one connection and asked for on every other right then, while each HTTP thread is in the middle of
 * longer reads. So a commit falls into a read again and again, and the next read of that thread must not take what it saw for what is there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chainOf } from '../e2e/support/chain.ts';
import { freePort, type Program, Server } from '../e2e/support/server.ts';
import { BATCH, Connection } from './load.ts';

const HTTP_THREADS = 3;
/** The system shares connections out among the threads: with so many, a thread without one comes once in forty runs. */
const CONNECTIONS = 12;
/** Connections that read without a rest. */
const LONG_READERS = 8;
/** Looks at every event and finds none, so that almost all of its time is a read of the database. */
const LONG_READ = '/events?status=failed&limit=1';
const SENDER = 8;
/** The accounts before that one send a batch each, for events to look at. */
const FILLERS = 6;
const FAULTS_MAX = 5;

export interface FreshnessOptions {
  rounds: number;
  program: Program;
  tell: (line: string) => void;
}

/** @returns what is wrong. */
export async function readBeside({ rounds, program, tell }: FreshnessOptions): Promise<string[]> {
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
  const state = { isOver: false };
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

    let longReads = 0;
    const long = Array.from({ length: LONG_READERS }, async () => {
      const connection = open();
      for (; !state.isOver; longReads += 1) await connection.ask('GET', LONG_READ);
      connection.close();
    });
    const readers = Array.from({ length: CONNECTIONS }, open);
    let asked = 0;
    for (const [round, body] of bodies.entries()) {
      const { status } = await poster.ask('POST', '/transactions', body);
      if (status !== 202) throw new Error(`a transfer was answered ${status}`);
      const address = chain.account(SENDER).address;
      await Promise.all(
        readers.map(async (reader, index) => {
          asked += 1;
          const question = index % 2 === 0 ? `/transactions/${body.txHash}` : `/accounts/${address}`;
          const answer = await reader.ask('GET', question);
          if (answer.status !== 200) faults.push(`round ${round}: ${question} is answered ${answer.status}`);
          else if (index % 2 !== 0 && answer.body.nextNonce !== round + 1)
            faults.push(`round ${round}: the next nonce is ${answer.body.nextNonce}, and ${round} was taken`);
        }),
      );
      if (faults.length >= FAULTS_MAX) break;
    }
    state.isOver = true;
    await Promise.all(long);
    for (const connection of [poster, ...readers]) connection.close();
    tell(
      `${asked} reads right behind ${rounds} acknowledgements, beside ${longReads} long ones: ${faults.length} too old`,
    );
  } finally {
    state.isOver = true;
    await server.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
  return faults;
}
