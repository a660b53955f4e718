/**
 * Validators changed from the command line under real CometBFT v0.38.26 nodes: one is added once it has the blocks, in the steps that are
 * allowed; the old one is removed, and the chain goes on without it. COMETBFT names the program; without it nothing here can be tested.
 */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  CODES,
  encodeTransaction,
  parseGenesis,
  signGovernance,
  validatorAddress,
  withSignatures,
} from '../../server/ledger/index.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { COMETBFT, CometbftPair } from '../engine/support/cometbft-pair.ts';
import { validatorKey, validatorSeed } from '../ledger/support.ts';
import { succeeds } from './support/gateway-files.ts';
import { governedChain, type GovernedChain, governedGenesis } from './support/governed-chain.ts';
import { seedOfKeyFile } from './support/role-keys.ts';
import { call, freePort, READY_MS_MAX, Server } from './support/server.ts';

const suite = existsSync(COMETBFT) ? describe : describe.skip;
const CHAIN_ID = 'governed-net-1';
const TEST_MS_MAX = 300_000;

/** Of the key of a test's validator. */
const addressOf = (i: number): string => validatorAddress(Buffer.from(validatorKey(i), 'hex'));

suite('validators of a network', () => {
  let first: CometbftPair;
  let second: CometbftPair;
  let gateway: Server;
  let token = '';
  let chain: GovernedChain;

  beforeAll(async () => {
    const folder = await temporaryFolder('governance-network');
    await governedGenesis(folder, CHAIN_ID, ['--validator', `${validatorKey(0)}=10`]);
    const file = (name: string): string => `${folder}/${name}.json`;
    const parsed = parseGenesis(readFileSync(file('genesis')));
    if (!parsed.ok) throw new Error(parsed.errors.join('\n'));
    const { genesis } = parsed;
    first = await CometbftPair.create({ genesis, validatorSeed: validatorSeed(0) });
    await first.start();
    // A node like any other: it has the key that shall sign later, and no power yet.
    second = await CometbftPair.create({
      genesis,
      validatorSeed: validatorSeed(1),
      config: { 'p2p.persistent_peers': JSON.stringify(first.peer) },
    });
    await second.start();
    const dataDir = `${folder}/data`;
    const scopes = ['transactions:read', 'rpc:broadcast'].flatMap((scope) => ['--scope', scope]);
    token = await succeeds(['token', 'create', '--owner', 'operator', ...scopes], {
      DATA_DIR: dataDir,
      ENGINE: 'cometbft',
    });
    const variables = {
      ENGINE: 'cometbft',
      COMETBFT_RPC_URL: `${first.rpcUrl},${second.rpcUrl}`,
      GENESIS_FILE: file('genesis'),
      OPERATOR_KEY_FILE: file('canceller'),
    };
    gateway = new Server({ command: 'serve', dataDir, port: await freePort(), variables });
    await gateway.start();
    chain = governedChain(folder, CHAIN_ID, () => ({ baseUrl: gateway.baseUrl, token }));
  }, READY_MS_MAX + TEST_MS_MAX);

  afterAll(async () => {
    await gateway?.stop('SIGKILL');
    await Promise.all([first?.dispose(), second?.dispose()]);
    await removeTemporaryFolders();
  }, TEST_MS_MAX);

  const powerOf = (i: number, power: number): string[] => [
    '--kind',
    'validator_power',
    '--subject',
    validatorKey(i),
    '--power',
    String(power),
  ];

  /** Who signs the block at a height by CometBFT's own word, address to power. */
  async function signersAt(height: number): Promise<Record<string, number>> {
    await second.waitForHeight(height);
    const { validators } = await second.rpc(`validators?height=${height}`);
    return Object.fromEntries(validators.map(({ address, voting_power: power }: any) => [address, Number(power)]));
  }

  /** Proposes, signs and submits, and looks at the first block for which it counts. */
  async function expectPower(i: number, power: number, signers: Record<string, number>): Promise<void> {
    const { code, height, error } = await chain.change(powerOf(i, power));
    expect({ code, error }).toEqual({ code: 0, error: undefined });
    expect(await signersAt(height + 1)).not.toEqual(signers);
    expect(await signersAt(height + 2)).toEqual(signers);
  }

  /** The steps that a refusal names, as the powers to set. */
  async function suggested(i: number, power: number): Promise<number[]> {
    const { code, stdout } = await chain.govern('propose', ...powerOf(i, power), '--out', chain.file('too-far'));
    expect(code).toBe(2);
    const { message } = JSON.parse(stdout).error;
    return [...message.matchAll(/--power (\d+) --sequence/g)].map((match: RegExpMatchArray) => Number(match[1]));
  }

  test(
    'a third of the power is refused, in words and by the nodes, with every signature there is',
    async () => {
      expect(await suggested(1, 10)).toEqual([3, 7, 10]);
      // What the command refuses to write, signed by all three governors and brought to a node itself.
      const unsigned = {
        kind: 'governance',
        chainId: CHAIN_ID,
        action: 'validator_power',
        subject: validatorKey(1),
        sequence: 0,
      } as const;
      for (const power of [4, 10, Number.MAX_SAFE_INTEGER]) {
        const tx = { ...unsigned, power };
        const signatures = ['governor-1', 'governor-2', 'governor-3'].map((name) =>
          signGovernance(tx, chain.address(name), seedOfKeyFile(chain.file(name))),
        );
        expect({
          power,
          code: (await first.broadcast(encodeTransaction(withSignatures(tx, signatures)))).code,
        }).toEqual({ power, code: CODES.governance_power_bound });
        const one = withSignatures(tx, signatures.slice(0, 1));
        expect((await first.broadcast(encodeTransaction(one))).code).toBe(CODES.governance_threshold);
        const canceller = signGovernance(tx, chain.address('canceller'), seedOfKeyFile(chain.file('canceller')));
        expect((await first.broadcast(encodeTransaction(withSignatures(tx, [canceller])))).code).toBe(
          CODES.signer_not_allowed,
        );
      }
    },
    TEST_MS_MAX,
  );

  test(
    'one is added in the steps that the refusal names, and signs from the second block on',
    async () => {
      for (const power of await suggested(1, 10))
        await expectPower(1, power, { [addressOf(0)]: 10, [addressOf(1)]: power });
      expect(JSON.parse((await chain.govern('show')).stdout).validators.map(({ share }: any) => share)).toEqual([
        '50.00 %',
        '50.00 %',
      ]);
    },
    TEST_MS_MAX,
  );

  test(
    'one is removed in steps, and the chain and its gateway go on when its machine is gone',
    async () => {
      const steps = await suggested(0, 0);
      expect(steps).toEqual([4, 0]);
      await expectPower(0, 4, { [addressOf(0)]: 4, [addressOf(1)]: 10 });
      await expectPower(0, 0, { [addressOf(1)]: 10 });
      await first.killNode();
      await first.killApp();
      const height = await second.height();
      await second.waitForHeight(height + 3);
      // Through the gateway, which derived the validators by itself and takes no block without their signatures.
      const changed = await chain.change(['--kind', 'threshold', '--threshold', '3']);
      expect(changed).toMatchObject({ code: 0 });
      expect(
        (await call(`${gateway.baseUrl}/rpc/validators?height=${changed.height}`, { token })).body.result.validators,
      ).toMatchObject([{ address: addressOf(1), voting_power: '10' }]);
      expect((await call(`${gateway.baseUrl}/metrics`)).body).toMatch(/^txledger_engine_nodes_distrusted_total 0$/m);
    },
    TEST_MS_MAX,
  );
});
