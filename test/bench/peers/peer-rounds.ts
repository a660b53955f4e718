/** The peers' part of each round: whichever can be had on this machine, by name; of the others it is said why not. */
import { spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../e2e/support/server.ts';
import { endChild } from '../../support/child-process.ts';
import { measurePhase } from '../measure/phase.ts';
import { progress } from '../report/progress.ts';
import type { PhaseRow } from '../report/result.ts';
import { ANVIL, anvilArguments, anvilBinary, anvilScenario } from './anvil.ts';
import { installPeers } from './install.ts';
import { KVSTORE, kvstoreScenarios, makeKvstoreHome } from './kvstore.ts';
import { answers, launch, peerLoad, type PeerScenario } from './peer.ts';

const COMETBFT = process.env['COMETBFT'] ?? 'cometbft';
const TRANSACTIONS_MAX = 5000;
const REPEATS_MAX = 2;

interface Peer {
  scenarios: readonly PeerScenario[];
  start(folder: string): Promise<{ child: ChildProcess; port: number }>;
}

export class PeerRounds {
  /** Which peers are missing, and why. */
  readonly missing: string[] = [];
  readonly #scratch = mkdtempSync(path.join(tmpdir(), 'txledger-peers-'));
  readonly #peers: Peer[] = [];
  readonly #allowNoise: boolean;

  private constructor(allowNoise: boolean) {
    this.#allowNoise = allowNoise;
  }

  static async prepare(transactions: number, allowNoise: boolean): Promise<PeerRounds> {
    const rounds = new PeerRounds(allowNoise);
    const count = Math.min(transactions, TRANSACTIONS_MAX);
    await rounds.#add(ANVIL, () => rounds.#anvil(count));
    await rounds.#add(KVSTORE, async () => rounds.#kvstore(count));
    return rounds;
  }

  /** One phase of each way in of each peer, each peer fresh. */
  async run(round: number): Promise<PhaseRow[]> {
    const rows: PhaseRow[] = [];
    for (const { scenarios, start } of this.#peers) {
      for (const scenario of scenarios) {
        for (let attempt = 0; attempt <= REPEATS_MAX; attempt += 1) {
          // A fresh one at each try: the same transactions are refused the second time.
          const folder = mkdtempSync(path.join(this.#scratch, 'peer-'));
          const { child, port } = await start(folder);
          try {
            const phase = await measurePhase({
              pid: child.pid!,
              load: () => peerLoad(port, scenario),
              allowNoise: this.#allowNoise,
              countSyncs: false,
            });
            const { load, figures } = phase;
            rows.push({
              round,
              build: scenario.build,
              scenario: scenario.scenario,
              attempt,
              ...figures,
              void: phase.void,
              counts: phase.counts,
            });
            const refusal = load.refused.length === 0 ? '' : ` refused: ${JSON.stringify(load.refusals)}`;
            progress(
              `round ${round + 1}, ${scenario.build}: ${scenario.scenario}: ${figures.ratePerS}/s, ${figures.cpuUs} us${refusal}`,
            );
            if (phase.counts) break;
          } finally {
            await endChild(child, 'SIGKILL');
            rmSync(folder, { recursive: true, force: true });
          }
        }
      }
    }
    return rows;
  }

  async remove(): Promise<void> {
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  async #add(name: string, prepare: () => Promise<Peer>): Promise<void> {
    try {
      this.#peers.push(await prepare());
    } catch (error) {
      this.missing.push(`${name} cannot be had here: ${(error as Error).message}`);
    }
  }

  async #anvil(count: number): Promise<Peer> {
    progress('installing the peers that npm has');
    await installPeers(this.#scratch);
    const binary = anvilBinary(this.#scratch);
    if (!existsSync(binary)) throw new Error(`its package has no binary for ${process.platform} on ${process.arch}`);
    const scenario = await anvilScenario(this.#scratch, count, (done) =>
      progress(`signed ${done} of ${count} transactions for anvil`),
    );
    const start: Peer['start'] = async () => {
      const port = await freePort();
      const child = launch(binary, anvilArguments(port));
      await answers(child, port, '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}', (answer) =>
        answer.includes('result'),
      );
      return { child, port };
    };
    return { scenarios: [scenario], start };
  }

  #kvstore(count: number): Peer {
    if (spawnSync(COMETBFT, ['version'], { stdio: 'ignore' }).status !== 0)
      throw new Error('there is no cometbft; name its binary with COMETBFT');
    const start: Peer['start'] = async (folder) => {
      const port = await freePort();
      makeKvstoreHome(COMETBFT, folder, { rpc: port, p2p: await freePort() });
      const child = launch(COMETBFT, ['start', '--home', folder]);
      await answers(child, port, '{"jsonrpc":"2.0","id":1,"method":"status","params":{}}', (answer) =>
        /"latest_block_height":"[1-9]/.test(answer),
      );
      return { child, port };
    };
    return { scenarios: kvstoreScenarios(count), start };
  }
}
