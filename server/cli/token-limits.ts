/** Limits of one token, as options of commands. @module */
import { InvalidArgumentError, type Command } from 'commander';
import { TOKEN_PENDING_MAX_MAX, TOKEN_RATE_PER_S_MAX, type TokenLimits } from '../gateway/index.ts';

export interface LimitOptions {
  ratePerS?: number;
  pendingMax?: number;
}

const upTo =
  (max: number) =>
  (text: string): number => {
    const value = /^[1-9][0-9]*$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) throw new InvalidArgumentError(`expected a whole number from 1 to ${max}.`);
    return value;
  };

/** Adds `--rate-per-s` and `--pending-max`. */
export function withLimits(command: Command, absent: string): Command {
  return command
    .option('--rate-per-s <units>', `units of cost a second; ${absent}`, upTo(TOKEN_RATE_PER_S_MAX))
    .option(
      '--pending-max <transfers>',
      `transfers that its owner may have pending when it submits another; ${absent}`,
      upTo(TOKEN_PENDING_MAX_MAX),
    );
}

export function limitsOf({ ratePerS, pendingMax }: LimitOptions): TokenLimits {
  return { ...(ratePerS !== undefined && { ratePerS }), ...(pendingMax !== undefined && { pendingMax }) };
}

/** Formats limits, such as `100/s, 500 pending`. */
export function describeLimits({ ratePerS, pendingMax }: TokenLimits = {}): string {
  const parts = [
    ...(ratePerS === undefined ? [] : [`${ratePerS}/s`]),
    ...(pendingMax === undefined ? [] : [`${pendingMax} pending`]),
  ];
  return parts.length === 0 ? 'no limits of its own' : parts.join(', ');
}
