/**
 * Text that `npm start` prints: everything needed to use the chain, with the warning first that its keys are public. No line is wider than
 * 100 columns, except for the user's own paths. So the seeds, which only programs need, are only in dev.json.
 *
 * @module
 */
import { formatAmount } from '../../client/src/amount.ts';
import type { DevelopmentFile } from './dev-file.ts';
import { DEVELOPMENT_BALANCE, DEVELOPMENT_CURRENCY } from './dev-accounts.ts';
import { COMMAND } from './version.ts';

/** Matches a path that needs no quotes in a shell. */
const PLAIN_WORD = /^[A-Za-z0-9_./:=@%+-]+$/;

/** `dev-0`. */
const NAME_CHARS = 5;
const ADDRESS_CHARS = 63;
/** Minor units that the printed command sends. */
const PASTED_AMOUNT = 100n;

/** A word quoted for a shell. */
export const quoted = (word: string): string => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/**
 * @param options.dataDir the folder as the printed command must name it; undefined for the default folder.
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
