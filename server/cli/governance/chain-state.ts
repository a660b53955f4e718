/**
 * The chain's governance state up to a height: read from a service, or from a genesis file for the time before block 1.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { getChain } from '../../../client/src/actions/getChain.ts';
import { type AddressPrefix, genesisGovernance, type GovernanceState, parseGenesis } from '../../ledger/index.ts';
import { connect, type ConnectionOptions, serviceOf } from '../connection.ts';
import { CommandError } from '../failure.ts';
import { parseStrict } from '../strict-file.ts';
import { callRpc } from './rpc.ts';

export interface ChainState {
  readonly chainId: string;
  readonly addressPrefix: AddressPrefix;
  /** The block after which the chain has this state; 0: genesis. */
  readonly height: number;
  readonly governance: GovernanceState;
}

/** The application's own answer; the path is described in server/engine/abci-query.ts. */
interface QueryAnswer {
  readonly response: {
    readonly code: number;
    readonly log: string;
    readonly value: string | null;
    readonly height: string;
  };
}

export async function chainStateOfService(options: ConnectionOptions): Promise<ChainState> {
  const { chainId, addressPrefix } = await getChain(connect(options, { token: false }), { timeoutMs: options.timeout });
  const query = await callRpc<QueryAnswer>(
    serviceOf(options, { token: false }),
    'abci_query',
    { path: '/governance' },
    options.timeout,
  );
  const { code, log, value, height } = query.response;
  if (code !== 0)
    throw new CommandError(`The chain does not say what it has decided: ${log}.`, 'refused', { code: 'query_failed' });
  return {
    chainId,
    addressPrefix,
    height: Number(height),
    governance: JSON.parse(Buffer.from(value ?? '', 'base64').toString('utf8')) as GovernanceState,
  };
}

export function chainStateOfGenesis(file: string): ChainState & { readonly hash: string } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new CommandError(`Cannot read the genesis at ${file}: ${(error as Error).message}`);
  }
  const parsed = parseGenesis(bytes);
  if (!parsed.ok)
    throw new CommandError(
      [`${file} is no valid genesis:`, ...parsed.errors.map((error) => `  ${error}`)].join('\n'),
      'usage',
      { code: 'usage', faults: parsed.errors },
    );
  // The ledger reads a genesis as every node does, which is less strict. The strict parser makes sure that the output matches the file as a
  // person reads it.
  parseStrict(file, bytes);
  const { chainId, addressPrefix, hash } = parsed.genesis;
  return { chainId, addressPrefix, height: 0, governance: genesisGovernance(parsed.genesis), hash };
}
