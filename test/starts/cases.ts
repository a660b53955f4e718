/**
 * What can be wrong with a folder, a file, a limit or an address when a server starts, and what the start has to say about it.
 *
 * A sentence, never a stack trace; 2 where starting again changes nothing, 1 where the same start may succeed later. What can be made again is
 * made again, with a line in the log.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface StartCase {
  name: string;
  /** What is done to a copy of a folder with a chain in it; without it the folder does not exist yet. */
  damage?: (folder: string) => void;
  command?: 'serve' | 'app';
  /** Read in the shell that starts the server: `ulimit -n 20`. */
  shell?: string;
  node?: readonly string[];
  variables?: (folder: string) => Record<string, string>;
  /** Exit code; undefined: it starts. */
  exit: 1 | 2 | undefined;
  says: RegExp;
}

const garbage = (name: string) => (folder: string) =>
  writeFileSync(
    path.join(folder, name),
    'this is neither a database nor JSON, and long enough to be looked at '.repeat(99),
    { mode: 0o600 },
  );
const empty = (name: string) => (folder: string) => writeFileSync(path.join(folder, name), '');
const half = (name: string) => (folder: string) =>
  truncateSync(path.join(folder, name), readFileSync(path.join(folder, name)).length >> 1);
const otherPages = (name: string) => (folder: string) =>
  writeFileSync(path.join(folder, name), readFileSync(path.join(folder, name)).fill(0xa5, 4096));
const inItsPlace = (name: string) => (folder: string) => {
  rmSync(path.join(folder, name), { force: true });
  mkdirSync(path.join(folder, name));
};
const changed = (name: string, change: (text: string) => string) => (folder: string) => {
  const file = path.join(folder, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
};
/** As an operator would serve the chain in the folder. */
const served = (folder: string): Record<string, string> => ({
  GENESIS_FILE: path.join(folder, 'genesis.json'),
  VALIDATOR_KEY_FILE: path.join(folder, 'priv_validator_key.json'),
  OPERATOR_KEY_FILE: path.join(folder, 'operator_key.json'),
});
const network = (folder: string): Record<string, string> => {
  const { GENESIS_FILE, OPERATOR_KEY_FILE } = served(folder);
  return { GENESIS_FILE, OPERATOR_KEY_FILE, ENGINE: 'cometbft', COMETBFT_RPC_URL: 'http://127.0.0.1:1' } as Record<
    string,
    string
  >;
};
const nothing = (): void => undefined;

export const CASES: readonly StartCase[] = [
  // The file that development programs read.
  {
    name: 'dev.json is empty',
    damage: empty('dev.json'),
    exit: 2,
    says: /dev\.json cannot be read as the JSON .*Remove it/,
  },
  {
    name: 'dev.json lost its end',
    damage: half('dev.json'),
    exit: 2,
    says: /dev\.json cannot be read as the JSON .*Remove it/,
  },
  {
    name: 'dev.json is of something else',
    damage: changed('dev.json', () => '{"token":"x","baseUrl":"http://127.0.0.1:1","accounts":[1]}'),
    exit: 2,
    says: /dev\.json is not the file .*Remove it/,
  },
  // The chain.
  {
    name: 'chain.db is no database',
    damage: garbage('chain.db'),
    exit: 2,
    says: /chain\.db is damaged or no database of this program.*Move .* away/,
  },
  { name: 'chain.db lost its end', damage: half('chain.db'), exit: 2, says: /chain\.db is damaged.*Move .* away/ },
  {
    name: 'chain.db has pages of something else',
    damage: otherPages('chain.db'),
    exit: 2,
    says: /chain\.db is damaged.*Move .* away/,
  },
  {
    name: 'chain.db has pages of something else, served',
    damage: otherPages('chain.db'),
    command: 'serve',
    variables: served,
    exit: 2,
    says: /chain\.db is damaged.*Make a new DATA_DIR of a backup/,
  },
  { name: 'chain.db is empty', damage: empty('chain.db'), exit: 2, says: /chain\.db is missing or an old copy/ },
  {
    name: 'chain.db is a folder',
    damage: inItsPlace('chain.db'),
    exit: 2,
    says: /chain\.db is a folder, expected a file/,
  },
  {
    name: 'the state of the validator is a folder',
    damage: inItsPlace('priv_validator_state.json'),
    exit: 2,
    says: /priv_validator_state\.json is a folder, expected a file/,
  },
  {
    name: 'log.db and chain.db are older than the witness of the log',
    damage: changed('log_witness.json', (text) => text.replace(/"seq": \d+/, '"seq": 1000000')),
    exit: 2,
    says: /log\.db is missing or an old copy: .*log_witness\.json says that its last entry was 1000000/,
  },
  {
    name: 'the witness of the log is no JSON',
    damage: garbage('log_witness.json'),
    exit: 2,
    says: /log_witness\.json cannot be read.*remove it if/,
  },
  {
    name: 'the witness of the log is gone, as in a folder of an earlier version',
    damage: (folder) => rmSync(path.join(folder, 'log_witness.json')),
    exit: undefined,
    says: /"msg":"ready"/,
  },
  {
    name: 'lock.db is no database',
    damage: garbage('lock.db'),
    exit: 2,
    says: /cannot be locked: lock\.db .*Remove .*lock\.db/,
  },
  // What is made from the blocks is made again.
  {
    name: 'search.db is no database',
    damage: garbage('search.db'),
    exit: undefined,
    says: /the search index is damaged: making it again/,
  },
  {
    name: 'search.db has pages of something else',
    damage: otherPages('search.db'),
    exit: undefined,
    says: /the search index is damaged: making it again/,
  },
  {
    name: 'search.db is a folder',
    damage: inItsPlace('search.db'),
    exit: 2,
    says: /search\.db is a folder, expected a file/,
  },
  {
    name: 'statements.db is no database',
    damage: garbage('statements.db'),
    exit: undefined,
    says: /the statements cannot be used: making them again/,
  },
  // What nothing else holds is not.
  {
    name: 'gateway.db is no database',
    damage: garbage('gateway.db'),
    command: 'serve',
    variables: network,
    exit: 2,
    says: /gateway\.db is damaged.*Make a new DATA_DIR/,
  },
  {
    name: 'app.db is no database',
    damage: garbage('app.db'),
    command: 'app',
    variables: (folder) => ({ ABCI_LISTEN: `unix://${folder}/abci.sock` }),
    exit: 2,
    says: /app\.db is damaged/,
  },
  // Genesis and keys.
  { name: 'the genesis is no JSON', damage: garbage('genesis.json'), exit: 2, says: /genesis\.json is not JSON/ },
  {
    name: 'the genesis is another one of the same chain',
    damage: changed('genesis.json', (text) =>
      text.replace(/"genesis_time":\s*"20\d\d/, (found) => found.replace(/20\d\d/, '2001')),
    ),
    exit: 2,
    says: /belongs to (another )?chain|does not belong to this chain/,
  },
  {
    name: 'the genesis is of another chain',
    damage: changed('genesis.json', (text) => text.replaceAll('txledger-dev-1', 'another-chain-1')),
    command: 'serve',
    variables: served,
    exit: 2,
    says: /another-chain-1/,
  },
  { name: 'the genesis is a folder', damage: inItsPlace('genesis.json'), exit: 2, says: /genesis\.json is a folder/ },
  {
    name: "the validator's key is none",
    damage: garbage('priv_validator_key.json'),
    exit: 2,
    says: /validator key at .* is not JSON/,
  },
  {
    name: "the operator's key is none",
    damage: garbage('operator_key.json'),
    command: 'serve',
    variables: served,
    exit: 2,
    says: /operator key at .* is not JSON/,
  },
  {
    name: 'others can read the operator key',
    damage: (folder) => chmodSync(path.join(folder, 'operator_key.json'), 0o644),
    command: 'serve',
    variables: served,
    exit: 2,
    says: /expected 0600 \(chmod 600/,
  },
  // Disk.
  { name: 'no room for the first file', shell: 'ulimit -f 1', exit: 1, says: /There is no room to write .*Make room/ },
  {
    name: 'no room for the database',
    shell: 'ulimit -f 60',
    exit: 1,
    says: /There is no room to write .*chain\.db.*Make room/,
  },
  {
    name: 'DATA_DIR where no folder can be made',
    variables: () => ({ DATA_DIR: '/sys/txledger' }),
    exit: 2,
    says: /DATA_DIR \/sys\/txledger cannot be used: (it cannot be made|user|its file system)/,
  },
  {
    name: 'DATA_DIR below a file',
    variables: () => ({ DATA_DIR: '/etc/hostname/data' }),
    exit: 2,
    says: /DATA_DIR \/etc\/hostname\/data cannot be used: a part of its path is a file/,
  },
  // Limits.
  { name: 'too few descriptors for Node.js', shell: 'ulimit -n 20', exit: 2, says: /may open 20 files/ },
  {
    name: 'too few descriptors for a server',
    shell: 'ulimit -n 64',
    exit: 2,
    says: /may open 64 files, .* needs at least 88/,
  },
  {
    name: 'too small a heap',
    node: ['--max-old-space-size=16'],
    exit: 2,
    says: /--max-old-space-size=16 .* at least 64/,
  },
  {
    name: 'too little address space for Node.js',
    shell: 'ulimit -v 1000000',
    exit: 2,
    says: /976 MiB of address space/,
  },
  {
    name: 'too little address space for a server',
    shell: 'ulimit -v 1500000',
    exit: 2,
    says: /1464 MiB of address space, .* at least 2048/,
  },
  // Addresses.
  {
    name: 'an address that this machine does not have',
    damage: nothing,
    command: 'serve',
    variables: (folder) => ({ ...served(folder), HOST: '192.0.2.1', TRUSTED_PROXIES: '192.0.2.9' }),
    exit: 2,
    says: /HOST 192\.0\.2\.1, PORT \d+: this machine has no such address/,
  },
];
