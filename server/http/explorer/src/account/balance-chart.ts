/** The balance of an account over time, as the path of a chart: a balance holds until the next entry, so the line has steps and no slopes. */

export interface ChartEntry {
  readonly blockTime: string;
  readonly direction: 'in' | 'out';
  /** Minor units. */
  readonly amount: string;
  readonly balanceAfter: string;
}

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

export interface BalanceChart {
  /** For the `d` of an SVG path. */
  readonly line: string;
  readonly area: string;
  readonly min: bigint;
  readonly max: bigint;
  readonly from: string;
  readonly until: string;
}

/** Steps of the vertical axis: bigints are scaled to them before they become coordinates. */
const STEPS = 10_000n;

/** The balance of the account before an entry. A transfer to oneself changes nothing. */
function balanceBefore({ direction, amount, balanceAfter }: ChartEntry): bigint {
  return direction === 'in' ? BigInt(balanceAfter) - BigInt(amount) : BigInt(balanceAfter) + BigInt(amount);
}

/** `entries`: oldest first. `now` ends the line: the last balance still holds. Undefined without an entry. */
export function balanceChart(
  entries: readonly ChartEntry[],
  now: string,
  { width, height }: ChartSize,
): BalanceChart | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  const balances = [balanceBefore(first), ...entries.map(({ balanceAfter }) => BigInt(balanceAfter))];
  const [min, max] = balances.reduce(
    ([least, most], each) => [each < least ? each : least, each > most ? each : most],
    [balances[0] as bigint, balances[0] as bigint],
  );
  const startMs = Date.parse(first.blockTime);
  const endMs = Math.max(Date.parse(now), Date.parse(entries.at(-1)?.blockTime ?? now));
  // The chart begins a little before the first entry, so that its change is visible.
  const spanMs = Math.max(1, (endMs - startMs) * 1.05);
  const x = (time: string): number => round(width - ((endMs - Date.parse(time)) / spanMs) * width);
  const y = (balance: bigint): number =>
    max === min
      ? round(height / 2)
      : round(height - (Number(((balance - min) * STEPS) / (max - min)) / Number(STEPS)) * height);
  const steps = entries.map(({ blockTime, balanceAfter }) => `H${x(blockTime)}V${y(BigInt(balanceAfter))}`).join('');
  const line = `M0,${y(balances[0] as bigint)}${steps}H${width}`;
  return { line, area: `${line}V${height}H0Z`, min, max, from: first.blockTime, until: new Date(endMs).toISOString() };
}

const round = (value: number): number => Math.round(value * 10) / 10;
