/** The receivers of webhooks in docs/examples, as their readers run them: each keeps what is signed, once, and nothing else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { ROOT } from '../../scripts/steps.ts';
import { example } from '../client/support/contract.ts';
import { endChild } from '../support/child-process.ts';

const SECRETS = [
  `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
] as const;
const folder = mkdtempSync(join(tmpdir(), 'webhook-receiver-'));
let child: ChildProcess | undefined;
afterEach(async () => {
  if (child) await endChild(child, 'SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the program. @returns its URL. */
async function start(command: readonly [string, string], name: string): Promise<string> {
  const [program, script] = command;
  child = spawn(program, [join(ROOT, 'docs/examples', script)], {
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: SECRETS.join(' '), MESSAGES_FILE: join(folder, name) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return url;
}

const message = (id: string): string => JSON.stringify({ ...example<object>('CommittedEventMessage'), id });

async function send(
  url: string,
  body: string,
  { secret = SECRETS[0] as string, atMs = Date.now(), alter = (signature: string) => signature } = {},
): Promise<number> {
  const id = (JSON.parse(body) as { id: string }).id;
  const at = new Date(Math.floor(atMs / 1000) * 1000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${at.getTime() / 1000}`,
    'webhook-signature': alter(new Webhook(secret).sign(id, at, body)),
  };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

describe.each([
  [process.execPath, 'webhook_receiver.mjs'],
  ['python3', 'webhook_receiver.py'],
] as const)('%s %s', (program, script) => {
  test('keeps what is signed once, also over a restart, and answers the rest with 400', async () => {
    let url = await start([program, script], script);
    expect(await send(url, message('4-0'))).toBe(204);
    expect(await send(url, message('4-0'))).toBe(204);
    expect(await send(url, message('4-1'), { secret: SECRETS[1] })).toBe(204);
    expect(await send(url, message('4-2'), { alter: (signature) => `v1a,AAAA v1,AAAA ${signature}` })).toBe(204);
    expect(await send(url, message('5-0'), { secret: `whsec_${Buffer.alloc(32, 3).toString('base64')}` })).toBe(400);
    expect(await send(url, message('5-0'), { atMs: Date.now() - 400_000 })).toBe(400);
    expect(await send(url, message('5-0'), { atMs: Date.now() + 400_000 })).toBe(400);
    expect(await send(url, message('5-0'), { alter: (signature) => signature.slice(0, -6) })).toBe(400);
    expect((await fetch(url, { method: 'POST', body: message('5-0') })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(70_000) }).catch(() => ({ status: 413 }))).status).toBe(
      413,
    );
    await endChild(child!, 'SIGKILL');
    url = await start([program, script], script);
    expect(await send(url, message('4-1'))).toBe(204);
    expect(await send(url, message('6-0'))).toBe(204);
    const kept = readFileSync(join(folder, script), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(kept).toEqual(['4-0', '4-1', '4-2', '6-0']);
  });
});
