/** The receiver's process, and what its file says of order, loss and repetition. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { ROOT } from '../../../scripts/steps.ts';

export async function startReceiver(options: {
  port: number;
  file: string;
  secrets: readonly string[];
}): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['test/webhooks/receiver.ts', String(options.port), options.file], {
    cwd: ROOT,
    env: { ...process.env, RECEIVER_SECRETS: options.secrets.join(' ') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

export const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

export interface Verdict {
  wanted: number;
  received: number;
  lost: number;
  outOfOrder: number;
  repeated: number;
}

/** An event is out of order when it comes for the first time before one that it has to come after. */
export function judge(wanted: readonly string[], received: readonly string[]): Verdict {
  const places = new Map(wanted.map((id, place) => [id, place]));
  const seen = new Set<string>();
  let next = 0;
  let outOfOrder = 0;
  for (const id of received) {
    if (seen.has(id)) continue;
    seen.add(id);
    const place = places.get(id);
    if (place === undefined || place !== next) outOfOrder += 1;
    next = (place ?? next) + 1;
  }
  return {
    wanted: wanted.length,
    received: received.length,
    lost: wanted.filter((id) => !seen.has(id)).length,
    outOfOrder,
    repeated: received.length - seen.size,
  };
}
