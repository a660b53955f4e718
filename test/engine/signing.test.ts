/** The validator's key and its memory of what it signed, in CometBFT's file formats, and the rule of one signature a height. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { precommitSignBytes, upperHex, type BlockId } from '../../server/engine/encoding/index.ts';
import { readPrecommitTimeNs } from '../../server/engine/encoding/vote-time.ts';
import { diskSignState } from '../../server/engine/embedded/disk-sign-state.ts';
import {
  DoubleSignError,
  formatValidatorKey,
  parseValidatorKey,
  validatorKeyFromSeed,
} from '../../server/engine/embedded/index.ts';
import { PrecommitSigner } from '../../server/engine/embedded/precommit-signer.ts';
import { formatSignState, parseSignState } from '../../server/engine/embedded/sign-state.ts';

const seed = Buffer.alloc(32, 7);
const key = validatorKeyFromSeed(seed);
const blockId = (fill: number): BlockId => ({
  hash: Buffer.alloc(32, fill),
  parts: { total: 1, hash: Buffer.alloc(32, fill + 1) },
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-sign-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('priv_validator_key.json', () => {
  test('names its key as CometBFT does and reads back to the same signer', () => {
    const text = formatValidatorKey(seed);
    const json = JSON.parse(text);
    expect(Object.keys(json)).toEqual(['address', 'pub_key', 'priv_key']);
    expect(json.pub_key.type).toBe('tendermint/PubKeyEd25519');
    expect(json.address).toMatch(/^[0-9A-F]{40}$/);
    const parsed = parseValidatorKey(text);
    expect(parsed.ok && upperHex(parsed.key.publicKey)).toBe(upperHex(key.publicKey));
    expect(parsed.ok && upperHex(parsed.key.sign(Buffer.from('m')))).toBe(upperHex(key.sign(Buffer.from('m'))));
  });

  test.each([
    ['what is no JSON', () => 'x', /is not JSON/],
    ['another type of key', (t: string) => t.replace('PrivKeyEd25519', 'PrivKeySecp256k1'), /has no priv_key of type/],
    [
      'a key of another length',
      (t: string) => t.replace(/"value": "[^"]{88}"/, '"value": "AAAA"'),
      /priv_key of 3 bytes/,
    ],
    [
      'an address of another key',
      (t: string) => t.replace(/"address": "../, '"address": "00'),
      /has an address that does not belong/,
    ],
    [
      'a public key of another key',
      (t: string) => t.replace(/"value": "[^"]{44}"/, `"value": "${Buffer.alloc(32).toString('base64')}"`),
      /has a pub_key that/,
    ],
    [
      'two halves of two keys',
      (t: string) =>
        t.replace(/"value": "[^"]{88}"/, `"value": "${Buffer.concat([seed, Buffer.alloc(32)]).toString('base64')}"`),
      /two halves/,
    ],
  ])('refuses %s and never shows the key', (_, change, message) => {
    const parsed = parseValidatorKey(change(formatValidatorKey(seed)));
    expect(parsed).toMatchObject({ ok: false, message: expect.stringMatching(message) });
    expect(JSON.stringify(parsed)).not.toContain(seed.toString('base64').slice(0, 20));
  });
});

describe('priv_validator_state.json', () => {
  test('has the fields and spellings of a stock node', () => {
    const text = formatSignState({
      height: 5,
      round: 0,
      step: 3,
      signature: Buffer.from([1, 2]),
      signBytes: Buffer.from([0xab]),
    });
    expect(JSON.parse(text)).toEqual({ height: '5', round: 0, step: 3, signature: 'AQI=', signbytes: 'AB' });
    expect(parseSignState(text)).toEqual({
      height: 5,
      round: 0,
      step: 3,
      signature: Buffer.from([1, 2]),
      signBytes: Buffer.from([0xab]),
    });
  });

  test('reads what a stock node writes before it ever signed', () => {
    const fresh = '{\n  "height": "0",\n  "round": 0,\n  "step": 0\n}';
    expect(parseSignState(fresh)).toEqual({ height: 0, round: 0, step: 0, signature: undefined, signBytes: undefined });
  });

  test.each([
    '',
    'null',
    '[]',
    '{}',
    '{"height":5,"round":0,"step":3}',
    '{"height":"-1","round":0,"step":3}',
    '{"height":"5","round":"0","step":3}',
    '{"height":"5","round":0,"step":3,"signature":"?"}',
  ])('refuses %j instead of guessing', (text) =>
    expect(() => parseSignState(text)).toThrow(/JSON|not a count|not a decimal|text/),
  );

  test('is written whole, privately, and leaves no temporary file behind', () => {
    const path = join(folder, 'state.json');
    const store = diskSignState(path);
    expect(store.read()).toBeUndefined();
    for (const height of [1, 2])
      store.write({ height, round: 0, step: 3, signature: Buffer.alloc(64), signBytes: Buffer.alloc(9) });
    expect(store.read()?.height).toBe(2);
    expect(readdirSync(folder)).toEqual(['state.json']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('signing a precommit', () => {
  const signed = (height: number, fill = 1) =>
    new PrecommitSigner('chain', key, undefined).sign(height, blockId(fill), 1_000n);

  test('gives the record that is stored with the block: what was signed, and the bytes of the vote', () => {
    const signBytes = precommitSignBytes({
      chainId: 'chain',
      height: 1,
      round: 0,
      blockId: blockId(1),
      timestampNs: 1_000n,
    });
    expect(signed(1)).toEqual({ height: 1, round: 0, step: 3, signature: key.sign(signBytes), signBytes });
    expect(parseSignState(formatSignState(signed(1)))).toEqual(signed(1));
  });

  test('happens once at a height, whatever became of the block, and never at a height before it, also after a restart', () => {
    const signer = new PrecommitSigner('chain', key, signed(6));
    signer.sign(7, blockId(1), 1n);
    for (const again of [signer, new PrecommitSigner('chain', key, signed(7))]) {
      for (const [height, fill] of [
        [7, 1],
        [7, 2],
        [6, 1],
      ] as const)
        expect(() => again.sign(height, blockId(fill), 1n)).toThrow(DoubleSignError);
      expect(again.sign(8, blockId(2), 1n)).toMatchObject({ height: 8 });
    }
  });

  test('is refused after any vote at the height, in any round', () => {
    for (const vote of [
      { round: 1, step: 1 },
      { round: 0, step: 3 },
      { round: 0, step: 2 },
    ]) {
      const signer = new PrecommitSigner('chain', key, {
        height: 7,
        signature: undefined,
        signBytes: undefined,
        ...vote,
      });
      expect(() => signer.sign(7, blockId(1), 1n)).toThrow(DoubleSignError);
    }
  });
});

describe('the time in sign bytes', () => {
  test('is read back, and garbage has none', () => {
    const vote = {
      chainId: 'chain',
      height: 3,
      round: 0,
      blockId: blockId(9),
      timestampNs: 1_795_231_831_332_864_781n,
    };
    expect(readPrecommitTimeNs(precommitSignBytes(vote))).toBe(vote.timestampNs);
    for (const garbage of ['', '00', 'ff', '0511', '72080211ffffff'])
      expect(readPrecommitTimeNs(Buffer.from(garbage, 'hex'))).toBeUndefined();
  });
});
