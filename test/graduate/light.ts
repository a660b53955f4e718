/** `cometbft light` against a node: from a trusted height on it verifies another by signatures alone. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, freePort } from '../e2e/support/server.ts';
import { COMETBFT } from '../engine/support/cometbft-node.ts';
import { endChild } from '../support/child-process.ts';

const POLL_MS = 20;
const WAIT_MS_MAX = 60_000;

export interface LightOptions {
  chainId: string;
  rpcUrl: string;
  trusted: { height: number; hash: string };
  height: number;
  mode: 'sequential' | 'skipping';
}

/** @returns the header's hash as the light client has verified it. Throws with its words when it does not. */
export async function verifiedHash({ chainId, rpcUrl, trusted, height, mode }: LightOptions): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-light-'));
  const port = await freePort();
  const args = [
    'light',
    chainId,
    '-p',
    rpcUrl,
    '-w',
    rpcUrl,
    '--height',
    String(trusted.height),
    '--hash',
    trusted.hash,
    '--home-dir',
    folder,
    '--laddr',
    `tcp://127.0.0.1:${port}`,
  ];
  const child = spawn(COMETBFT, mode === 'sequential' ? [...args, '--sequential'] : args, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  try {
    const endMs = performance.now() + WAIT_MS_MAX;
    for (;;) {
      const answer = await call(`http://127.0.0.1:${port}/commit?height=${height}`).catch(() => undefined);
      const hash = answer?.body.result?.signed_header.commit.block_id.hash as string | undefined;
      if (hash !== undefined) return hash;
      if (child.exitCode !== null || answer?.body.error !== undefined || performance.now() > endMs)
        throw new Error(`cometbft light (${mode}): ${JSON.stringify(answer?.body)} ${text.slice(-2000)}`);
      await sleep(POLL_MS);
    }
  } finally {
    await endChild(child, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}
