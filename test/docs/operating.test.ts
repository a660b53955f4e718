/** docs/OPERATING.md against a running service: what an operator reads is what it shows. The table of variables is compared in test/app. */
import { describe, expect, test } from '@jest/globals';
import { SCOPES } from '../../server/gateway/index.ts';
import { withDevelopmentChain } from '../e2e/support/development.ts';
import { call } from '../e2e/support/server.ts';
import { codes, documentText, table } from './support/tables.ts';

const PAGE = 'docs/OPERATING.md';
const { schemas } = JSON.parse(documentText('generated/openapi.json')).components;
/** What prom-client tells about every Node.js process; the page says so in a sentence. */
const OF_THE_PROCESS = /^(process|nodejs)_/;

const chain = withDevelopmentChain();

describe('docs/OPERATING.md', () => {
  test('lists every metric of the service with its type, and no other', async () => {
    const { body } = await call(`${chain().server.baseUrl}/metrics`);
    const shown = [...String(body).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => `${name} ${type}`);
    // promtool refuses any other, and OpenMetrics cannot hold them; prom-client's own are among these.
    for (const line of shown)
      expect({ line, isCounter: line.endsWith(' counter') }).toEqual({ line, isCounter: /_total \S+$/.test(line) });
    const own = shown.filter((line) => !OF_THE_PROCESS.test(line));
    expect(own.length).toBeLessThan(shown.length);
    const listed = table(PAGE, '| Metric | Type | Tells |').flatMap(([name, type]) =>
      codes(name).map((each) => `${each} ${type}`),
    );
    expect(listed.toSorted()).toEqual(own.toSorted());
  });

  test('explains every scope of a token, and no other', () => {
    expect(table(PAGE, '| Scope | Allows |').flatMap(([scope]) => codes(scope))).toEqual([...SCOPES]);
  });

  test('explains every check of readiness, and no other', () => {
    expect(table(PAGE, '| Check of `/readyz` | Fails when | Do |').flatMap(([check]) => codes(check))).toEqual(
      schemas.ReadinessCheckName['x-extensible-enum'],
    );
  });

  test('tells what each RPC_ACCESS asks a token for, as the service does', async () => {
    const told = new Map(
      table(PAGE, '| `RPC_ACCESS` | Reading | Broadcasting |').map(([access, ...needs]) => [codes(access)[0], needs]),
    );
    expect([...told.keys()].toSorted()).toEqual(['open', 'reads', 'token']);
    // The default, which is what a development chain has.
    const { baseUrl } = chain().server;
    const asked = [await call(`${baseUrl}/rpc/health`), await call(`${baseUrl}/rpc/broadcast_tx_sync?tx=0x00`)].map(
      ({ status }) => status,
    );
    expect({ asked, told: told.get('reads') }).toEqual({
      asked: [200, 401],
      told: ['everybody', 'a token with `rpc:broadcast`'],
    });
  });
});
