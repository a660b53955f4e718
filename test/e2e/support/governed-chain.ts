/** A production chain with three governors of whom two sign, and the commands that govern it: what the tests of governance share. */
import path from 'node:path';
import { addressOfKeyFile } from './role-keys.ts';
import { type CommandResult } from '../../support/child-process.ts';
import { succeeds } from './gateway-files.ts';
import { txledger } from './server.ts';

export const GOVERNORS = ['governor-1', 'governor-2', 'governor-3'] as const;
export type GovernorName = (typeof GOVERNORS)[number];

export interface GovernedChain {
  readonly folder: string;
  readonly chainId: string;
  file(name: string): string;
  /** Of a key file of this chain. */
  address(name: string): string;
  /** Runs `txledger governance` against the service. */
  govern(...args: readonly string[]): Promise<CommandResult>;
  /** One change from proposal to block, signed by these. @returns the document of the last command that ran. */
  change(kind: readonly string[], signers?: readonly GovernorName[]): Promise<any>;
}

/** Writes keys and genesis into a folder. @param more further options of `txledger genesis create`. */
export async function governedGenesis(folder: string, chainId: string, more: readonly string[]): Promise<void> {
  const file = (name: string): string => path.join(folder, `${name}.json`);
  const canceller = await succeeds(['operator-key', 'create', '--out', file('canceller')]);
  const governors: string[] = [];
  for (const name of GOVERNORS)
    governors.push('--governor', await succeeds(['governor-key', 'create', '--out', file(name)]));
  await succeeds([
    ...[
      'genesis',
      'create',
      '--chain-id',
      chainId,
      '--canceller',
      canceller,
      ...governors,
      '--threshold',
      '2',
      '--currency',
      'EUR:2',
    ],
    ...['--account', `${canceller}=1000000`, '--out', file('genesis'), ...more],
  ]);
}

/** @param baseUrl asked at each use, because the service starts after the genesis is there. */
export function governedChain(
  folder: string,
  chainId: string,
  service: () => { baseUrl: string; token: string },
): GovernedChain {
  const file = (name: string): string => path.join(folder, `${name}.json`);
  let proposals = 0;
  const govern = (...args: readonly string[]): Promise<CommandResult> => {
    const { baseUrl, token } = service();
    return txledger(['governance', ...args, '--json'], { TXLEDGER_URL: baseUrl, TXLEDGER_TOKEN: token });
  };
  return {
    folder,
    chainId,
    file,
    address: (name) => addressOfKeyFile(file(name)),
    govern,
    change: async (kind, signers = ['governor-1', 'governor-2']) => {
      proposals += 1;
      const out = file(`proposal-${proposals}`);
      let result = await govern('propose', ...kind, '--out', out);
      for (const signer of signers) if (result.code === 0) result = await govern('sign', out, '--key', file(signer));
      if (result.code === 0) result = await govern('submit', out);
      return JSON.parse(result.stdout);
    },
  };
}
