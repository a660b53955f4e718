/** The command line of `npm run bench:network`: what is wrong with it is one sentence, before anything is started. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../../scripts/steps.ts';

export const SIDES = [
  'bare',
  'bare-batch',
  'app',
  'one',
  'one-batch',
  'one-pg',
  'one-pg-batch',
  'network-1',
  'network-2',
  'network-batch',
] as const;
/** What a recorded result is a ratio of. */
const RECORDED_SIDES = ['bare', 'one'] as const;

const OPTIONS = {
  sides: { type: 'string', default: SIDES.join(',') },
  rounds: { type: 'string', default: '3' },
  transactions: { type: 'string', default: '8000' },
  connections: { type: 'string', default: '64' },
  batch: { type: 'string', default: '100' },
  'batch-connections': { type: 'string', default: '8' },
  checkout: { type: 'string', default: ROOT },
  name: { type: 'string', default: 'this' },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export const HELP = `npm run bench:network -- [OPTION...], with COMETBFT=/path/to/cometbft

  --sides NAME,...       ${SIDES.join(', ')}; all by default
  --rounds N             rounds that count, after one that warms up; 3
  --transactions N       of each side in each round; 8000
  --connections N        requests under way at once; 64
  --batch N              transactions in a request of a -batch side; 100
  --batch-connections N  requests of such sides under way at once; 8
  --checkout DIR         the checkout that is measured; this one
  --name NAME            of the build, in a recorded result; this
  --json FILE            record the result; needs the sides ${RECORDED_SIDES.join(' and ')}
`;

export interface Arguments {
  readonly sides: readonly string[];
  readonly rounds: number;
  readonly transactions: number;
  readonly connections: number;
  readonly batch: number;
  readonly batchConnections: number;
  readonly checkout: string;
  readonly name: string;
  readonly json: string | undefined;
}

/** A fault of the command line, for the person who wrote it. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

function count(name: string, text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text))
    throw new ArgumentError(`--${name} is ${text}; expected a whole number from 1 on`);
  return Number(text);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('\n');
    throw new ArgumentError(sentence.replace(/\.$/, ''));
  }
}

/** @returns undefined when help is wanted. @throws ArgumentError */
export function readArguments(args: readonly string[]): Arguments | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const sides = values.sides.split(',');
  const unknown = sides.filter((name) => !(SIDES as readonly string[]).includes(name));
  if (unknown.length > 0) throw new ArgumentError(`--sides names ${unknown.join(', ')}; known are ${SIDES.join(', ')}`);
  if (values.json !== undefined && !RECORDED_SIDES.every((name) => sides.includes(name)))
    throw new ArgumentError(`--json records a result, which needs the sides ${RECORDED_SIDES.join(' and ')}`);
  return {
    sides,
    rounds: count('rounds', values.rounds),
    transactions: count('transactions', values.transactions),
    connections: count('connections', values.connections),
    batch: count('batch', values.batch),
    batchConnections: count('batch-connections', values['batch-connections']),
    checkout: path.resolve(values.checkout),
    name: values.name,
    json: values.json,
  };
}
