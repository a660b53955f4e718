/** The engine over real nodes, with its index in a file. */
import type { GenesisDocument } from '../../ledger/index.ts';
import { EngineStartError } from '../start-error.ts';
import type { Clock, Logger } from '../ports.ts';
import { openSqliteSearchStore } from '../search/sqlite-search-store.ts';
import { CometbftEngine } from './engine.ts';
import { SocketNodePort } from './nodes/socket-node-port.ts';

export interface CometbftEngineOptions {
  genesis: GenesisDocument;
  /** RPC addresses of the nodes, http: or https:. They belong on loopback or a private network: a node's RPC has no authentication. */
  nodeUrls: readonly string[];
  /** SQLite file of the search index. It can be deleted at any time: it is rebuilt from the chain. */
  searchFile: string;
  /** SQLite file of the statements, which can be deleted in the same way. Absent: statements are off. */
  statementsFile?: string;
  /** See CometbftEngineParts. */
  idleBlockMs?: number;
  clock: Clock;
  logger: Logger;
  /** Called when the nodes have another history than this process has seen; the process should end and start again. */
  onFatal?: (error: Error) => void;
}

/** Rejects an address that cannot be a node's at once: it would fail at every call. */
function nodeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new EngineStartError(`${JSON.stringify(text)} is no RPC address of a node: http://HOST:PORT is expected`);
  return url.href.replace(/\/+$/, '');
}

/**
 * Queries every node and follows the chain. Rejects with EngineStartError when a node or the file is of another chain; nodes that do not
 * answer are waited for.
 */
export async function createCometbftEngine({ searchFile, ...options }: CometbftEngineOptions): Promise<CometbftEngine> {
  const { genesis, clock } = options;
  const nodeUrls = [...new Set(options.nodeUrls.map(nodeUrl))];
  if (nodeUrls.length === 0) throw new EngineStartError('no RPC address of a node is given');
  const search = openSqliteSearchStore(
    searchFile,
    { chainId: genesis.chainId, genesisHash: genesis.hash },
    options.logger,
  );
  const engine = new CometbftEngine({ ...options, nodeUrls, search, port: new SocketNodePort(clock) });
  try {
    await engine.start();
  } catch (error) {
    await engine.close();
    throw error;
  }
  return engine;
}
