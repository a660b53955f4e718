/**
 * Text that `npm start` prints: everything needed to use the chain, and first of all that its keys are public. No line is wider than 100
 * columns but for paths of the user's own, so the seeds, of which only programs have use, are in dev.json alone.
 *
 * @module
 */
import { formatAmount } from '../../client/src/amount.ts';
import type { DevelopmentFile } from './dev-file.ts';
import { DEVELOPMENT_BALANCE, DEVELOPMENT_CURRENCY } from './dev-accounts.ts';
import { COMMAND } from './version.ts';

/** The parts of a path that need no quotes in a shell. */
const PLAIN_WORD = /^[A-Za-z0-9_./:=@%+-]+$/;

/** `dev-0`. */
const NAME_CHARS = 5;
const ADDRESS_CHARS = 63;
/** Minor units that the command to paste sends. */
const PASTED_AMOUNT = 100n;

/** A word quoted for a shell. */
export const quoted = (word: string): string => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/**
 * @param options.dataDir as the command to paste must name it; undefined when it is the default one.
 * @param options.file the path of dev.json.
 */
export function developmentBanner(
  facts: DevelopmentFile,
  options: { dataDir: string | undefined; file: string; hasExplorer: boolean },
): string {
  const { baseUrl, chainId, token, accounts } = facts;
  const variables = options.dataDir === undefined ? '' : `DATA_DIR=${quoted(options.dataDir)} `;
  const row = (name: string, address: string, balance: string): string =>
    `  ${name.padEnd(NAME_CHARS)}  ${address.padEnd(ADDRESS_CHARS)}  ${balance}`;
  const balance = formatAmount(DEVELOPMENT_BALANCE, DEVELOPMENT_CURRENCY);
  const amount = formatAmount(PASTED_AMOUNT, DEVELOPMENT_CURRENCY).replace(' ', '');
  return [
    '',
    `Transaction Ledger, development chain ${chainId}`,
    '',
    'WARNING: the keys of these accounts are PUBLIC. Never send anything of value to their addresses.',
    '',
    row('Name', 'Address', 'Genesis balance'),
    ...accounts.map(({ name, address }) => row(name, address, balance)),
    '',
    `  API        ${baseUrl}`,
    ...(options.hasExplorer ? [`  Explorer   ${baseUrl}/`] : []),
    `  Reference  ${baseUrl}/docs`,
    `  Health     ${baseUrl}/readyz`,
    `  Metrics    ${baseUrl}/metrics`,
    '',
    'Token, with every scope but transactions:cancel-any and access:manage:',
    `  ${token}`,
    '',
    'All of this, and the seeds of the accounts, is in',
    `  ${options.file}`,
    '',
    'Send a transfer and wait until it is in a block:',
    `  ${variables}${COMMAND} send --to ${accounts[1]?.name ?? ''} --amount ${amount} --wait`,
    '',
  ].join('\n');
}
