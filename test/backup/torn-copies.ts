/** Data folders that someone put together by hand: each is refused at the start, with a sentence and exit code 2. */
import { once } from 'node:events';
import { cpSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { freePort, Server } from '../e2e/support/server.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';

export interface Moments {
  /** A backup of an early moment, restored. */
  early: string;
  /** chain.db alone, copied with `cp` while the service ran, before much was written. */
  torn: string;
  /** The folder of the service, killed later. */
  killed: string;
}

interface Copy {
  what: string;
  /** Changes a copy of the killed folder. */
  make: (folder: string, moments: Moments) => void;
  /** What the start says that refuses it. */
  told: RegExp;
  /** It may start as well. */
  mayBeWhole?: boolean;
}

const chainFiles = (folder: string): string[] =>
  ['chain.db', 'chain.db-wal', 'chain.db-shm'].map((name) => path.join(folder, name));

const removeDerived = (folder: string): void => {
  for (const name of ['statements.db', 'search.db'])
    for (const suffix of ['', '-wal', '-shm']) rmSync(path.join(folder, `${name}${suffix}`), { force: true });
};

function withEarlyChain(folder: string, { early }: Moments): void {
  for (const file of chainFiles(folder)) rmSync(file, { force: true });
  cpSync(path.join(early, 'chain.db'), path.join(folder, 'chain.db'));
}

const OLD_OR_DAMAGED =
  /chain\.db is (missing or an old copy|damaged)|A database in DATA_DIR is damaged|chain\.db is damaged/;

const COPIES: readonly Copy[] = [
  {
    what: 'half a file',
    make: (folder) =>
      truncateSync(
        path.join(folder, 'chain.db'),
        Math.floor(statSync(path.join(folder, 'chain.db')).size / 8192) * 4096,
      ),
    told: OLD_OR_DAMAGED,
  },
  {
    what: 'a missing write-ahead log',
    make: (folder) =>
      chainFiles(folder)
        .slice(1)
        .forEach((file) => rmSync(file, { force: true })),
    // log.db has what comes behind a checkpoint that was finished; of one that the kill met chain.db has some pages.
    told: OLD_OR_DAMAGED,
    mayBeWhole: true,
  },
  { what: 'an old chain.db beside all the rest', make: withEarlyChain, told: /chain\.db is missing or an old copy/ },
  {
    what: 'an old chain.db after a kill, with nothing but priv_validator_state.json to tell it',
    make: (folder, moments) => {
      withEarlyChain(folder, moments);
      removeDerived(folder);
    },
    told: /chain\.db is missing or an old copy: priv_validator_state\.json says height/,
  },
  {
    what: 'an old chain.db with a newer statements.db alone',
    make: (folder, moments) => {
      withEarlyChain(folder, moments);
      cpSync(path.join(moments.early, 'priv_validator_state.json'), path.join(folder, 'priv_validator_state.json'));
    },
    told: /chain\.db is missing or an old copy: (statements|search)\.db knows block/,
  },
  {
    what: 'no chain.db at all',
    make: (folder) => chainFiles(folder).forEach((file) => rmSync(file, { force: true })),
    told: /chain\.db is missing or an old copy/,
  },
  {
    what: 'a cp of the running service: chain.db of one moment, its log of a later one',
    make: (folder, { torn }) => cpSync(torn, path.join(folder, 'chain.db')),
    told: OLD_OR_DAMAGED,
  },
];

/** @returns what was not told, one line each. */
export async function refuseTornCopies(
  moments: Moments,
  parent: string,
): Promise<{ refused: number; faults: string[] }> {
  const faults: string[] = [];
  for (const [index, { what, make, told, mayBeWhole = false }] of COPIES.entries()) {
    const folder = path.join(parent, `torn-${index}`);
    copyDataDir(moments.killed, folder);
    make(folder, moments);
    const server = new Server({ dataDir: folder, port: await freePort(), variables: { LOG_LEVEL: 'error' } });
    const child = server.spawn();
    const ready = setInterval(() => {
      if (server.output.includes('"msg":"ready"') || server.output.includes('Transaction Ledger'))
        child.kill('SIGKILL');
    }, 50);
    const [code] = (await once(child, 'close')) as [number | null];
    clearInterval(ready);
    const isRight = (mayBeWhole && code === null) || (code === 2 && told.test(server.output));
    if (!isRight || /\n\s+at /.test(server.output))
      faults.push(`${what}: ended with ${code}, and said ${JSON.stringify(server.output.slice(-1500))}`);
    renameSync(folder, `${folder}-done`);
  }
  return { refused: COPIES.length - faults.length, faults };
}
