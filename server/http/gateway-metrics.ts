/** The gateway's numbers as metrics, in Prometheus base units and names. */
import type { DurationFigures, StoreFigures } from '../engine/ports.ts';
import type { GatewayMetrics } from '../gateway/types.ts';

import type { MetricFamily } from './metric-families.ts';

interface Shown {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  value: (metrics: GatewayMetrics) => number;
  labels?: Record<string, string>;
}

const count = (name: string, help: string, value: Shown['value']): Shown => ({ name, help, type: 'counter', value });
const gauge = (name: string, help: string, value: Shown['value']): Shown => ({ name, help, type: 'gauge', value });

const settled = (status: 'committed' | 'failed' | 'cancelled' | 'expired'): Shown => ({
  ...count(
    'txledger_transactions_settled_total',
    'Transactions that a block decided, by terminal status.',
    (metrics) => metrics[`${status}_total`],
  ),
  labels: { status },
});

const lookups = (id: 'known' | 'unknown', value: Shown['value']): Shown => ({
  ...count(
    'txledger_token_lookups_total',
    'Tokens looked up in the store, by whether their id is known from an earlier lookup.',
    value,
  ),
  labels: { id },
});

const SHOWN: readonly Shown[] = [
  gauge('txledger_transactions_pending', 'Transactions that no block has decided yet.', (m) => m.pending),
  count('txledger_transactions_accepted_total', 'Transfers taken in durably.', (m) => m.accepted_total),
  count(
    'txledger_transactions_replayed_total',
    'Submissions of a transfer that was known already.',
    (m) => m.replayed_total,
  ),
  count('txledger_transactions_refused_total', 'Submissions that the rules refused.', (m) => m.refused_total),
  settled('committed'),
  settled('failed'),
  settled('cancelled'),
  settled('expired'),
  count(
    'txledger_broadcasts_total',
    'Transactions handed to the engine, repetitions included.',
    (m) => m.broadcast_total,
  ),
  gauge('txledger_cancels_pending', 'Cancels that no block has decided yet.', (m) => m.cancel_outbox),
  gauge(
    'txledger_senders_held_up',
    'At the active gateway: senders with transfers that wait for a nonce which no pending transfer has.',
    (m) => m.senders_held_up,
  ),
  count('txledger_group_commits_total', 'Database commits that took in transfers.', (m) => m.group_commits_total),
  count('txledger_group_commit_items_total', 'Transfers taken in by those commits.', (m) => m.group_commit_items_total),
  gauge('txledger_group_commit_size_max', 'Most transfers that one commit took in.', (m) => m.group_commit_size_max),
  lookups('known', (m) => m.token_lookups_known_total),
  lookups('unknown', (m) => m.token_lookups_unknown_total),
  gauge(
    'txledger_gateway_active',
    '1 at the gateway that follows the chain and broadcasts: one of those on a database.',
    (m) => m.active,
  ),
  gauge(
    'txledger_settlement_stalled_seconds',
    'At the active gateway: for how long it has settled nothing although the chain went on, or has not seen the chain.',
    (m) => m.settlement_stalled_seconds,
  ),
  gauge(
    'txledger_index_behind_transfers',
    'Transfers that blocks of the log have settled and chain.db does not have yet; 0 over a network.',
    (m) => m.index_behind_transfers ?? 0,
  ),
  gauge('txledger_follower_height', 'Height of the last block applied.', (m) => m.follower_height),
  gauge(
    'txledger_follower_block_time_seconds',
    'Header time of the last block applied, since the Unix epoch.',
    (m) => m.follower_block_time_ms / 1000,
  ),
];

export function gatewayFamilies(metrics: GatewayMetrics): MetricFamily[] {
  const families = new Map<string, MetricFamily>();
  for (const { name, help, type, value, labels = {} } of SHOWN) {
    const family = families.get(name) ?? familyOf(name, help, type);
    families.set(name, family);
    family.values.push({ value: value(metrics), labels });
  }
  return [...families.values(), ...(metrics.store === undefined ? [] : storeFamilies(metrics.store))];
}

function storeFamilies({
  commits,
  checkpoints,
  transactions,
  connections,
  standbys,
  replicas,
}: StoreFigures): MetricFamily[] {
  const families = [
    histogram(
      'txledger_commit_duration_seconds',
      'Time in which the database wrote and synced a commit, by what was committed.',
      'commit',
      commits,
    ),
  ];
  if (Object.keys(checkpoints).length > 0)
    families.push(
      histogram(
        'txledger_checkpoint_duration_seconds',
        'Time in which the log of the database was brought into its file, by the thread that did it.',
        'thread',
        checkpoints,
      ),
    );
  if (transactions !== undefined)
    families.push(
      histogram(
        'txledger_database_transaction_duration_seconds',
        'Time of a transaction of the database from asking for a connection to its end, by access.',
        'access',
        transactions,
      ),
    );
  if (connections !== undefined) {
    const { busy, idle, waiting } = connections;
    families.push({
      ...familyOf(
        'txledger_database_connections',
        'Connections to PostgreSQL, by whether they have something to do.',
        'gauge',
      ),
      values: [
        { value: busy, labels: { state: 'busy' } },
        { value: idle, labels: { state: 'idle' } },
      ],
    });
    families.push({
      ...familyOf('txledger_database_waiting', 'Transactions that wait for a connection to PostgreSQL.', 'gauge'),
      values: [{ value: waiting, labels: {} }],
    });
  }
  if (standbys !== undefined) {
    families.push({
      ...familyOf(
        'txledger_database_synchronous_standbys_wanted',
        'Standbys for which a commit of PostgreSQL waits, as synchronous_standby_names says; 0: none, and a fail-over loses what was acknowledged.',
        'gauge',
      ),
      values: [{ value: standbys.wanted, labels: {} }],
    });
    if (standbys.inSync !== undefined)
      families.push({
        ...familyOf(
          'txledger_database_synchronous_standbys',
          'Standbys that are synchronous now; with fewer than wanted, commits wait.',
          'gauge',
        ),
        values: [{ value: standbys.inSync, labels: {} }],
      });
  }
  if (replicas !== undefined) {
    const { reads } = replicas;
    families.push({
      ...familyOf(
        'txledger_database_reads_total',
        'Lists, transfers by hash and pages of events, by the server of PostgreSQL that had the settled rows.',
        'counter',
      ),
      values: [
        { value: reads.primary, labels: { from: 'primary' } },
        { value: reads.replica, labels: { from: 'replica' } },
      ],
    });
    families.push({
      ...familyOf(
        'txledger_database_replica_used',
        '1 for a replica that settled transfers are read from, 0 for one that is away, far behind, or no copy of the primary.',
        'gauge',
      ),
      values: replicas.replicas.map(({ name, isUsed }) => ({ value: isUsed ? 1 : 0, labels: { replica: name } })),
    });
    families.push({
      ...familyOf(
        'txledger_database_replica_lag_blocks',
        'Blocks that a replica is behind the primary; none for one that does not answer.',
        'gauge',
      ),
      values: replicas.replicas.flatMap(({ name, lag }) =>
        lag === undefined ? [] : [{ value: lag, labels: { replica: name } }],
      ),
    });
  }
  return families;
}

function histogram(
  name: string,
  help: string,
  label: string,
  series: Readonly<Record<string, DurationFigures>>,
): MetricFamily {
  const family = familyOf(name, help, 'histogram');
  for (const [value, { boundsS, counts, sumS }] of Object.entries(series)) {
    const labels = { [label]: value };
    let below = 0;
    for (const [bucket, inBucket] of counts.entries()) {
      below += inBucket;
      family.values.push({
        metricName: `${name}_bucket`,
        value: below,
        labels: { le: boundsS[bucket] ?? '+Inf', ...labels },
      });
    }
    family.values.push(
      { metricName: `${name}_sum`, value: sumS, labels },
      { metricName: `${name}_count`, value: below, labels },
    );
  }
  return family;
}

const familyOf = (name: string, help: string, type: 'counter' | 'gauge' | 'histogram'): MetricFamily => ({
  name,
  help,
  type,
  values: [],
  aggregator: 'sum',
});
