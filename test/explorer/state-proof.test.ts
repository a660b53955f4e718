/** What the browser checks of an account: the proof of abci_query against the app hash of a header. */
import { beforeAll, describe, expect, test } from '@jest/globals';

import { checkStateProof, type StateAnswer } from '../../server/http/explorer/src/account/state-proof.ts';
import { answerAbciQuery } from '../../server/engine/abci-query.ts';
import { finalizeBlock, LedgerState } from '../../server/ledger/index.ts';
import { BLOCK, devAddress, operatorAddress, signedCancel, signedTransfer, testGenesis } from '../ledger/support.ts';

const state = LedgerState.fromGenesis(testGenesis());
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
let appHash: string;

function ask(address: string): StateAnswer {
  const { key, value, ops, height } = answerAbciQuery(
    state,
    state.height,
    { path: '/store/accounts/key', data: Buffer.from(address), height: BigInt(state.height), prove: true },
    () => ({ code: 0, log: '' }),
  );
  return {
    key: base64(key),
    value: base64(value),
    height: `${height}`,
    proofOps: { ops: (ops ?? []).map((op) => ({ type: op.type, key: base64(op.key), data: base64(op.data) })) },
  };
}

beforeAll(() => {
  const block = [signedCancel({ nonce: 3 }), signedTransfer({ to: operatorAddress(5), amount: 5n })];
  state.commit(
    finalizeBlock(
      state,
      block.map(({ raw }) => raw),
      BLOCK,
    ),
  );
  appHash = Buffer.from(state.appHash).toString('hex').toUpperCase();
});

describe('the proof of an account', () => {
  test('leads from its value to the app hash, for every account', async () => {
    for (const address of [...Array(10).keys()].map((i) => devAddress(i)).concat(operatorAddress(5))) {
      const proof = await checkStateProof(ask(address), address, appHash);
      expect(proof).toMatchObject({
        ok: true,
        steps: [
          { key: address, total: 11 },
          { key: 'accounts', total: 2, root: appHash },
        ],
      });
    }
    const { value } = (await checkStateProof(ask(devAddress(0)), devAddress(0), appHash)) as { value: string };
    expect(JSON.parse(value)).toEqual({ balance: '999999999999995', nonce: 1, void: '4' });
  });

  test('proves nothing of another value, another account, another state or a proof that was changed', async () => {
    const answer = ask(devAddress(0));
    const [inner, outer] = answer.proofOps?.ops ?? [];
    if (inner === undefined || outer === undefined) throw new Error('the proof has two steps');
    const other = ask(devAddress(1));
    const cases: [StateAnswer, string, string][] = [
      [{ ...answer, value: base64(Buffer.from('{"balance":"9","nonce":1,"void":"4"}')) }, devAddress(0), appHash],
      [other, devAddress(0), appHash],
      [{ ...answer, value: other.value }, devAddress(0), appHash],
      // The proof of another account, under this one's name.
      [
        { ...other, proofOps: { ops: [{ ...(other.proofOps?.ops[0] as typeof inner), key: inner.key }, outer] } },
        devAddress(0),
        appHash,
      ],
      [answer, devAddress(0), '00'.repeat(32)],
      [{ ...answer, proofOps: { ops: [inner] } }, devAddress(0), appHash],
      [{ ...answer, proofOps: { ops: [outer, inner] } }, devAddress(0), appHash],
      [{ ...answer, proofOps: null }, devAddress(0), appHash],
      [{ ...answer, proofOps: { ops: [{ ...inner, type: 'simple:x' }, outer] } }, devAddress(0), appHash],
      [{ ...answer, proofOps: { ops: [{ ...inner, data: 'AAAA' }, outer] } }, devAddress(0), appHash],
    ];
    for (const [changed, address, hash] of cases)
      expect((await checkStateProof(changed, address, hash)).ok).toBe(false);
    expect(await checkStateProof({ ...answer, value: other.value }, devAddress(0), appHash)).toEqual({
      ok: false,
      message: 'The value is not the one that the proof is of.',
    });
    // The size of a tree is not hashed (RFC 6962), so a proof with another one can lead to the same root: of the same value, then.
    const { value } = (await checkStateProof(answer, devAddress(0), appHash)) as { value: string };
    for (const [i, op] of [inner, outer].entries()) {
      const bytes = Buffer.from(op.data, 'base64');
      for (let at = 0; at < bytes.length; at += 1) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] as number) ^ 1;
        const ops = [inner, outer].map((each, k) => (k === i ? { ...each, data: base64(changed) } : each));
        const proof = await checkStateProof({ ...answer, proofOps: { ops } }, devAddress(0), appHash);
        if (proof.ok) expect([proof.value, proof.steps[0]?.index, proof.steps[1]?.index]).toEqual([value, 0, 0]);
      }
    }
  });

  test('is none for an account that the state does not have', async () => {
    const nobody = operatorAddress(9);
    expect(await checkStateProof({ ...ask(nobody), value: null, proofOps: null }, nobody, appHash)).toEqual({
      ok: false,
      message: 'The answer has no proof.',
    });
  });
});
