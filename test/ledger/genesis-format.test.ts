import { describe, expect, test } from '@jest/globals';
import { CHAIN_FORMAT, formatFault, genesisFormat } from '../../server/ledger/index.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const FORMAT_1 = { chain_id: 'old-1', app_state: { address_prefix: 'txlt', accounts: [], operators: ['txlt1x'] } };

describe('the chain format of a genesis file', () => {
  test('is 1 for a file from before the file said it', () => {
    expect(genesisFormat(bytes(FORMAT_1))).toBe(1);
  });

  test('is what the file says', () => {
    expect(genesisFormat(bytes({ app_state: { format: CHAIN_FORMAT } }))).toBe(CHAIN_FORMAT);
    expect(genesisFormat(bytes({ app_state: { format: 7 } }))).toBe(7);
  });

  test.each([
    ['no JSON', Buffer.from('{')],
    ['not UTF-8', Buffer.from([0xff, 0xfe])],
    ['a genesis of another application', bytes({ app_state: { bank: {} } })],
    ['a genesis without app_state', bytes({ chain_id: 'x' })],
    ['a format that is no number', bytes({ app_state: { ...FORMAT_1.app_state, format: '2' } })],
    ['a list', bytes([])],
  ])('is undefined for %s', (_, file) => {
    expect(genesisFormat(file)).toBeUndefined();
  });

  test('another format comes with what to do', () => {
    expect(formatFault(CHAIN_FORMAT)).toBeUndefined();
    expect(formatFault(1)).toMatch(
      /chain of format 1.*start a new chain with a new genesis, or run the version that made this one/,
    );
    expect(formatFault(3)).toMatch(/format 3.*install the version that made it/);
  });
});
