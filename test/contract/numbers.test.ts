/** Every number that the text of the contract promises is the one that the service goes by. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BACKOFF_MS_BASE, BACKOFF_MS_MAX, BATCH_TRANSFERS_MAX as CLIENT_BATCH_MAX } from '../../client/src/limits.ts';
import { RATE_WINDOW_S } from '../../server/app/open-http.ts';
import { readConfig } from '../../server/app/config.ts';
import {
  ACCOUNTS_MAX,
  BATCH_TRANSFERS_MAX,
  GAPS_MAX,
  PENDING_MAX_DEFAULT,
  PENDING_PER_OWNER_MAX_DEFAULT,
  WAITING_PER_ACCOUNT_MAX,
} from '../../server/gateway/limits.ts';
import {
  ACCOUNTS_PER_UNIT,
  BATCH_TRANSFERS_PER_UNIT,
  BYTES_PER_UNIT,
  COST_EVENT_STREAM,
  COST_FAILED_AUTHENTICATION,
  METHOD_COSTS,
  OPERATION_COSTS,
} from '../../server/http/cost.ts';
import {
  BATCH_BODY_BYTES_MAX,
  BODY_BYTES_MAX,
  CANCEL_WAIT_S_DEFAULT,
  EVENT_HEARTBEAT_MS,
  EVENT_STREAMS_MAX,
  EVENT_STREAMS_PER_ADDRESS_MAX,
  EVENT_STREAMS_PER_TOKEN_MAX,
  QUERY_LIST_VALUES_MAX,
  RECEIPT_WAIT_S_DEFAULT,
  REQUEST_MS_MAX,
  RPC_BODY_BYTES_MAX,
  WAIT_S_MAX,
} from '../../server/http/limits.ts';
import { NONCE_WINDOW } from '../../server/ledger/index.ts';
import { contract, REPOSITORY } from './support/contract.ts';

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');
const number = (value: number): string => value.toLocaleString('en-US');
const tag = (name: string): string =>
  plain(contract.tags.find((each: { name: string }) => each.name === name).description);
/** What holds for all operations. */
const info = plain(contract.tags.find(({ name }: { name: string }) => name === 'Contract').description);
const read = readConfig(
  { GENESIS_FILE: 'g', VALIDATOR_KEY_FILE: 'v', OPERATOR_KEY_FILE: 'o' },
  { mode: 'production', cwd: '/' },
);
if (!read.ok || read.config.rateLimits === undefined)
  throw new Error('the defaults of production are no configuration');
const { rateLimits, pendingTtlS } = read.config;
const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'];

describe('the text of the contract', () => {
  test.each([
    `a transfer or a read of one row costs ${WORDS[OPERATION_COSTS.submitTransaction]}, a search of the RPC ${METHOD_COSTS.tx_search}, a request without a valid token ${WORDS[OPERATION_COSTS.listTransactions + COST_FAILED_AUTHENTICATION]}.`,
    `a token has ${number(rateLimits.perTokenPerS)} units a second and a client address ${number(rateLimits.perIpPerS)}, and the units of ${WORDS[RATE_WINDOW_S]} seconds may be used at once.`,
    `An owner may have ${number(PENDING_PER_OWNER_MAX_DEFAULT)} pending transfers, the service ${number(PENDING_MAX_DEFAULT)}, and an account ${WAITING_PER_ACCOUNT_MAX} that wait behind a missing nonce`,
    `A request has ${REQUEST_MS_MAX / 1000} seconds to arrive, and its body at most ${BODY_BYTES_MAX / 1024} KiB (${BATCH_BODY_BYTES_MAX / 1024 ** 2} MiB for a batch of transfers, and under`,
    `wait a random part of ${BACKOFF_MS_BASE / 1000} seconds, and double that bound with each attempt up to ${BACKOFF_MS_MAX / 1000} seconds.`,
    // With one unit a second, the units of the window are what passes before the first refusal.
    `with 10 for a token the ${RATE_WINDOW_S * 10 === 20 ? 'twenty-first' : 'unknown'} read at once is answered 429`,
  ])('says in the tag Contract: %s', (sentence) => {
    expect(info).toContain(sentence);
  });

  test.each([
    `still pending after ${pendingTtlS / 3600} hours expires`,
    `at most ${number(NONCE_WINDOW - 1)} ahead of the account's`,
  ])('says of transactions: %s', (sentence) => {
    expect(tag('Transactions')).toContain(sentence);
  });

  test('says what a batch may have, and what it costs', () => {
    const { description, requestBody } = contract.paths['/transactions/batch'].post;
    expect(plain(description)).toContain(
      `charged ${WORDS[OPERATION_COSTS.submitTransactionBatch]} unit, one for every ${WORDS[BATCH_TRANSFERS_PER_UNIT]} transfers and one for every further ${BYTES_PER_UNIT / 1024} KiB of the body`,
    );
    expect(plain(contract.components.requestBodies[requestBody.$ref.split('/').at(-1)].description)).toContain(
      `at most ${BATCH_BODY_BYTES_MAX / 1024 ** 2} MiB`,
    );
    expect(BATCH_BODY_BYTES_MAX).toBe(RPC_BODY_BYTES_MAX);
    for (const schema of [
      contract.components.schemas.TransactionBatchInput.properties.transactions,
      contract.components.schemas.TransactionBatchResult.properties.results,
    ]) {
      expect(schema.maxItems).toBe(BATCH_TRANSFERS_MAX);
    }
    expect(CLIENT_BATCH_MAX).toBe(BATCH_TRANSFERS_MAX);
  });

  test('says how many accounts are asked for at once, what that costs, and how many gaps there can be', () => {
    const { AccountList, Account } = contract.components.schemas;
    const { description } = contract.paths['/accounts'].get;
    expect([
      contract.components.parameters.AddressList.schema.maxItems,
      AccountList.properties.accounts.maxItems,
    ]).toEqual([ACCOUNTS_MAX, ACCOUNTS_MAX]);
    expect(plain(description)).toContain(
      `charged ${WORDS[OPERATION_COSTS.listAccounts]} unit for every ${WORDS[ACCOUNTS_PER_UNIT]} addresses`,
    );
    expect(Account.properties.gaps.maxItems).toBe(GAPS_MAX);
    expect(QUERY_LIST_VALUES_MAX).toBeGreaterThan(ACCOUNTS_MAX);
  });

  test('says how many event streams may be open, what one costs, and how often it has a heartbeat', () => {
    const description = plain(contract.paths['/events'].get.description);
    expect(description).toContain(
      `A token may have ${number(EVENT_STREAMS_PER_TOKEN_MAX)} streams open, an address as many, the service ${number(EVENT_STREAMS_MAX)};`,
    );
    expect(EVENT_STREAMS_PER_ADDRESS_MAX).toBe(EVENT_STREAMS_PER_TOKEN_MAX);
    expect(description).toContain(
      `Opening one is charged ${WORDS[OPERATION_COSTS.listEvents + COST_EVENT_STREAM]} units.`,
    );
    expect(description).toContain(`Every ${EVENT_HEARTBEAT_MS / 1000} seconds a comment`);
  });

  test('says how long a cancel waits, and the longest wait', () => {
    expect(plain(contract.paths['/transactions/{txHash}'].delete.description)).toContain(
      `within the wait: ${CANCEL_WAIT_S_DEFAULT} s, or as long as`,
    );
    expect(plain(contract.components.parameters.Prefer.description)).toContain(`0 to ${WAIT_S_MAX},`);
  });

  test('says how long a receipt waits, and what it costs', () => {
    const { description } = contract.paths['/transactions/{txHash}/receipt'].get;
    expect(plain(description)).toContain(`until that exists: ${RECEIPT_WAIT_S_DEFAULT} s, or as long as`);
    expect(plain(description)).toContain(`charged ${WORDS[OPERATION_COSTS.getReceipt]} units`);
  });

  test('says how long the notice before a removal is, and by which headers, as the changelog does', () => {
    const changelog = plain(readFileSync(join(REPOSITORY, 'spec', 'CHANGELOG.md'), 'utf8'));
    for (const text of [info, changelog]) {
      expect(text).toContain('`Deprecation` (RFC 9745) and `Sunset` (RFC 8594)');
      expect(text).toContain('at least 180 days');
    }
  });
});
