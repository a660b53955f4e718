/** A database on another machine is whom its certificate says: a real PostgreSQL with ssl = on, and an authority of the test. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  chownSync,
  copyFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openPostgresStore } from '../../server/store/index.ts';
import { selfSigned, signedBy, type CertificateFiles } from '../support/certificates.ts';
import { CLUSTER_TIMEOUT_MS, POSTGRES_MISSING, PostgresCluster } from '../support/postgres.ts';

const suite = POSTGRES_MISSING === undefined ? describe : describe.skip;

suite('a database behind sslmode=verify-full', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-tls-'));
  const authority = selfSigned(folder, 'authority');
  let cluster: PostgresCluster;

  /** The server meets connections from now on with these files, or without TLS. */
  async function meetWith(files: CertificateFiles | undefined): Promise<void> {
    for (const [from, to] of [
      [files?.cert, 'server.crt'],
      [files?.key, 'server.key'],
    ] as const) {
      if (from === undefined) continue;
      const file = path.join(cluster.folder, 'data', to);
      const { uid, gid } = statSync(path.join(cluster.folder, 'data'));
      copyFileSync(from, file);
      chownSync(file, uid, gid);
      chmodSync(file, 0o600);
    }
    await cluster.query(`alter system set ssl = ${files ? 'on' : 'off'}`);
    await cluster.query('select pg_reload_conf()');
    const [{ ssl }] = await cluster.query('show ssl');
    if (ssl !== (files ? 'on' : 'off')) throw new Error(`PostgreSQL has ssl ${ssl}`);
  }

  /** The same server by another name, which only its certificate can tell apart. */
  const url = (host: string, parameters: string): string => `${cluster.url().replace('127.0.0.1', host)}?${parameters}`;
  const verified = `sslmode=verify-full&sslrootcert=${authority.cert}`;
  const refusal = async (target: string): Promise<string> => {
    const store = await openPostgresStore({ url: target }).catch((error: unknown) => error as Error);
    if (!(store instanceof Error) && !('message' in store)) {
      await store.close();
      return 'opened';
    }
    return String((store as Error).message);
  };

  beforeAll(async () => {
    cluster = await PostgresCluster.start();
  }, CLUSTER_TIMEOUT_MS);
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is opened, and every connection is encrypted, when its certificate is of that name and signed by the named authority', async () => {
    await meetWith(signedBy(authority, folder, 'named', 'DNS:localhost'));
    const store = await openPostgresStore({ url: url('localhost', verified) });
    try {
      const rows = await store.read(() =>
        cluster.query(
          "select ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'txledger'",
        ),
      );
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.every(({ ssl }) => ssl === true)).toBe(true);
    } finally {
      await store.close();
    }
  });

  test('is refused under a name, or an address, that is not in its certificate', async () => {
    const told = await refusal(url('127.0.0.1', verified));
    expect(told).toContain('its certificate is for another name than the one in the URL');
  });

  test('is refused when no trusted authority has signed its certificate, and the sentence says what to name', async () => {
    expect(await refusal(url('localhost', 'sslmode=verify-full'))).toContain('name its CA with sslrootcert=FILE');
    await meetWith(selfSigned(folder, 'alone', 'DNS:localhost'));
    expect(await refusal(url('localhost', verified))).toContain(
      'no authority that is trusted here has signed its certificate',
    );
  });

  test('is refused when its certificate has expired', async () => {
    await meetWith(signedBy(authority, folder, 'expired', 'DNS:localhost', { days: -1 }));
    expect(await refusal(url('localhost', verified))).toContain('its certificate has expired');
  });

  test('is refused when it does not speak TLS', async () => {
    await meetWith(undefined);
    const told = await refusal(url('localhost', verified));
    expect(told).toContain('it does not speak TLS (ssl = on in postgresql.conf)');
  });

  test('knows a gateway by its client certificate, and refuses one that has none or one of another authority', async () => {
    const { data } = cluster;
    await meetWith(signedBy(authority, folder, 'named', 'DNS:localhost'));
    const [mine, stranger] = [signedBy(authority, folder, 'postgres', 'DNS:gateway'), selfSigned(folder, 'stranger')];
    const rules = path.join(data, 'pg_hba.conf');
    const before = readFileSync(rules, 'utf8');
    copyFileSync(authority.cert, path.join(data, 'root.crt'));
    chmodSync(path.join(data, 'root.crt'), 0o644);
    // Over IPv4 and TLS only with a certificate; the test itself goes on by its password, in the clear.
    writeFileSync(rules, `hostssl all all 127.0.0.1/32 cert\nhostssl all all ::1/128 cert\n${before}`);
    await cluster.query("alter system set ssl_ca_file = 'root.crt'");
    await cluster.query('select pg_reload_conf()');
    const withoutPassword = url('localhost', verified).replace(`:${cluster.password}@`, '@');
    try {
      const store = await openPostgresStore({ url: `${withoutPassword}&sslcert=${mine.cert}&sslkey=${mine.key}` });
      const rows = await store.read(async (tx) => {
        await tx.follower();
        return await cluster.query(
          "select distinct client_dn from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'txledger' and state = 'idle in transaction'",
        );
      });
      await store.close();
      expect(rows).toEqual([{ client_dn: '/CN=postgres' }]);
      expect(await refusal(withoutPassword)).toMatch(/no connection to PostgreSQL at localhost:\d+.*certificate/);
      expect(await refusal(`${withoutPassword}&sslcert=${stranger.cert}&sslkey=${stranger.key}`)).toMatch(
        /no connection to PostgreSQL at localhost:\d+/,
      );
    } finally {
      writeFileSync(rules, before);
      await cluster.query('alter system reset ssl_ca_file');
      await meetWith(undefined);
    }
  });

  test('is never named with its password, whatever fails', async () => {
    const told = [
      await refusal(url('localhost', verified)),
      await refusal(cluster.url('postgres', 'geheim')),
      await refusal(cluster.url('nothing')),
      await refusal(url('localhost', 'sslmode=verify-full&sslrootcert=/nowhere/ca.crt')),
      await refusal(`postgres://ledger:geheim@127.0.0.1:1/x`),
      await refusal(`postgres://ledger:geheim@127.0.0.1:99999/x`),
    ];
    expect(told).not.toContain('opened');
    expect(told.join('\n')).not.toContain('geheim');
    expect(told.join('\n')).not.toContain(cluster.password);
    expect(told[3]).toContain('a file that the address of the database names cannot be read');
  });
});
