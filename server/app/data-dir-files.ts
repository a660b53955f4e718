/** Names and paths of the files in DATA_DIR. @module */
import path from 'node:path';

/**
 * The names in DATA_DIR, relative to it. The two priv_validator files have CometBFT's names and formats. `chain` is the database of the
 * embedded engine, `gateway` that of a gateway in front of CometBFT nodes, `app` and `snapshots` those of an application beside a node.
 */
export const DATA_DIR_FILES = {
  lock: 'lock.db',
  /** The socket of a running service of the embedded engine: app/command-socket.ts. */
  commands: 'commands.sock',
  genesis: 'genesis.json',
  validatorKey: 'priv_validator_key.json',
  validatorState: 'priv_validator_state.json',
  operatorKey: 'operator_key.json',
  /** Only in development: otherwise governors keep their keys elsewhere. */
  governorKey: 'governor_key.json',
  chain: 'chain.db',
  log: 'log.db',
  /** The last entry of the log, as of some seconds ago. */
  witness: 'log_witness.json',
  search: 'search.db',
  statements: 'statements.db',
  damagedStatements: 'statements.db.damaged',
  /** Written by earlier versions; chain.db holds their webhooks now. */
  webhooks: 'webhooks.db',
  takenWebhooks: 'webhooks.db.old',
  gateway: 'gateway.db',
  app: 'app.db',
  snapshots: 'snapshots.db',
  /** Present if the chain continues in a CometBFT home, and never again in this folder: app/graduate. */
  seal: 'graduated.json',
  /** Written for an application: the blocks that its node may drop. */
  retain: 'retain.json',
  development: 'dev.json',
} as const;

/** The file that distinguishes the folder of a whole network on one machine from that of one process. */
export const LOCALNET_FILE = 'localnet.json';

export type DataDirFile = keyof typeof DATA_DIR_FILES;

/** Returns the absolute path of each file of a data folder, whether it exists or not. */
export function dataDirFiles(folder: string): Record<DataDirFile, string> {
  const entries = Object.entries(DATA_DIR_FILES).map(([key, name]) => [key, path.join(folder, name)]);
  return Object.fromEntries(entries) as Record<DataDirFile, string>;
}

/** Returns the same for the folder that holds this file. */
export const dataDirFilesOf = (file: string): Record<DataDirFile, string> => dataDirFiles(path.dirname(file));
