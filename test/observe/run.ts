/**
 * What an operator watches the service with, put to programs of Prometheus itself: /metrics of a running server in both formats, the alert and
 * recording rules with their tests, and the dashboard, every expression of which must be PromQL over metrics that there are. Then a Prometheus
 * scrapes the server, evaluates the rules, and answers the dashboard's queries with data.
 *
 *   node test/observe/run.ts
 *
 * It needs promtool and prometheus (Debian's package prometheus).
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/steps.ts';
import { codes, documentText, table } from '../docs/support/tables.ts';
import { chainOf } from '../e2e/support/chain.ts';
import { call, freePort, Server } from '../e2e/support/server.ts';
import { commandResult, endChild } from '../support/child-process.ts';
import { dashboardFaults, expressionsOf, metricNames } from './dashboard.ts';

const SCRAPE_INTERVAL = '1s';
/** A rate needs two scrapes, and the newest data is a moment old. */
const DATA_MS_MAX = 30_000;
const POLL_MS = 250;
/** What the sum of all steps may take on a busy machine. */
const BUDGET_MS = 120_000;

const startedMs = performance.now();
const folder = mkdtempSync(path.join(tmpdir(), 'txledger-observe-'));
const rulesFile = path.join(ROOT, 'ops/prometheus/alerts.yaml');
const server = new Server({
  dataDir: path.join(folder, 'data'),
  port: await freePort(),
  variables: { BLOCK_INTERVAL_MS: '100', LOG_LEVEL: 'error', HTTP_THREADS: '2' },
});

const say = (text: string): void => console.log(`${((performance.now() - startedMs) / 1000).toFixed(1)} s  ${text}`);

async function promtool(args: readonly string[], input = ''): Promise<string> {
  const child = spawn('promtool', [...args], { cwd: ROOT, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const { code, stdout, stderr } = await commandResult(child);
  assert.equal(code, 0, `promtool ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Names of alerts and of recorded series, with the expression of each. */
function rulesIn(
  text: string,
): { alert?: string; record?: string; expr: string; annotations?: Record<string, string> }[] {
  const { groups } = parse(text) as { groups: { rules: ReturnType<typeof rulesIn> }[] };
  return groups.flatMap(({ rules }) => rules);
}

async function checkMetrics(): Promise<Set<string>> {
  const { body: plain } = await call(`${server.baseUrl}/metrics`);
  assert.equal(await promtool(['check', 'metrics'], String(plain)), '', 'promtool check metrics has a complaint');
  // A counter that has counted nothing yet has no sample, only its type.
  const samples = new Set(
    [...String(plain).matchAll(/^(?:# TYPE )?([a-z_][a-z_0-9]+)[ {]/gm)].map(([, name = '']) => name),
  );
  const { body, headers } = await call(`${server.baseUrl}/metrics`, {
    headers: { Accept: 'application/openmetrics-text; version=1.0.0' },
  });
  assert.match(headers.get('content-type') ?? '', /^application\/openmetrics-text; version=1\.0\.0/);
  assert.ok(String(body).endsWith('\n# EOF\n'));
  say(`promtool check metrics: no complaint about ${samples.size} names`);
  return samples;
}

async function checkRules(known: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  await promtool(['check', 'rules', '--lint-fatal', rulesFile]);
  await promtool(['test', 'rules', 'ops/prometheus/alerts.test.yaml']);
  await promtool(['check', 'config', 'ops/prometheus/prometheus.yaml']);
  const rules = rulesIn(documentText('ops/prometheus/alerts.yaml'));
  const tests = (parse(documentText('ops/prometheus/alerts.test.yaml')) as { tests: { name: string }[] }).tests.map(
    ({ name }) => name,
  );
  const alerts = rules.flatMap(({ alert }) => (alert === undefined ? [] : [alert]));
  assert.deepEqual(tests.toSorted(), alerts.toSorted(), 'each alert has one test');
  const anchors = new Set(
    [...documentText('docs/OPERATING.md').matchAll(/^#+ (.+)$/gm)].map(
      ([, title = '']) => `docs/OPERATING.md#${title.toLowerCase().replaceAll(' ', '-')}`,
    ),
  );
  for (const { alert, annotations } of rules)
    if (alert !== undefined)
      assert.ok(
        anchors.has(annotations?.['runbook_url'] ?? ''),
        `the runbook of ${alert}, ${annotations?.['runbook_url']}, is no heading of docs/OPERATING.md`,
      );
  const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
  for (const { alert, record, expr } of rules) {
    const unknown = metricNames(expr).filter((name) => !known.has(name) && !recorded.has(name));
    assert.deepEqual(unknown, [], `${alert ?? record} asks for metrics that the service does not have`);
  }
  say(`${alerts.length} alerts and ${recorded.size} recording rules: each alert tested, each runbook there`);
  return recorded;
}

async function checkDashboard(known: ReadonlySet<string>): Promise<string[]> {
  const dashboard = JSON.parse(documentText('ops/grafana/dashboard.json'));
  const faults = dashboardFaults(dashboard, known);
  assert.deepEqual(faults, []);
  const expressions = expressionsOf(dashboard);
  const asRules = {
    groups: [
      { name: 'dashboard', rules: expressions.map((expr, at) => ({ record: `dashboard:expression:${at}`, expr })) },
    ],
  };
  const file = path.join(folder, 'dashboard.json');
  writeFileSync(file, JSON.stringify(asRules));
  await promtool(['check', 'rules', file]);
  say(`dashboard: ${expressions.length} expressions are PromQL over metrics that there are`);
  return expressions;
}

/** Pays, and asks for what is not there, so that there is something to see. */
async function payer(): Promise<() => Promise<void>> {
  const chain = chainOf(server, await server.development());
  let nonce = 0;
  return async () => {
    assert.equal((await chain.submit(chain.signed(0, 1, 1n, nonce++))).status, 202);
    assert.equal((await chain.get(`/transactions/${'0'.repeat(64)}`)).status, 404);
  };
}

async function scrape(expressions: readonly string[], payOnce: () => Promise<void>): Promise<void> {
  const config = parse(documentText('ops/prometheus/prometheus.yaml'));
  config.global = { scrape_interval: SCRAPE_INTERVAL, evaluation_interval: SCRAPE_INTERVAL };
  config.rule_files = [rulesFile];
  config.scrape_configs[0].static_configs = [{ targets: [new URL(server.baseUrl).host] }];
  const port = await freePort();
  const own = path.join(folder, 'prometheus');
  mkdirSync(own);
  writeFileSync(path.join(own, 'prometheus.yaml'), JSON.stringify(config));
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${own}/prometheus.yaml`,
      `--storage.tsdb.path=${own}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ask = async (query: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> => {
    const { body } = await call(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`);
    assert.equal(body.status, 'success', `${query}: ${JSON.stringify(body)}`);
    return body.data.result;
  };
  const becomes = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    for (const untilMs = performance.now() + DATA_MS_MAX; !(await isSo().catch(() => false)); await sleep(POLL_MS)) {
      assert.ok(performance.now() < untilMs, `not within ${DATA_MS_MAX} ms: ${what}`);
      await payOnce();
    }
  };
  try {
    await becomes('up is 1', async () => (await ask('up{job="txledger"}')).some(({ value }) => value[1] === '1'));
    const targets = await call(`http://127.0.0.1:${port}/api/v1/targets`);
    assert.equal(targets.body.data.activeTargets[0].lastError, '');
    say('a Prometheus scrapes the service: up is 1');
    await becomes('transfers are accepted', async () =>
      (await ask('sum(rate(txledger_transactions_accepted_total[10s]))')).some(({ value }) => Number(value[1]) > 0),
    );
    await becomes('a rule is recorded', async () =>
      (await ask('instance:txledger_accepted:rate5m')).some(({ value }) => Number(value[1]) > 0),
    );
    const empty: string[] = [];
    for (const expr of expressions) if ((await ask(expr)).length === 0) empty.push(expr);
    // What counts only after something that did not happen here: a stream or a webhook that ended, a connection that was ended.
    const unexpected = empty.filter((expr) => !/event_streams_ended|webhook_deliveries|connections_cut_off/.test(expr));
    assert.deepEqual(unexpected, [], 'queries of the dashboard without an answer');
    assert.deepEqual(await ask('ALERTS{alertstate="firing"}'), [], 'a healthy service raises no alert');
    say(
      `${expressions.length - empty.length} of ${expressions.length} queries of the dashboard answer data, no alert fires`,
    );
  } finally {
    await endChild(prometheus, 'SIGKILL');
  }
}

try {
  await server.start();
  const payOnce = await payer();
  await payOnce();
  const samples = await checkMetrics();
  // A gateway before nodes has more than the embedded engine.
  const network = table('docs/NETWORK.md', '| Metric of the engine | Type | Tells |').flatMap(([name]) => codes(name));
  const known = new Set([...samples, ...network, 'up']);
  await checkRules(known);
  await scrape(await checkDashboard(known), payOnce);
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs < BUDGET_MS, `it took ${tookMs} ms, at most ${BUDGET_MS}`);
} finally {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
