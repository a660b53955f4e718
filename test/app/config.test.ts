import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { OWN_PATHS, PLAIN_VARIABLES, PREFIXED_VARIABLES, readConfig, type Mode } from '../../server/app/config.ts';
import { describeFaults } from '../../server/app/config-reader.ts';
import { APP_VARIABLES, withoutPassword } from '../../server/app/engine-config.ts';
import { shownNode } from '../../server/engine/cometbft/nodes/node-port.ts';

const read = (env: Record<string, string>, mode: Mode = 'development', cores = 4) =>
  readConfig(env, { mode, cwd: '/srv/ledger', cores });

function configOf(env: Record<string, string>, mode: Mode = 'development') {
  const result = read(env, mode);
  if (!result.ok) throw new Error(describeFaults(result.faults));
  return result.config;
}

function faultsOf(env: Record<string, string>, mode: Mode = 'development'): Record<string, string> {
  const result = read(env, mode);
  return result.ok ? {} : Object.fromEntries(result.faults.map(({ name, expected }) => [name, expected]));
}

const FILES = { GENESIS_FILE: 'g.json', VALIDATOR_KEY_FILE: '/keys/v.json', OPERATOR_KEY_FILE: 'o.json' };

describe('the configuration', () => {
  test('of an empty environment is a development chain on loopback, with the documented defaults', () => {
    expect(configOf({})).toEqual({
      mode: 'development',
      publicDev: false,
      host: '127.0.0.1',
      port: 8080,
      httpThreads: 3,
      dataDir: '/srv/ledger/data',
      engine: 'embedded',
      blockIntervalMs: 1000,
      idleBlockIntervalS: 60,
      nodeUrls: [],
      databaseUrl: undefined,
      readDatabaseUrl: undefined,
      insecureDatabase: false,
      insecureNodes: false,
      rpcAccess: 'reads',
      webhookAllowPrivate: [],
      websocketsPerIpMax: 20,
      pendingTtlS: 86_400,
      pendingPerOwnerMax: 10_000,
      pendingMax: 100_000,
      allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
      corsOrigins: [],
      trustedProxies: [],
      tls: undefined,
      securityContact: undefined,
      explorer: 'on',
      publicUrl: undefined,
      drainDelayS: 0,
      keyFileGroup: undefined,
      connectionsMax: 8_192,
      connectionsPerIpMax: 1_024,
      logLevel: 'info',
      logFormat: 'text',
      rateLimits: undefined,
      validateResponses: false,
      keyFiles: undefined,
    });
  });

  test.each([
    [1, 1],
    [2, 1],
    [8, 7],
    [256, 64],
  ])('has on %d cores %d HTTP threads: one core is left for the writer', (cores, httpThreads) => {
    expect(read({}, 'development', cores)).toMatchObject({ config: { httpThreads } });
  });

  test('takes the number of HTTP threads that it is told', () => {
    expect(configOf({ HTTP_THREADS: '5' }).httpThreads).toBe(5);
    for (const HTTP_THREADS of ['0', '65', 'all', '1.5'])
      expect(Object.keys(faultsOf({ HTTP_THREADS }))).toEqual(['HTTP_THREADS']);
  });

  test('counts an empty value as unset', () => {
    expect(configOf({ PORT: '', HOST: ' ' })).toMatchObject({ port: 8080, host: '127.0.0.1' });
    expect(configOf({ PORT: '0' })).toMatchObject({ port: 0 });
  });

  test('resolves relative paths against the folder it was started in', () => {
    expect(configOf({ ...FILES, DATA_DIR: 'd' }, 'production')).toMatchObject({
      dataDir: '/srv/ledger/d',
      keyFiles: { genesis: '/srv/ledger/g.json', validatorKey: '/keys/v.json', operatorKey: '/srv/ledger/o.json' },
    });
  });

  test('names every error at once, each with its name, its value and what was expected', () => {
    const result = read({ PORT: '70000', BLOCK_INTERVAL_MS: '5', LOG_LEVEL: 'loud', TRUSTED_PROXIES: '10.0.0.0/40' });
    if (result.ok) throw new Error('accepted');
    expect(describeFaults(result.faults)).toBe(
      [
        'The configuration has 4 errors:',
        '  PORT is "70000", expected a whole number from 0 to 65535',
        '  BLOCK_INTERVAL_MS is "5", expected a whole number from 10 to 10000 (milliseconds)',
        '  TRUSTED_PROXIES is "10.0.0.0/40", expected a comma-separated list of IP addresses or CIDR blocks such as 10.0.0.0/8',
        '  LOG_LEVEL is "loud", expected debug or info or warn or error or silent',
      ].join('\n'),
    );
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '8080.0'],
    ['PORT', '0x50'],
    ['PORT', '1e3'],
    ['PORT', '-1'],
    ['HOST', 'not a host'],
    ['ENGINE', 'tendermint'],
    ['RPC_ACCESS', 'all'],
    ['PENDING_TTL_S', '0'],
    ['ALLOWED_HOSTS', 'ledger.example:70000'],
    ['ALLOWED_HOSTS', '::1'],
    ['ALLOWED_HOSTS', 'https://ledger.example'],
    ['ALLOWED_HOSTS', 'a.example,,b.example'],
    ['CORS_ORIGINS', 'https://pay.example/'],
    ['CORS_ORIGINS', 'pay.example'],
    ['CORS_ORIGINS', 'ftp://pay.example'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TRUSTED_PROXIES', '::1/129'],
    ['TXLEDGER_VALIDATE_RESPONSES', 'yes'],
  ])('refuses %s=%s', (name, value) => {
    expect(Object.keys(faultsOf({ [name]: value }))).toEqual([name]);
  });

  test('accepts lists of hosts, origins and proxies of both address families', () => {
    const lists = {
      ALLOWED_HOSTS: 'Ledger.example, [2001:db8::1], a.example:8443',
      CORS_ORIGINS: 'https://pay.example,http://localhost:3000',
      TRUSTED_PROXIES: '10.0.0.0/8,::1',
    };
    expect(configOf(lists)).toMatchObject({
      allowedHosts: ['ledger.example', '[2001:db8::1]', 'a.example:8443'],
      corsOrigins: ['https://pay.example', 'http://localhost:3000'],
      trustedProxies: ['10.0.0.0/8', '::1'],
    });
  });

  test('refuses an unknown TXLEDGER_ variable, asks whether a near one was meant, and does not repeat its value', () => {
    const result = read({ TXLEDGER_PENDING_MAXX: 'hunter2', TXLEDGER_PORT: '80', TXLEDGER_QQQQQQQQQQQQQQ: '1' });
    if (result.ok) throw new Error('accepted');
    const text = describeFaults(result.faults);
    expect(text).toContain(
      'TXLEDGER_PENDING_MAXX is "(hidden)", expected no variable of this name; did you mean TXLEDGER_PENDING_MAX?',
    );
    expect(text).toContain('did you mean PORT?');
    expect(text).toMatch(/TXLEDGER_QQQQQQQQQQQQQQ .*of this name$/m);
    expect(text).not.toContain('hunter2');
  });

  test('leaves a stranger’s variables alone', () => {
    expect(read({ PATH: '/bin', PORTER: 'x', npm_lifecycle_event: 'start' }).ok).toBe(true);
  });

  test('keeps a development chain, whose keys are public, on loopback', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.4', 'ledger.example'])
      expect(faultsOf({ HOST: host, ALLOWED_HOSTS: 'x' })).toHaveProperty('HOST');
    for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) expect(read({ HOST: host }).ok).toBe(true);
  });

  test('shows the RPC to everybody in development, and in production to nobody without a token unless it is told to', () => {
    expect(configOf({}).rpcAccess).toBe('reads');
    expect(configOf(FILES, 'production').rpcAccess).toBe('token');
    expect(configOf({ ...FILES, RPC_ACCESS: 'reads' }, 'production').rpcAccess).toBe('reads');
  });

  test('needs all three files in production and refuses them in development', () => {
    expect(Object.keys(faultsOf({}, 'production'))).toEqual([
      'GENESIS_FILE',
      'VALIDATOR_KEY_FILE',
      'OPERATOR_KEY_FILE',
    ]);
    expect(Object.keys(faultsOf(FILES))).toEqual(['GENESIS_FILE', 'VALIDATOR_KEY_FILE', 'OPERATOR_KEY_FILE']);
  });

  test('limits rates in production and asks for host names when it listens on every address', () => {
    expect(configOf({ ...FILES }, 'production').rateLimits).toEqual({ perTokenPerS: 1000, perIpPerS: 2000 });
    // Development limits nothing until it is told a limit.
    expect(configOf({ TXLEDGER_RATE_PER_TOKEN_PER_S: '1' }, 'development').rateLimits).toEqual({
      perTokenPerS: 1,
      perIpPerS: 2000,
    });
    expect(configOf({ TXLEDGER_RATE_PER_IP_PER_S: '3' }, 'development').rateLimits).toEqual({
      perTokenPerS: 1000,
      perIpPerS: 3,
    });
    expect(Object.keys(faultsOf({ ...FILES, HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.5' }, 'production'))).toEqual([
      'ALLOWED_HOSTS',
    ]);
    expect(configOf({ ...FILES, HOST: '10.1.2.3', TRUSTED_PROXIES: '10.0.0.5' }, 'production').allowedHosts).toContain(
      '10.1.2.3',
    );
  });

  test('takes a second witness of the log for the embedded engine alone, by a path from the folder of the process', () => {
    expect(configOf({ LOG_WITNESS_FILE: 'disk/witness.json' }).logWitnessFile).toMatch(/^\/.*disk\/witness\.json$/);
    expect(configOf({}).logWitnessFile).toBeUndefined();
    const network = { ...FILES, ENGINE: 'cometbft', COMETBFT_RPC_URL: 'http://127.0.0.1:26657' };
    expect(faultsOf({ ...network, LOG_WITNESS_FILE: '/witness.json' }, 'production')).toHaveProperty(
      'LOG_WITNESS_FILE',
    );
  });

  test('has read every variable that it knows: each of them is refused when its value is nonsense', () => {
    const nonsense = '\u0001';
    const free = [
      'DATA_DIR',
      'GENESIS_FILE',
      'VALIDATOR_KEY_FILE',
      'OPERATOR_KEY_FILE',
      'LOG_WITNESS_FILE',
      'TLS_CERT_FILE',
      'TLS_KEY_FILE',
    ]; // any text is a path
    const named = [...PLAIN_VARIABLES, ...PREFIXED_VARIABLES].filter((name) => !free.includes(name));
    const env = Object.fromEntries([...named.map((name) => [name, nonsense]), ...Object.entries(FILES)]);
    expect(Object.keys(faultsOf(env, 'production')).toSorted()).toEqual(named.toSorted());
  });
});

describe('JWTs', () => {
  const JWT = {
    TXLEDGER_JWT_ISSUER: 'https://login.example/',
    TXLEDGER_JWT_AUDIENCE: 'ledger',
    TXLEDGER_JWT_JWKS_URL: 'https://login.example/jwks.json',
  };

  test('are taken where the operator names an issuer, by fixed algorithms and without the scopes that reach beyond an owner', () => {
    expect(configOf(FILES, 'production').jwt).toBeUndefined();
    expect(configOf({ ...FILES, ...JWT }, 'production').jwt).toEqual({
      issuer: 'https://login.example/',
      audience: 'ledger',
      keys: { kind: 'url', url: 'https://login.example/jwks.json' },
      algorithms: ['EdDSA', 'ES256', 'PS256', 'RS256'],
      types: ['at+jwt'],
      ownerClaim: 'sub',
      scopes: ['transactions:read', 'transactions:write', 'rpc:broadcast', 'webhooks:manage'],
      lifetimeMaxS: 7200,
    });
  });

  test('have keys from an https URL, from this machine or from a file, and from one of these', () => {
    const keysOf = (variables: Record<string, string>) =>
      configOf({ ...FILES, ...JWT, ...variables }, 'production').jwt?.keys;
    expect(keysOf({ TXLEDGER_JWT_JWKS_URL: 'http://127.0.0.1:9/jwks' })).toEqual({
      kind: 'url',
      url: 'http://127.0.0.1:9/jwks',
    });
    expect(keysOf({ TXLEDGER_JWT_JWKS_URL: '', TXLEDGER_JWT_JWKS_FILE: 'keys.json' })).toEqual({
      kind: 'file',
      path: '/srv/ledger/keys.json',
    });
    const faults = (variables: Record<string, string>) =>
      Object.keys(faultsOf({ ...FILES, ...JWT, ...variables }, 'production'));
    for (const url of [
      'http://login.example/jwks',
      'https://user:pass@login.example/',
      'ftp://login.example/',
      'login.example',
      'https://login.example/#keys',
    ])
      expect(faults({ TXLEDGER_JWT_JWKS_URL: url })).toEqual(['TXLEDGER_JWT_JWKS_URL']);
    expect(faults({ TXLEDGER_JWT_JWKS_FILE: 'keys.json' })).toEqual(['TXLEDGER_JWT_JWKS_FILE']);
    expect(faults({ TXLEDGER_JWT_JWKS_URL: '', TXLEDGER_JWT_ISSUER: '' })).toEqual([
      'TXLEDGER_JWT_ISSUER',
      'TXLEDGER_JWT_JWKS_URL',
    ]);
  });

  test('have the type of access tokens, and another one only where the operator says so', () => {
    const typesOf = (TXLEDGER_JWT_TYPES: string) =>
      configOf({ ...FILES, ...JWT, TXLEDGER_JWT_TYPES }, 'production').jwt?.types;
    expect(typesOf('at+jwt,JWT')).toEqual(['at+jwt', 'JWT']);
    for (const types of ['jwt', 'at+jwt,id+jwt', 'at+jwt,'])
      expect(Object.keys(faultsOf({ ...FILES, ...JWT, TXLEDGER_JWT_TYPES: types }, 'production'))).toEqual([
        'TXLEDGER_JWT_TYPES',
      ]);
  });

  test('are never taken unsigned or by a secret that both sides have', () => {
    for (const algorithm of ['none', 'HS256', 'HS512', 'RS1', 'eddsa'])
      expect(
        Object.keys(faultsOf({ ...FILES, ...JWT, TXLEDGER_JWT_ALGORITHMS: `EdDSA,${algorithm}` }, 'production')),
      ).toEqual(['TXLEDGER_JWT_ALGORITHMS']);
    expect(
      Object.keys(
        faultsOf(
          { ...FILES, ...JWT, TXLEDGER_JWT_SCOPES: 'transactions:rule', TXLEDGER_JWT_LIFETIME_MAX_S: '86401' },
          'production',
        ),
      ).toSorted(),
    ).toEqual(['TXLEDGER_JWT_LIFETIME_MAX_S', 'TXLEDGER_JWT_SCOPES']);
  });
});

describe('the engine', () => {
  const NODES = { ENGINE: 'cometbft', COMETBFT_RPC_URL: 'http://127.0.0.1:26657' };
  const GATEWAY = { ...NODES, GENESIS_FILE: 'g.json', OPERATOR_KEY_FILE: 'o.json' };
  const DATABASE = 'postgres://ledger:geheim@db.example:5432/ledger';

  test('of a network takes its nodes in their order, a shared database, and no validator key', () => {
    const config = configOf(
      {
        ...GATEWAY,
        COMETBFT_RPC_URL: 'http://127.0.0.1:26657/, https://node.example/rpc',
        DATABASE_URL: `${DATABASE}?sslmode=verify-full`,
      },
      'production',
    );
    expect(config).toMatchObject({
      engine: 'cometbft',
      nodeUrls: ['http://127.0.0.1:26657', 'https://node.example/rpc'],
      databaseUrl: `${DATABASE}?sslmode=verify-full`,
      blockIntervalMs: undefined,
      keyFiles: { genesis: '/srv/ledger/g.json', validatorKey: undefined, operatorKey: '/srv/ledger/o.json' },
    });
  });

  test('of a network keeps an SQLite file when no database is named', () => {
    expect(configOf(GATEWAY, 'production').databaseUrl).toBeUndefined();
  });

  test('of a network refuses what the nodes decide, and says so', () => {
    const faults = faultsOf({ ...GATEWAY, BLOCK_INTERVAL_MS: '500', VALIDATOR_KEY_FILE: 'v.json' }, 'production');
    expect(Object.keys(faults).toSorted()).toEqual(['BLOCK_INTERVAL_MS', 'VALIDATOR_KEY_FILE']);
    expect(faults['BLOCK_INTERVAL_MS']).toContain('timeout_commit');
    expect(faults['VALIDATOR_KEY_FILE']).toContain('each holds its own key');
  });

  test('of one process refuses nodes and a PostgreSQL database, and says whose they are', () => {
    const faults = faultsOf(
      { ...FILES, COMETBFT_RPC_URL: 'http://127.0.0.1:26657', DATABASE_URL: DATABASE },
      'production',
    );
    expect(Object.keys(faults).toSorted()).toEqual(['COMETBFT_RPC_URL', 'DATABASE_URL']);
    for (const expected of Object.values(faults)) expect(expected).toContain('ENGINE=cometbft');
  });

  test('of a network is not what `start` runs', () => {
    expect(faultsOf(NODES)).toEqual({ ENGINE: expect.stringContaining('npm run localnet') });
  });

  test.each([
    ['no node', ''],
    ['no URL', '127.0.0.1:26657'],
    ['another protocol', 'tcp://127.0.0.1:26657'],
    ['a password', 'http://user:geheim@127.0.0.1:26657'],
    ['a query', 'http://127.0.0.1:26657/?a=1'],
    ['an empty item', 'http://127.0.0.1:26657,'],
    ['one node twice', 'http://127.0.0.1:26657,http://127.0.0.1:26657/'],
    ['33 nodes', Array.from({ length: 33 }, (_, index) => `http://127.0.0.${index}:26657`).join()],
  ])('of a network refuses %s in COMETBFT_RPC_URL and repeats no password', (_what, value) => {
    const result = read({ ...GATEWAY, COMETBFT_RPC_URL: value }, 'production');
    if (result.ok) throw new Error('accepted');
    expect(result.faults.map(({ name }) => name)).toEqual(['COMETBFT_RPC_URL']);
    expect(describeFaults(result.faults)).not.toContain('geheim');
  });

  test('of a network takes 32 nodes', () => {
    const nodes = Array.from({ length: 32 }, (_, index) => `http://127.0.0.${index}:26657`);
    expect(configOf({ ...GATEWAY, COMETBFT_RPC_URL: nodes.join() }, 'production').nodeUrls).toEqual(nodes);
  });

  test.each([['mysql://u:geheim@db/x'], ['postgres://u:geheim@db'], ['postgres:///x'], ['u:geheim@db']])(
    'refuses DATABASE_URL=%s and hides its password',
    (value) => {
      const result = read({ ...GATEWAY, DATABASE_URL: value }, 'production');
      if (result.ok) throw new Error('accepted');
      expect(result.faults.map(({ name }) => name)).toEqual(['DATABASE_URL']);
      expect(describeFaults(result.faults)).not.toContain('geheim');
    },
  );

  test.each(['0.0.0.0', '::', '10.1.2.3', '192.168.1.4', 'ledger.example'])(
    'does not serve tokens in the clear on HOST=%s',
    (host) => {
      const env = { ...FILES, HOST: host, ALLOWED_HOSTS: 'ledger.example' };
      expect(faultsOf(env, 'production')).toEqual({
        HOST: expect.stringMatching(/TLS_CERT_FILE and TLS_KEY_FILE.*TRUSTED_PROXIES/),
      });
      expect(read({ ...env, TRUSTED_PROXIES: '10.0.0.5' }, 'production').ok).toBe(true);
      expect(configOf({ ...env, TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: '/k.pem' }, 'production').tls).toEqual({
        certificate: '/srv/ledger/c.pem',
        key: '/k.pem',
      });
      for (const loopback of ['127.0.0.1', '127.9.9.9', '::1', 'localhost'])
        expect(read({ ...env, HOST: loopback }, 'production').ok).toBe(true);
    },
  );

  test('speaks HTTPS with a certificate and a key, not with one of them', () => {
    expect(Object.keys(faultsOf({ ...FILES, TLS_CERT_FILE: 'c.pem' }, 'production'))).toEqual(['TLS_KEY_FILE']);
    expect(Object.keys(faultsOf({ TLS_KEY_FILE: 'k.pem' }))).toEqual(['TLS_CERT_FILE']);
    expect(configOf({ TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: 'k.pem' }).tls).toBeDefined();
  });

  const INSECURE_DATABASES = [
    'postgres://u:p@db.example/x',
    'postgres://u:p@10.0.0.31/x',
    'postgres://u:p@db.example/x?sslmode=require',
    'postgres://u:p@db.example/x?sslmode=verify-ca&sslrootcert=ca.crt',
    'postgres://u:p@db.example/x?sslmode=no-verify',
    // The driver takes the last of two values, and `host` before the host of the URL.
    'postgres://u:p@db.example/x?sslmode=verify-full&sslmode=disable',
    'postgres://u:p@db.example/x?sslmode=verify-full&ssl=0',
    'postgres://u:p@127.0.0.1/x?host=db.example',
    'postgres://u:p@127.0.0.1/x?host=/run/postgresql&host=10.0.0.31',
    'postgres://u:p@localhost.example/x',
    'postgres://u:p@127.0.0.1.example/x',
    'postgres://u:p@127.0.0.1:5432,db.example:5432/x',
    'postgres://u:p@db-1.example,db-2.example/x?target_session_attrs=read-write&sslmode=require',
  ];

  test.each(INSECURE_DATABASES)('does not send a password to %s unless that is allowed by name', (url) => {
    const env = { ...GATEWAY, DATABASE_URL: url };
    expect(faultsOf(env, 'production')).toEqual({
      DATABASE_URL: expect.stringMatching(/sslmode=verify-full.*TXLEDGER_INSECURE_DATABASE=1/),
    });
    expect(configOf({ ...env, TXLEDGER_INSECURE_DATABASE: '1' }, 'production').databaseUrl).toBe(url);
  });

  test.each([
    'postgres://u:p@db.example/x?sslmode=verify-full',
    'postgres://u:p@10.0.0.31/x?sslmode=verify-full&sslrootcert=/etc/ca.crt',
    'postgres://u:p@127.0.0.1:5433/x',
    'postgres://u:p@[::1]/x',
    'postgres://u:p@localhost/x?host=/run/postgresql',
    'postgres://u:p@%2Frun%2Fpostgresql/x',
    'postgres://u:p@db-1.example:5432,db-2.example:5433/x?target_session_attrs=read-write&sslmode=verify-full',
    'postgres://u:p@[::1]:5432,localhost,127.0.0.1:5433/x?target_session_attrs=primary',
  ])('takes a database that is verified, or on this machine: %s', (url) => {
    expect(configOf({ ...GATEWAY, DATABASE_URL: url }, 'production').databaseUrl).toBe(url);
  });

  const REPLICAS = 'postgres://u:geheim@127.0.0.1:5433,127.0.0.1:5434/x';

  test('takes replicas of the database, and says what is wrong with them without their password', () => {
    const onPostgres = { ...GATEWAY, DATABASE_URL: 'postgres://u:p@127.0.0.1/x' };
    expect(configOf({ ...onPostgres, TXLEDGER_READ_DATABASE_URL: REPLICAS }, 'production').readDatabaseUrl).toBe(
      REPLICAS,
    );
    expect(configOf(onPostgres, 'production').readDatabaseUrl).toBeUndefined();
    const wrong = [
      [onPostgres, `${REPLICAS}?target_session_attrs=standby`, /without target_session_attrs/],
      [onPostgres, 'mysql://u:geheim@db/x', /the replicas of DATABASE_URL in one URL/],
      [onPostgres, 'postgres://u:geheim@db.example/x', /sslmode=verify-full.*TXLEDGER_INSECURE_DATABASE=1/],
      [GATEWAY, REPLICAS, /nothing without DATABASE_URL/],
      [FILES, REPLICAS, /the embedded engine has no replicas/],
    ] as const;
    for (const [env, url, expected] of wrong) {
      expect(faultsOf({ ...env, TXLEDGER_READ_DATABASE_URL: url }, 'production')).toEqual({
        TXLEDGER_READ_DATABASE_URL: expect.stringMatching(expected),
      });
      expect(JSON.stringify(read({ ...env, TXLEDGER_READ_DATABASE_URL: url }, 'production'))).not.toContain('geheim');
    }
  });

  test('believes nodes on this machine and over https, and others when that is allowed by name', () => {
    const nodes = (urls: string, more: object = {}) =>
      faultsOf({ ...GATEWAY, COMETBFT_RPC_URL: urls, ...more }, 'production');
    expect(nodes('http://127.0.0.1:26657,http://[::1]:26657,https://node.example')).toEqual({});
    for (const url of ['http://10.0.0.11:26657', 'http://node.example', 'https://a.example,http://192.168.1.4:26657']) {
      expect(nodes(url)).toEqual({
        COMETBFT_RPC_URL: expect.stringMatching(/https URLs; or TXLEDGER_INSECURE_NODES=1/),
      });
      expect(nodes(url, { TXLEDGER_INSECURE_NODES: '1' })).toEqual({});
    }
  });

  test('of production does not run where every certificate counts as good', () => {
    expect(Object.keys(faultsOf({ ...FILES, NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'production'))).toEqual([
      'NODE_TLS_REJECT_UNAUTHORIZED',
    ]);
  });

  test.each([
    'security@ledger.example',
    'http://ledger.example/security',
    'mailto:',
    'https://',
    'mailto:a@b.example\nExpires: never',
    'javascript:alert(1)',
  ])('refuses %j as the address for reports of vulnerabilities', (contact) => {
    expect(Object.keys(faultsOf({ TXLEDGER_SECURITY_CONTACT: contact }))).toEqual(['TXLEDGER_SECURITY_CONTACT']);
  });

  test('takes the address that clients use with or without a slash at its end, and nothing that belongs to one request', () => {
    expect(configOf({ PUBLIC_URL: 'https://Ledger.example' }).publicUrl).toBe('https://ledger.example/');
    expect(configOf({ PUBLIC_URL: 'https://example.org:8443/ledger' }).publicUrl).toBe(
      'https://example.org:8443/ledger/',
    );
    const paths = ['docs', 'transactions/', 'a//b', 'a%20b', '.well-known'].map(
      (path) => `https://ledger.example/${path}`,
    );
    for (const url of [
      'ledger.example',
      '/ledger',
      'ftp://ledger.example',
      'https://a:b@ledger.example',
      'https://ledger.example/?a=b',
      'https://ledger.example/#a',
      'https://',
      `https://ledger.example/${'a'.repeat(1024)}`,
      ...paths,
    ]) {
      expect(Object.keys(faultsOf({ PUBLIC_URL: url }))).toEqual(['PUBLIC_URL']);
    }
  });

  test('takes the address that clients use by the name it had before, says that it has a new one, and refuses two that differ', () => {
    const both = (now: string | undefined, before: string) =>
      readConfig({ PUBLIC_URL: now, TXLEDGER_PUBLIC_URL: before }, { mode: 'development', cwd: '/', cores: 4 });
    expect(both(undefined, 'https://a.example')).toMatchObject({
      config: { publicUrl: 'https://a.example/' },
      warnings: [expect.stringContaining('TXLEDGER_PUBLIC_URL is called PUBLIC_URL now')],
    });
    expect(both('https://a.example/', 'https://a.example')).toMatchObject({
      config: { publicUrl: 'https://a.example/' },
      warnings: [expect.anything()],
    });
    expect(both('https://b.example', 'https://a.example')).toMatchObject({
      ok: false,
      faults: [{ name: 'TXLEDGER_PUBLIC_URL' }],
    });
    expect(readConfig({ PUBLIC_URL: 'https://a.example' }, { mode: 'development', cwd: '/', cores: 4 })).toMatchObject({
      warnings: [],
    });
  });

  test('knows every first segment of a path of its own: a prefix that begins so would mean two things', () => {
    const { paths } = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as {
      paths: object;
    };
    const segments = Object.keys(paths)
      .map((path) => path.split('/')[1] ?? '')
      .filter((segment) => !segment.startsWith('openapi.'));
    expect([...new Set(segments)].filter((segment) => !(OWN_PATHS as readonly string[]).includes(segment))).toEqual([]);
  });

  test('lets everything be served for a while after a signal: 5 s in production, not at all in development', () => {
    expect([
      configOf({}).drainDelayS,
      configOf(FILES, 'production').drainDelayS,
      configOf({ DRAIN_DELAY_S: '300' }).drainDelayS,
    ]).toEqual([0, 5, 300]);
    for (const DRAIN_DELAY_S of ['301', '-1', '1.5', '5s'])
      expect(Object.keys(faultsOf({ DRAIN_DELAY_S }))).toEqual(['DRAIN_DELAY_S']);
  });

  test('makes blocks of an idle chain at most an hour apart, and not more often than those of a busy one', () => {
    expect([configOf({}).idleBlockIntervalS, configOf({ IDLE_BLOCK_INTERVAL_S: '3600' }).idleBlockIntervalS]).toEqual([
      60, 3600,
    ]);
    for (const variables of [
      { IDLE_BLOCK_INTERVAL_S: '0' },
      { IDLE_BLOCK_INTERVAL_S: '3601' },
      { IDLE_BLOCK_INTERVAL_S: '5', BLOCK_INTERVAL_MS: '5001' },
    ]) {
      expect(Object.keys(faultsOf(variables))).toEqual(['IDLE_BLOCK_INTERVAL_S']);
    }
  });

  test('takes a group of key files by its number or by its name in /etc/group', () => {
    expect(['0', '1000', 'root'].map((group) => configOf({ TXLEDGER_KEY_FILE_GROUP: group }).keyFileGroup)).toEqual([
      0, 1000, 0,
    ]);
    for (const group of ['no-such-group-here', '-1', '4294967295', 'a:b'])
      expect(Object.keys(faultsOf({ TXLEDGER_KEY_FILE_GROUP: group }))).toEqual(['TXLEDGER_KEY_FILE_GROUP']);
  });

  test('allows webhooks to private targets by owner, host and port, and says what to write instead of the form before', () => {
    const allowing = (TXLEDGER_WEBHOOK_ALLOW_PRIVATE: string) => ({ TXLEDGER_WEBHOOK_ALLOW_PRIVATE });
    expect(configOf(allowing('acme@10.1.0.0/16:8443, bob@[fd00::/8]:443')).webhookAllowPrivate).toEqual([
      'acme@10.1.0.0/16:8443',
      'bob@[fd00::/8]:443',
    ]);
    for (const [before, now] of [
      ['10.1.0.0/16', 'OWNER@10.1.0.0/16:PORT'],
      ['acme@x.internal:443,hooks.internal', 'OWNER@hooks.internal:PORT'],
    ] as const) {
      const fault = faultsOf(allowing(before))['TXLEDGER_WEBHOOK_ALLOW_PRIVATE'];
      expect(fault).toContain('owner@host:port');
      expect(fault).toContain(`write ${now}`);
    }
  });

  test('shows a database without its password, wherever that stands', () => {
    expect(withoutPassword(DATABASE)).toBe('postgres://ledger:***@db.example:5432/ledger');
    expect(withoutPassword('postgresql://ledger@db/ledger?password=geheim')).not.toContain('geheim');
    expect(
      withoutPassword(
        'postgresql://ledger@db/ledger?sslmode=verify-full&sslpassword=geheim&password=a&password=geheim',
      ),
    ).toBe('postgresql://ledger@db/ledger?sslmode=verify-full&sslpassword=***&password=***');
    expect(
      withoutPassword(
        'postgres://ledger:geheim@db-1:5432,db-2:5433/ledger?target_session_attrs=read-write&sslpassword=geheim',
      ),
    ).toBe('postgres://ledger:***@db-1:5432,db-2:5433/ledger?sslpassword=***');
  });

  test('shows a node without the path of its address, which may be the key of a hosted one', () => {
    expect(['http://127.0.0.1:26657', 'https://node.example/key-geheim'].map(shownNode)).toEqual([
      'http://127.0.0.1:26657',
      'https://node.example/***',
    ]);
  });

  test('traces where a collector is named or asked for, and not at all otherwise', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    const traced = {
      exporter: 'otlp',
      serviceName: 'transaction-ledger',
      sampler: 'parentbased_always_on',
      ratio: 1,
      batchDelayMs: 5000,
      batchSizeMax: 512,
      queueMax: 2048,
      exportMsMax: 30_000,
    };
    for (const untraced of [
      {},
      { OTEL_SERVICE_NAME: 'ledger' },
      { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' },
      { ...endpoint, OTEL_TRACES_EXPORTER: 'none' },
    ])
      expect(configOf(untraced).tracing).toBeUndefined();
    expect(configOf(endpoint).tracing).toEqual(traced);
    expect(configOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/v1/traces' }).tracing).toEqual(
      traced,
    );
    expect(configOf({ OTEL_TRACES_EXPORTER: 'otlp' }).tracing).toEqual(traced);
    const chosen = {
      OTEL_TRACES_EXPORTER: 'console',
      OTEL_SERVICE_NAME: 'pay',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    };
    expect(configOf(chosen).tracing).toEqual({
      ...traced,
      exporter: 'console',
      serviceName: 'pay',
      sampler: 'traceidratio',
      ratio: 0.25,
      batchDelayMs: 10,
    });
    const wrong = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'user:secret@collector',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_SAMPLER: 'jaeger_remote',
      OTEL_TRACES_SAMPLER_ARG: '2',
    };
    expect(Object.keys(faultsOf(wrong)).toSorted()).toEqual(Object.keys(wrong).toSorted());
    const result = read(wrong);
    expect(result.ok ? '' : describeFaults(result.faults)).not.toContain('secret');
  });

  test('of either kind passes over what `txledger app` reads from the same file of variables', () => {
    const app = {
      ABCI_LISTEN: 'tcp://127.0.0.1:26658',
      TXLEDGER_SNAPSHOT_INTERVAL: '1000',
      TXLEDGER_CHAIN_ID: 'acme-1',
    };
    expect(APP_VARIABLES.toSorted()).toEqual(Object.keys(app).toSorted());
    expect(read({ ...FILES, ...app }, 'production').ok).toBe(true);
    expect(read({ ...GATEWAY, ...app }, 'production').ok).toBe(true);
  });
});
