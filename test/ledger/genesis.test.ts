import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { AMOUNT_MAX, buildGenesis, parseGenesis } from '../../server/ledger/index.ts';
import { devAddress, governorAddress, operatorAddress, testGenesis, validatorKey } from './support.ts';

const input = {
  genesisTime: '2026-11-21T09:00:00.123Z',
  chainId: 'txledger-test-1',
  addressPrefix: 'txlt' as const,
  validators: [{ publicKey: validatorKey(0), power: 10, name: 'first' }],
  accounts: [
    { address: devAddress(0), balance: 5n },
    { address: devAddress(1), balance: 0n },
  ],
  cancellers: [operatorAddress(0)],
  governors: [governorAddress(0), governorAddress(1)],
  threshold: 2,
  currency: { code: 'EUR', scale: 2 },
  openingMinimum: 100n,
  rules: [{ version: 1, height: 1 }],
};
type Document = Record<string, any>;
const document = (): Document => JSON.parse(Buffer.from(buildGenesis(input)).toString()) as Document;
const errorsOf = (change: (d: Document) => unknown): string[] => {
  const changed = document();
  change(changed);
  const parsed = parseGenesis(Buffer.from(JSON.stringify(changed)));
  return parsed.ok ? [] : parsed.errors;
};

describe('genesis', () => {
  test('what is built is read back, in the order of the file', () => {
    const bytes = buildGenesis(input);
    expect(parseGenesis(bytes)).toEqual({
      ok: true,
      genesis: {
        ...input,
        initialHeight: 1,
        bytes,
        hash: createHash('sha256').update(bytes).digest('hex').toUpperCase(),
      },
    });
  });

  test('the same input gives the same bytes', () => {
    expect(Buffer.from(buildGenesis(input)).equals(buildGenesis({ ...input }))).toBe(true);
    expect(testGenesis().hash).toBe(testGenesis().hash);
  });

  test('is a CometBFT genesis file: strings for integers, address from the key, max_bytes the largest that it allows', () => {
    const key = Buffer.from(validatorKey(0), 'hex');
    expect(document()).toMatchObject({
      initial_height: '1',
      consensus_params: { block: { max_bytes: '104857600', max_gas: '-1' }, version: { app: '1' } },
      validators: [
        {
          address: createHash('sha256').update(key).digest('hex').slice(0, 40).toUpperCase(),
          pub_key: { type: 'tendermint/PubKeyEd25519', value: key.toString('base64') },
          power: '10',
        },
      ],
      app_hash: '',
    });
  });

  test('keys that CometBFT itself adds or drops do not matter, nor does white space', () => {
    expect(errorsOf((d) => delete d['app_hash'])).toEqual([]);
    expect(errorsOf((d) => delete d['validators'][0].address)).toEqual([]);
    expect(errorsOf((d) => delete d['validators'][0].name)).toEqual([]);
  });

  test('what a genesis need not say: every account is opened with something, by the first rules', () => {
    const silent = document();
    delete silent['app_state'].openingMinimum;
    delete silent['app_state'].rules;
    delete silent['app_state'].operators;
    expect(parseGenesis(Buffer.from(JSON.stringify(silent)))).toMatchObject({
      ok: true,
      genesis: { openingMinimum: 1n, rules: [{ version: 1, height: 1 }] },
    });
  });

  test('a chain of format 1 is refused in one sentence that says what to do', () => {
    const before = document();
    const { address_prefix, accounts } = before['app_state'];
    before['app_state'] = { address_prefix, accounts, operators: [operatorAddress(0)] };
    before['consensus_params'].version.app = '0';
    expect(parseGenesis(Buffer.from(JSON.stringify(before)))).toEqual({
      ok: false,
      errors: [
        expect.stringMatching(
          /^this is a chain of format 1, and this version carries on chains of format 2 only: start a new chain/,
        ),
      ],
    });
  });

  test('a chain of a later format asks for the version that made it', () => {
    expect(errorsOf((d) => (d['app_state'].format = 3))).toEqual([
      expect.stringMatching(/format 3, which is newer.*install the version/),
    ]);
  });

  test.each<[string, string, (d: Document) => unknown]>([
    ['no bound by a number', 'consensus_params.block.max_bytes', (d) => (d['consensus_params'].block.max_bytes = -1)],
    [
      'more than CometBFT allows',
      'consensus_params.block.max_bytes',
      (d) => (d['consensus_params'].block.max_bytes = '104857601'),
    ],
    ['a default block size', 'consensus_params.block.max_bytes', (d) => delete d['consensus_params'].block.max_bytes],
    ['22 MB blocks', 'consensus_params.block.max_bytes', (d) => (d['consensus_params'].block.max_bytes = '22020096')],
    ['no parameters at all', 'consensus_params.block.max_bytes', (d) => delete d['consensus_params']],
    ['a gas limit', 'consensus_params.block.max_gas', (d) => (d['consensus_params'].block.max_gas = '5')],
    ['another application version', 'consensus_params.version.app', (d) => (d['consensus_params'].version.app = '0')],
    [
      'vote extensions',
      'consensus_params.abci',
      (d) => (d['consensus_params'].abci.vote_extensions_enable_height = '5'),
    ],
    [
      'another key type',
      'consensus_params.validator',
      (d) => (d['consensus_params'].validator.pub_key_types = ['secp256k1']),
    ],
    ['another initial height', 'initial_height', (d) => (d['initial_height'] = '2')],
    ['a height as a number', 'initial_height', (d) => (d['initial_height'] = 1)],
    ['an app hash', 'app_hash', (d) => (d['app_hash'] = 'AB')],
    ['a chain id in upper case', 'chain_id', (d) => (d['chain_id'] = 'Main')],
    ['a chain id of 51 characters', 'chain_id', (d) => (d['chain_id'] = 'a'.repeat(51))],
    ['a time with a zone', 'genesis_time', (d) => (d['genesis_time'] = '2026-11-21T09:00:00+01:00')],
    ['a time with trailing zeros', 'genesis_time', (d) => (d['genesis_time'] = '2026-11-21T09:00:00.100Z')],
    ['a day that does not exist', 'genesis_time', (d) => (d['genesis_time'] = '2026-02-30T09:00:00Z')],
    ['a month that does not exist', 'genesis_time', (d) => (d['genesis_time'] = '2026-13-01T09:00:00Z')],
    ['no validators', 'validators', (d) => (d['validators'] = [])],
    ['a validator twice', 'validators[1]', (d) => d['validators'].push(d['validators'][0])],
    ['a power of 0', 'validators[0].power', (d) => (d['validators'][0].power = '0')],
    ['a power as a number', 'validators[0].power', (d) => (d['validators'][0].power = 10)],
    ['a power of 2^53', 'validators[0].power', (d) => (d['validators'][0].power = '9007199254740992')],
    [
      'a weak validator key',
      'validators[0].pub_key',
      (d) => (d['validators'][0].pub_key.value = Buffer.alloc(32).toString('base64')),
    ],
    ['a short validator key', 'validators[0].pub_key', (d) => (d['validators'][0].pub_key.value = 'AAAA')],
    ['another validator address', 'validators[0].address', (d) => (d['validators'][0].address = 'AB'.repeat(20))],
    ['an unknown prefix', 'app_state.address_prefix', (d) => (d['app_state'].address_prefix = 'cosmos')],
    [
      'the prefix of the other network',
      'app_state.accounts[0].address',
      (d) => (d['app_state'].address_prefix = 'txl'),
    ],
    ['an unknown field of the state', 'app_state.mint', (d) => (d['app_state'].mint = true)],
    ['accounts that are no list', 'app_state.accounts', (d) => (d['app_state'].accounts = {})],
    ['an account twice', 'app_state.accounts[1].address', (d) => (d['app_state'].accounts[1].address = devAddress(0))],
    ['a balance as a number', 'app_state.accounts[0].balance', (d) => (d['app_state'].accounts[0].balance = 5)],
    [
      'a balance with a leading zero',
      'app_state.accounts[0].balance',
      (d) => (d['app_state'].accounts[0].balance = '05'),
    ],
    ['a negative balance', 'app_state.accounts[0].balance', (d) => (d['app_state'].accounts[0].balance = '-5')],
    [
      'more supply than an amount can say',
      'app_state.accounts',
      (d) => (d['app_state'].accounts[1].balance = String(AMOUNT_MAX)),
    ],
    ['no format', 'app_state.format', (d) => delete d['app_state'].format],
    ['powers of 3 together', 'validators', (d) => (d['validators'][0].power = '3')],
    [
      'no cancellers',
      'app_state.cancellers',
      (d) => ((d['app_state'].cancellers = []), delete d['app_state'].operators),
    ],
    [
      'a canceller twice',
      'app_state.cancellers[1]',
      (d) => (d['app_state'].cancellers.push(operatorAddress(0)), delete d['app_state'].operators),
    ],
    [
      'a canceller that is no address',
      'app_state.cancellers[0]',
      (d) => ((d['app_state'].cancellers[0] = 'operator'), delete d['app_state'].operators),
    ],
    [
      '65 cancellers',
      'app_state.cancellers',
      (d) => (
        (d['app_state'].cancellers = Array.from({ length: 65 }, (_, i) => operatorAddress(i))),
        delete d['app_state'].operators
      ),
    ],
    [
      'operators that are not the cancellers',
      'app_state.operators',
      (d) => (d['app_state'].operators = [operatorAddress(1)]),
    ],
    ['no governors', 'app_state.governors', (d) => (d['app_state'].governors = [])],
    ['a governor twice', 'app_state.governors[2]', (d) => d['app_state'].governors.push(governorAddress(0))],
    [
      '17 governors',
      'app_state.governors',
      (d) => (d['app_state'].governors = Array.from({ length: 17 }, (_, i) => governorAddress(i))),
    ],
    ['a threshold of 0', 'app_state.threshold', (d) => (d['app_state'].threshold = 0)],
    ['a threshold that the governors cannot reach', 'app_state.threshold', (d) => (d['app_state'].threshold = 3)],
    ['a threshold as text', 'app_state.threshold', (d) => (d['app_state'].threshold = '1')],
    ['no currency', 'app_state.currency.code', (d) => delete d['app_state'].currency],
    ['a currency in lower case', 'app_state.currency.code', (d) => (d['app_state'].currency.code = 'eur')],
    ['a scale of 19', 'app_state.currency.scale', (d) => (d['app_state'].currency.scale = 19)],
    ['a scale as text', 'app_state.currency.scale', (d) => (d['app_state'].currency.scale = '2')],
    ['a symbol', 'app_state.currency.symbol', (d) => (d['app_state'].currency.symbol = '$')],
    ['an opening minimum of 0', 'app_state.openingMinimum', (d) => (d['app_state'].openingMinimum = '0')],
    ['an opening minimum as a number', 'app_state.openingMinimum', (d) => (d['app_state'].openingMinimum = 1)],
    [
      'an opening minimum of 2^128',
      'app_state.openingMinimum',
      (d) => (d['app_state'].openingMinimum = String(AMOUNT_MAX + 1n)),
    ],
    ['no rules', 'app_state.rules', (d) => (d['app_state'].rules = [])],
    ['rules that begin later', 'app_state.rules[0].height', (d) => (d['app_state'].rules[0].height = 2)],
    ['rules of version 0', 'app_state.rules[0].version', (d) => (d['app_state'].rules[0].version = 0)],
    [
      'two rules at one height',
      'app_state.rules[1].height',
      (d) => d['app_state'].rules.push({ version: 2, height: 1 }),
    ],
    ['rules that go back', 'app_state.rules[1].version', (d) => d['app_state'].rules.push({ version: 1, height: 9 })],
  ])('%s is refused at %s', (_, path, change) => {
    expect(errorsOf(() => undefined)).toEqual([]);
    const errors = errorsOf(change);
    expect(errors[0]).toMatch(new RegExp(`^${path.replace(/[[\].]/g, '\\$&')}[ .]`));
  });

  test('a supply of exactly the largest amount is accepted', () => {
    expect(errorsOf((d) => (d['app_state'].accounts[1].balance = String(AMOUNT_MAX - 5n)))).toEqual([]);
  });

  test('every fault is named at once', () => {
    const errors = errorsOf((d) => {
      d['chain_id'] = '';
      d['initial_height'] = '0';
      d['app_state'].cancellers = [];
      delete d['app_state'].operators;
    });
    expect(errors.map((error) => error.split(' ')[0])).toEqual(['chain_id', 'initial_height', 'app_state.cancellers']);
  });

  test('what is no JSON object in UTF-8 is refused, a byte order mark too', () => {
    const bytes = buildGenesis(input);
    for (const wrong of [
      Buffer.from(''),
      Buffer.from('[]'),
      Buffer.from('null'),
      Buffer.from([0xff, 0xfe]),
      Buffer.concat([Buffer.from('\uFEFF'), bytes]),
    ]) {
      expect(parseGenesis(wrong)).toMatchObject({ ok: false });
    }
  });
});
