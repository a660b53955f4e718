/**
 * What `npm start` prints: everything needed to use the chain, and first of all that its keys are public.
 *
 * @module
 */
import type { DevelopmentFile } from './dev-file.ts';
import { DEVELOPMENT_BALANCE } from './dev-accounts.ts';

/** The parts of a path that need no quotes in a shell. */
const PLAIN_WORD = /^[A-Za-z0-9_./:=@%+-]+$/;

/** A word as a shell reads it whole. */
export const quoted = (word: string): string => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/**
 * @param options.dataDir as the command to paste must name it; undefined when it is the default one.
 * @param options.file the path of dev.json.
 */
export function developmentBanner(facts: DevelopmentFile, options: { dataDir: string | undefined; file: string; hasExplorer: boolean }): string {
  const { baseUrl, chainId, token, accounts } = facts;
  const receiver = accounts[1]?.address ?? '';
  const variables = options.dataDir === undefined ? '' : `DATA_DIR=${quoted(options.dataDir)} `;
  const width = Math.max(...accounts.map(({ name }) => name.length));
  return [
    '',
    `Transaction Ledger, development chain ${chainId}`,
    '',
    'WARNING: the keys below are PUBLIC. Everybody knows these seeds: never send anything of value to these addresses.',
    '',
    'Accounts (name, address, balance at genesis, Ed25519 seed):',
    ...accounts.map(({ name, address, seed }) => `  ${name.padEnd(width)}  ${address}  ${DEVELOPMENT_BALANCE}  ${seed}`),
    '',
    'Addresses:',
    `  API        ${baseUrl}`,
    ...(options.hasExplorer ? [`  Explorer   ${baseUrl}/`] : []),
    `  Reference  ${baseUrl}/docs`,
    `  Health     ${baseUrl}/readyz`,
    `  Metrics    ${baseUrl}/metrics`,
    '',
    'Token (every scope but transactions:cancel-any):',
    `  ${token}`,
    '',
    `All of this also stands in ${options.file}`,
    '',
    'Send a transfer and wait until it is in a block:',
    `  ${variables}npm run --silent txledger -- send --to ${receiver} --amount 1 --wait`,
    '',
  ].join('\n');
}
