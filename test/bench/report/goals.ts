/** The rows of DESIGN section 9, with where each build's value stands in its results. */
import type { Build } from './recorded-results.ts';
import type { Figures, PhaseRow } from './result.ts';
import { short, spreadText } from './summary.ts';

export interface Goal {
  what: string;
  least: string;
  moonshot: string;
  /** @returns undefined where it was not measured. */
  value(build: Build): string | undefined;
}

const KIB = 1024;

const figures = ({ name, speed }: Build, scenario: string): Figures | undefined => speed?.figures[name]?.[scenario];
const spreadOf = (build: Build, scenario: string, figure: string): string | undefined => {
  const found = figures(build, scenario)?.[figure];
  return found === undefined ? undefined : `${short(found.median)} (${short(found.min)}..${short(found.max)})`;
};
/** Several figures in one cell; those that were not measured are a dash, and a cell of dashes is none. */
const cell = (values: readonly (string | undefined)[], between = ' / '): string | undefined =>
  values.every((value) => value === undefined) ? undefined : values.map((value) => value ?? '-').join(between);

function pointAt({ scale }: Build, rows: number) {
  return scale?.points.find((point) => point.rows === rows);
}

/** Last size / first size. */
function growth(
  build: Build,
  of: (point: NonNullable<ReturnType<typeof pointAt>>) => number | undefined,
): string | undefined {
  const first = build.scale?.points[0];
  const last = build.scale?.points.at(-1);
  const [from, to] = [first && of(first), last && of(last)];
  return from === undefined || to === undefined || first === last ? undefined : short(to / from);
}

/** The longest that the thread which answers was blocked in any phase. */
function httpBlocked({ name, speed }: Build): string | undefined {
  const lags = (speed?.phases ?? [])
    .filter((phase: PhaseRow) => phase.build === name)
    .flatMap(({ eventLoopMaxMs = {} }) =>
      Object.entries(eventLoopMaxMs)
        .filter(([thread]) => /^(main|http)/.test(thread))
        .map(([, ms]) => ms),
    );
  return lags.length === 0 ? undefined : `${short(Math.max(...lags))} ms`;
}

/** A ratio of a side of `npm run bench:network`; results of early builds have those of `one` only. */
function ofBare({ network }: Build, side: string, ratio: 'accepted' | 'committed' | 'cpu'): string | undefined {
  const found = network?.sides?.[side]?.ofBare?.[ratio] ?? (side === 'one' ? network?.ratios[ratio] : undefined);
  return found && spreadText(found);
}

function networkFigure({ network }: Build, side: string, figure: string): string | undefined {
  const found = network?.sides?.[side]?.figures[figure];
  return found && spreadText(found);
}

const kib = (bytes: number | undefined): string | undefined =>
  bytes === undefined ? undefined : `${short(bytes / KIB)} KB`;
const MILLION = 1_000_000;

export const GOALS: readonly Goal[] = [
  {
    what: 'POST one by one, 32 connections, against the verification limit of one core / all cores',
    least: '0.50 / 0.40',
    moonshot: '0.70 / 0.60',
    value: (build) => cell([spreadOf(build, 'post-32', 'ofOneCore'), spreadOf(build, 'post-32', 'ofAllCores')]),
  },
  {
    what: 'CPU of a transfer, in verifications, 32 connections',
    least: '2.0',
    moonshot: '1.4',
    value: (build) => spreadOf(build, 'post-32', 'verifications'),
  },
  {
    what: 'batch of 1,000 / of 100 against the limit of all cores',
    least: '0.75 / 0.60',
    moonshot: '1.2 / 1.0',
    value: (build) => cell([spreadOf(build, 'batch-1000', 'ofAllCores'), spreadOf(build, 'batch-100', 'ofAllCores')]),
  },
  {
    what: 'GET list of 10 / by id / account / list of 100, against raw Express answering the same bytes, by CPU',
    least: '0.60 each / 0.35',
    moonshot: '0.8',
    value: (build) =>
      cell(['list10', 'byId', 'account', 'list100'].map((read) => spreadOf(build, read, 'ofExpressCpu'))),
  },
  {
    what: 'GET by id, each id for the first time, against raw Express, by CPU',
    least: '-',
    moonshot: '-',
    value: (build) => spreadOf(build, 'byId-first', 'ofExpressCpu'),
  },
  {
    what: 'the same reads while 32 connections write, p99',
    least: '25 ms',
    moonshot: '10 ms',
    value: (build) =>
      cell(['list10', 'byId', 'account', 'list100'].map((read) => spreadOf(build, `${read}-while-writing`, 'p99Ms'))),
  },
  {
    what: 'acknowledgement p50 above raw Express, one connection, ms',
    least: '0.7',
    moonshot: '0.4',
    value: (build) => spreadOf(build, 'post-1', 'p50AboveExpressMs'),
  },
  {
    what: 'acknowledgements against anvil / CometBFT kvstore `broadcast_tx_commit` tuned',
    least: '1.0x / 2.5x',
    moonshot: '2x / 5x',
    value: (build) => cell([spreadOf(build, 'post-32', 'ofAnvil'), spreadOf(build, 'post-128', 'ofKvstoreCommit')]),
  },
  {
    what: 'written to disk for a transfer at 1e4 / 1e6 rows / kept',
    least: '8 KB / 8 KB / 650 B',
    moonshot: '4 KB / 4 KB / 450 B',
    value: (build) =>
      cell([
        kib(pointAt(build, 10_000)?.accept.diskBytes),
        kib(pointAt(build, MILLION)?.accept.diskBytes),
        build.scale?.points.at(-1) && `${short(build.scale.points.at(-1)!.keptBytes)} B`,
      ]),
  },
  {
    what: 'cometbft engine through the gateway against the bare kvstore node given one by one: one by one accepted / committed; batches of 100 accepted / committed; the same batches on PostgreSQL',
    least: '0.4',
    moonshot: '0.6',
    value: (build) =>
      cell([
        ofBare(build, 'one', 'accepted'),
        ofBare(build, 'one', 'committed'),
        ofBare(build, 'one-batch', 'accepted'),
        ofBare(build, 'one-batch', 'committed'),
        ofBare(build, 'one-pg-batch', 'accepted'),
        ofBare(build, 'one-pg-batch', 'committed'),
      ]),
  },
  {
    what: 'CPU of a transfer through a network of four with PostgreSQL, all processes, in verifications: one by one / in batches of 100 (half of the 43 of the audit)',
    least: '21.5',
    moonshot: '-',
    value: (build) =>
      cell([
        networkFigure(build, 'network-1', 'cpuVerifications'),
        networkFigure(build, 'network-batch', 'cpuVerifications'),
      ]),
  },
  {
    what: 'growth of CPU, in verifications, from the smallest to the largest history: accept / list head / middle / oldest / by id / account list / statement / tx_search',
    least: '1.3x',
    moonshot: '1.1x',
    value: (build) =>
      cell([
        growth(build, ({ accept, acceptVerifications }) => acceptVerifications ?? accept.cpuUs),
        ...['list head', 'list middle', 'list oldest', 'by id', 'account list', 'statement', 'tx_search'].map((read) =>
          growth(build, ({ reads }) => reads[read]?.verifications ?? reads[read]?.cpuUs),
        ),
      ]),
  },
  {
    what: 'start with the largest history / RSS then / RSS after 200,000 transfers',
    least: '2 s / 300 MB / 400 MB',
    moonshot: '1 s / 150 MB',
    value: ({ scale }) => {
      const last = scale?.points.at(-1);
      return (
        last &&
        `${last.rows} rows, ${last.accounts} accounts: ${short(last.startMs.median / 1000)} s / ${short(last.startRssMib)} MiB / ${scale?.rssAfter200000Mib === undefined ? '-' : `${short(scale.rssAfter200000Mib)} MiB`}`
      );
    },
  },
  { what: 'HTTP thread blocked at most, in any phase', least: '25 ms', moonshot: '10 ms', value: httpBlocked },
];
