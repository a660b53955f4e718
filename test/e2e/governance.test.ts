/**
 * How a chain is governed from the command line, against a service that runs: proposals go from governor to governor as files. And what one
 * stolen key comes to: a canceller's can void nonces and nothing else, one governor's below the threshold can do nothing.
 */
import { chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Cancel,
  CODES,
  encodeTransaction,
  type Governance,
  type GovernanceAction,
  signGovernance,
  signTransaction,
  type Transfer,
  txHash,
  type Unsigned,
  validatorAddress,
  withSignatures,
} from '../../server/ledger/index.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { succeeds } from './support/gateway-files.ts';
import { governedChain, type GovernedChain, governedGenesis, GOVERNORS } from './support/governed-chain.ts';
import { seedOfKeyFile } from './support/role-keys.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from './support/server.ts';

const CHAIN_ID = 'governed-1';
const TEST_MS_MAX = 300_000;

let server: Server;
let token = '';
let chain: GovernedChain;

beforeAll(async () => {
  const folder = await temporaryFolder('governance');
  const file = (name: string): string => `${folder}/${name}.json`;
  await succeeds(['validator-key', 'create', '--out', file('validator')]);
  await governedGenesis(folder, CHAIN_ID, ['--validator-key', file('validator')]);
  const variables = {
    GENESIS_FILE: file('genesis'),
    VALIDATOR_KEY_FILE: file('validator'),
    OPERATOR_KEY_FILE: file('canceller'),
    BLOCK_INTERVAL_MS: '50',
  };
  server = new Server({ command: 'serve', dataDir: `${folder}/data`, port: await freePort(), variables });
  const scopes = ['transactions:read', 'transactions:write', 'rpc:broadcast'].flatMap((scope) => ['--scope', scope]);
  token = await succeeds(['token', 'create', '--owner', 'operator', ...scopes], { DATA_DIR: server.dataDir });
  chain = governedChain(folder, CHAIN_ID, () => ({ baseUrl: server.baseUrl, token }));
  await server.start();
}, READY_MS_MAX + TEST_MS_MAX);

afterAll(async () => {
  await server?.stop('SIGKILL');
  await removeTemporaryFolders();
});

const errorOf = (stdout: string): { code: string; message: string; exitCode: number } => JSON.parse(stdout).error;
const shown = async (): Promise<any> => JSON.parse((await chain.govern('show')).stdout);

/** What CheckTx says to these bytes. */
async function broadcast(raw: Uint8Array): Promise<{ code: number; log: string }> {
  const { body } = await call(`${server.baseUrl}/rpc/broadcast_tx_sync?tx=0x${Buffer.from(raw).toString('hex')}`, {
    token,
  });
  return body.result;
}

/** The same, once they are in a block. */
async function inBlock(raw: Uint8Array): Promise<{ check: number; result: number; hash: string }> {
  const { body } = await call(`${server.baseUrl}/rpc/broadcast_tx_commit?tx=0x${Buffer.from(raw).toString('hex')}`, {
    token,
  });
  const { check_tx: check, tx_result: result, hash } = body.result;
  return { check: check.code, result: result.code, hash };
}

describe('a proposal', () => {
  test(
    'takes effect when the threshold has signed it, one governor after another',
    async () => {
      const canceller = await succeeds(['operator-key', 'create', '--out', chain.file('canceller-2')]);
      const out = chain.file('add');
      const proposed = await chain.govern('propose', '--kind', 'canceller_add', '--subject', canceller, '--out', out);
      expect(JSON.parse(proposed.stdout)).toMatchObject({
        sequence: 0,
        threshold: 2,
        explanation: expect.stringContaining(canceller),
      });

      const none = await chain.govern('submit', out);
      expect(errorOf(none.stdout)).toMatchObject({ code: 'too_few_signatures', exitCode: 2 });

      // The governors have no connection: whatever leads to a service is not there.
      const first = await txledger(['governance', 'sign', out, '--key', chain.file('governor-1'), '--json']);
      expect(JSON.parse(first.stdout)).toMatchObject({
        signer: chain.address('governor-1'),
        missing: 1,
        explanation: JSON.parse(proposed.stdout).explanation,
      });

      const one = await chain.govern('submit', out);
      expect(one.code).toBe(2);
      expect(errorOf(one.stdout)).toMatchObject({
        code: 'too_few_signatures',
        message: expect.stringContaining('Signed by 1 of the 2 governors'),
      });

      const second = await txledger(['governance', 'sign', out, '--key', chain.file('governor-3'), '--json']);
      expect(JSON.parse(second.stdout)).toMatchObject({
        missing: 0,
        signers: [chain.address('governor-1'), chain.address('governor-3')].toSorted(),
      });

      const submitted = await chain.govern('submit', out);
      expect({ code: submitted.code, stdout: submitted.stdout }).toMatchObject({ code: 0 });
      expect(JSON.parse(submitted.stdout)).toMatchObject({
        code: 0,
        sequence: 0,
        signers: JSON.parse(second.stdout).signers,
      });
      expect(await shown()).toMatchObject({
        sequence: 1,
        cancellers: [chain.address('canceller'), canceller].toSorted(),
      });

      const again = await chain.govern('submit', out);
      expect(again.code).toBe(0);
      expect(JSON.parse(again.stdout)).toMatchObject({
        txHash: JSON.parse(submitted.stdout).txHash,
        note: 'It was in a block already.',
      });

      // The same change under another set of signatures is the same change, and no error.
      const others = chain.file('add-others');
      writeFileSync(others, JSON.stringify({ ...JSON.parse(readFileSync(out, 'utf8')), signatures: [] }));
      for (const name of ['governor-1', 'governor-2'])
        expect((await chain.govern('sign', others, '--key', chain.file(name))).code).toBe(0);
      expect(JSON.parse((await chain.govern('submit', others)).stdout)).toMatchObject({
        height: JSON.parse(submitted.stdout).height,
        note: 'It was in a block already, with other signatures.',
      });
    },
    TEST_MS_MAX,
  );

  test(
    'changes governors and threshold, and removes what is there',
    async () => {
      const fourth = await succeeds(['governor-key', 'create', '--out', chain.file('governor-4')]);
      expect(await chain.change(['--kind', 'governor_add', '--subject', fourth])).toMatchObject({ code: 0 });
      expect(await chain.change(['--kind', 'threshold', '--threshold', '3'])).toMatchObject({ code: 0 });
      // Two were enough before.
      expect((await chain.change(['--kind', 'governor_remove', '--subject', fourth])).error).toMatchObject({
        code: 'too_few_signatures',
      });
      expect(await chain.change(['--kind', 'governor_remove', '--subject', fourth], GOVERNORS)).toMatchObject({
        code: 0,
      });
      expect(await chain.change(['--kind', 'threshold', '--threshold', '2'], GOVERNORS)).toMatchObject({ code: 0 });
      expect(
        await chain.change(['--kind', 'canceller_remove', '--subject', chain.address('canceller-2')]),
      ).toMatchObject({ code: 0 });
      expect(await shown()).toMatchObject({
        threshold: 2,
        governors: GOVERNORS.map((name) => chain.address(name)).toSorted(),
        cancellers: [chain.address('canceller')],
      });
    },
    TEST_MS_MAX,
  );

  test(
    'is refused in words before it is written where the chain would refuse it',
    async () => {
      const refused = async (...kind: string[]): Promise<string> => {
        const { code, stdout } = await chain.govern('propose', ...kind, '--out', chain.file('never'));
        expect({ kind, code }).toEqual({ kind, code: 2 });
        return errorOf(stdout).message;
      };
      expect(await refused('--kind', 'canceller_add', '--subject', chain.address('canceller'))).toContain(
        'is a canceller already',
      );
      expect(await refused('--kind', 'canceller_remove', '--subject', chain.address('canceller'))).toContain(
        'the last canceller cannot be removed',
      );
      expect(await refused('--kind', 'threshold', '--threshold', '4')).toContain('fewer than 4');
      expect(await refused('--kind', 'rules_version', '--subject', '2', '--height', '1')).toContain(
        'the lowest that is possible now',
      );
      expect(await refused('--kind', 'governor_add', '--subject', 'txl1nobody')).toContain('subject');
      expect(await refused('--kind', 'threshold')).toContain('--threshold');
      expect(
        await refused('--kind', 'canceller_add', '--subject', chain.address('governor-1'), '--power', '1'),
      ).toContain('--power does not go with');
      const stranger = await succeeds(['validator-key', 'create', '--out', chain.file('stranger')]);
      const steps = await refused('--kind', 'validator_power', '--subject', stranger, '--power', '9007199254740991');
      expect(steps).toContain('3 of 10 now at the most');
      expect(steps).toMatch(/--power 3 --sequence \d+\n {2}--power 7 --sequence \d+\n {2}--power 12 /);
    },
    TEST_MS_MAX,
  );

  test(
    'that this chain can never take is refused by it, and the command says why',
    async () => {
      const publicKey = await succeeds(['validator-key', 'create', '--out', chain.file('second-validator')]);
      const { error } = await chain.change(['--kind', 'validator_power', '--subject', publicKey, '--power', '3']);
      expect(error).toMatchObject({
        code: 'refused',
        resultCode: CODES.governance_not_available,
        exitCode: 3,
        message: expect.stringContaining('One process with one key makes the blocks'),
      });
      expect((await shown()).validators).toMatchObject([{ power: 10, share: '100.00 %' }]);
      expect((await shown()).validators[0].address).toBe(
        validatorAddress(Buffer.from((await shown()).validators[0].publicKey, 'hex')),
      );
    },
    TEST_MS_MAX,
  );
});

describe('signing', () => {
  const proposal = (): string => chain.file('to-sign');

  beforeAll(async () => {
    const subject = await succeeds(['operator-key', 'create', '--out', chain.file('canceller-3')]);
    expect(
      (await chain.govern('propose', '--kind', 'canceller_add', '--subject', subject, '--out', proposal())).code,
    ).toBe(0);
  }, TEST_MS_MAX);

  const refusal = async (file: string, key = chain.file('governor-1')): Promise<string> => {
    const before = readFileSync(file);
    const { code, stdout } = await chain.govern('sign', file, '--key', key);
    expect(code).toBe(2);
    // Nothing was written.
    expect(readFileSync(file)).toEqual(before);
    return errorOf(stdout).message;
  };

  test(
    'refuses a file in which anything shown is not what is signed',
    async () => {
      const document = JSON.parse(readFileSync(proposal(), 'utf8'));
      const other = chain.address('canceller');
      const tampered: [string, object, string][] = [
        ['subject', { subject: other }, 'differ'],
        ['kind', { kind: 'canceller_remove' }, 'differ'],
        ['sequence', { sequence: document.sequence + 1 }, 'differ'],
        ['chain id', { chainId: 'other-1' }, 'differ'],
        ['sign bytes', { signBytes: document.signBytes.replace(document.subject, other) }, 'differ'],
        ['explanation', { explanation: document.explanation.replace('Adds', 'Removes') }, 'explanation'],
        ['a member more', { note: 'harmless' }, 'and no others'],
        ['power', { power: -1 }, 'power must be'],
        [
          'a forged signature',
          { signatures: [{ signer: chain.address('governor-2'), signature: '11'.repeat(64) }] },
          'is not of this proposal',
        ],
        ['a signature of no one', { signatures: [{ signer: 'me', signature: '11'.repeat(64) }] }, 'signatures must be'],
      ];
      for (const [what, change, expected] of tampered) {
        const file = chain.file(`tampered-${what.replaceAll(' ', '-')}`);
        writeFileSync(file, JSON.stringify({ ...document, ...change }));
        expect({ what, message: await refusal(file) }).toEqual({ what, message: expect.stringContaining(expected) });
      }
    },
    TEST_MS_MAX,
  );

  test(
    'refuses who is no governor, a second signature, and a key that others can read',
    async () => {
      expect(await refusal(proposal(), chain.file('canceller'))).toContain('is no governor');
      const file = chain.file('signed-once');
      copyFileSync(proposal(), file);
      expect((await chain.govern('sign', file, '--key', chain.file('governor-1'))).code).toBe(0);
      expect(await refusal(file)).toContain('has signed this already');
      const loose = chain.file('loose');
      copyFileSync(chain.file('governor-2'), loose);
      chmodSync(loose, 0o644);
      expect(await refusal(proposal(), loose)).toContain('chmod 600');
      expect(statSync(chain.file('governor-2')).mode & 0o777).toBe(0o600);
    },
    TEST_MS_MAX,
  );
});

describe('one stolen key', () => {
  /** Everything that governance can be asked for, each harmful in its way. */
  const wishes = (): { action: GovernanceAction; subject: string; power: number }[] => {
    const [mine, validator] = [chain.address('canceller'), Buffer.alloc(32, 7).toString('hex')];
    return [
      { action: 'canceller_add', subject: chain.address('canceller-3'), power: 0 },
      { action: 'canceller_remove', subject: mine, power: 0 },
      { action: 'governor_add', subject: mine, power: 0 },
      { action: 'governor_remove', subject: chain.address('governor-2'), power: 0 },
      { action: 'threshold', subject: '', power: 1 },
      { action: 'validator_power', subject: validator, power: Number.MAX_SAFE_INTEGER },
      { action: 'rules_version', subject: '2', power: 1_000_000 },
    ];
  };

  /** Each wish signed by these, as the next governance transaction. */
  async function refusals(names: readonly string[]): Promise<number[]> {
    const { sequence } = await shown();
    const codes: number[] = [];
    for (const wish of wishes()) {
      const unsigned: Unsigned<Governance> = { kind: 'governance', chainId: CHAIN_ID, ...wish, sequence };
      const signatures = names.map((name) =>
        signGovernance(unsigned, chain.address(name), seedOfKeyFile(chain.file(name))),
      );
      codes.push((await broadcast(encodeTransaction(withSignatures(unsigned, signatures)))).code);
    }
    return codes;
  }

  test(
    'of a canceller governs nothing, alone or beside a governor',
    async () => {
      const before = await shown();
      expect(new Set(await refusals(['canceller']))).toEqual(
        new Set([CODES.signer_not_allowed, CODES.governance_not_available]),
      );
      expect(new Set(await refusals(['canceller', 'governor-1']))).toEqual(
        new Set([CODES.signer_not_allowed, CODES.governance_not_available]),
      );
      expect({ ...(await shown()), height: 0 }).toEqual({ ...before, height: 0 });
    },
    TEST_MS_MAX,
  );

  test(
    'of a governor below the threshold governs nothing and cancels nothing',
    async () => {
      const before = await shown();
      expect(new Set(await refusals(['governor-1']))).toEqual(
        new Set([CODES.governance_threshold, CODES.governance_not_available]),
      );
      const cancel: Unsigned<Cancel> = {
        kind: 'cancel',
        chainId: CHAIN_ID,
        from: chain.address('canceller'),
        nonce: 0,
        signer: chain.address('governor-1'),
        txHash: '0'.repeat(64),
      };
      expect(
        (await broadcast(encodeTransaction(signTransaction<Cancel>(cancel, seedOfKeyFile(chain.file('governor-1'))))))
          .code,
      ).toBe(CODES.signer_not_allowed);
      expect({ ...(await shown()), height: 0 }).toEqual({ ...before, height: 0 });
    },
    TEST_MS_MAX,
  );

  test(
    'of a canceller moves no money of others, and voids nonces, which shows on the chain with its name',
    async () => {
      const payer = {
        name: 'payer',
        address: await succeeds(['operator-key', 'create', '--out', chain.file('payer')]),
      };
      const seed = seedOfKeyFile(chain.file('canceller'));
      const own: Unsigned<Transfer> = {
        kind: 'transfer',
        chainId: CHAIN_ID,
        from: chain.address('canceller'),
        to: payer.address,
        amount: 500n,
        nonce: 0,
      };
      // Its own account is in genesis: with that money it gives the payer an account.
      expect(await inBlock(encodeTransaction(signTransaction<Transfer>(own, seed)))).toMatchObject({
        check: 0,
        result: 0,
      });
      const theft = signTransaction<Transfer>(
        { ...own, from: payer.address, to: chain.address('canceller'), amount: 1n },
        seed,
      );
      expect((await broadcast(encodeTransaction(theft))).code).toBe(CODES.invalid_signature);

      const unsigned: Unsigned<Cancel> = {
        kind: 'cancel',
        chainId: CHAIN_ID,
        from: payer.address,
        nonce: 0,
        signer: chain.address('canceller'),
        txHash: '0'.repeat(64),
      };
      const raw = encodeTransaction(signTransaction<Cancel>(unsigned, seed));
      expect(await inBlock(raw)).toEqual({ check: 0, result: 0, hash: txHash(raw) });
      // How an operator sees what the key did.
      const query = encodeURIComponent(`"cancel.signer = '${chain.address('canceller')}'"`);
      // The index of searches follows the blocks in its own time.
      let cancels: any[] = [];
      while (cancels.length === 0)
        cancels = (await call(`${server.baseUrl}/rpc/tx_search?query=${query}`, { token })).body.result?.txs ?? [];
      expect(cancels.map(({ hash }) => hash)).toEqual([txHash(raw)]);
      expect((await call(`${server.baseUrl}/accounts/${payer.address}`, { token })).body).toMatchObject({
        balance: '500',
        nonce: 1,
      });
    },
    TEST_MS_MAX,
  );

  test(
    'stops counting when the canceller is removed',
    async () => {
      expect(await chain.change(['--kind', 'canceller_add', '--subject', chain.address('canceller-3')])).toMatchObject({
        code: 0,
      });
      expect(await chain.change(['--kind', 'canceller_remove', '--subject', chain.address('canceller')])).toMatchObject(
        { code: 0 },
      );
      const unsigned: Unsigned<Cancel> = {
        kind: 'cancel',
        chainId: CHAIN_ID,
        from: chain.address('payer'),
        nonce: 1,
        signer: chain.address('canceller'),
        txHash: '0'.repeat(64),
      };
      expect(
        (await broadcast(encodeTransaction(signTransaction<Cancel>(unsigned, seedOfKeyFile(chain.file('canceller'))))))
          .code,
      ).toBe(CODES.signer_not_allowed);
    },
    TEST_MS_MAX,
  );
});

test(
  'the audit trail names everyone who signed',
  async () => {
    const { stdout } = await txledger(
      ['audit', 'list', '--action', 'governance.commit', '--action', 'governance.submit', '--json'],
      { DATA_DIR: server.dataDir },
    );
    const { entries } = JSON.parse(stdout);
    const signers = [chain.address('governor-1'), chain.address('governor-3')].toSorted();
    for (const action of ['governance.submit', 'governance.commit']) {
      const first = entries.find((entry: any) => entry.action === action && entry.details.sequence === 0);
      expect(first).toMatchObject({ details: { kind: 'canceller_add', signers } });
    }
  },
  TEST_MS_MAX,
);
