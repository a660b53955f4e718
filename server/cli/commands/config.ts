/** `txledger config check`: reports the same faults of the environment as `start` and `serve`, without starting. @module */
import { Option, type Command } from 'commander';
import { describeFaults } from '../../app/config-reader.ts';
import { readConfig, type Config, type Mode } from '../../app/config.ts';
import { withoutPassword } from '../../app/engine-config.ts';
import { shownNode } from '../../engine/cometbft/nodes/node-port.ts';
import { MaterialsError, readMaterials } from '../../app/materials.ts';
import { readTlsPair } from '../../app/tls-files.ts';
import { withExamples } from '../examples.ts';
import { CommandError, runCommand } from '../failure.ts';
import { facts, print, withJson } from '../output.ts';

const MODES: Readonly<Record<'start' | 'serve', Mode>> = { start: 'development', serve: 'production' };

/** The environment variables of each part of the configuration. A part without its line does not compile. */
const VARIABLES = {
  mode: undefined,
  publicDev: undefined,
  host: 'HOST',
  port: 'PORT',
  httpThreads: 'HTTP_THREADS',
  dataDir: 'DATA_DIR',
  engine: 'ENGINE',
  blockIntervalMs: 'BLOCK_INTERVAL_MS',
  idleBlockIntervalS: 'IDLE_BLOCK_INTERVAL_S',
  nodeUrls: 'COMETBFT_RPC_URL',
  databaseUrl: 'DATABASE_URL',
  readDatabaseUrl: 'TXLEDGER_READ_DATABASE_URL',
  insecureDatabase: 'TXLEDGER_INSECURE_DATABASE',
  insecureNodes: 'TXLEDGER_INSECURE_NODES',
  rpcAccess: 'RPC_ACCESS',
  websocketsPerIpMax: 'TXLEDGER_WEBSOCKETS_PER_IP_MAX',
  pendingTtlS: 'PENDING_TTL_S',
  pendingPerOwnerMax: 'TXLEDGER_PENDING_PER_OWNER_MAX',
  pendingMax: 'TXLEDGER_PENDING_MAX',
  allowedHosts: 'ALLOWED_HOSTS',
  corsOrigins: 'CORS_ORIGINS',
  trustedProxies: 'TRUSTED_PROXIES',
  tls: { certificate: 'TLS_CERT_FILE', key: 'TLS_KEY_FILE' },
  securityContact: 'TXLEDGER_SECURITY_CONTACT',
  publicUrl: 'PUBLIC_URL',
  drainDelayS: 'DRAIN_DELAY_S',
  keyFileGroup: 'TXLEDGER_KEY_FILE_GROUP',
  webhookAllowPrivate: 'TXLEDGER_WEBHOOK_ALLOW_PRIVATE',
  connectionsMax: 'TXLEDGER_CONNECTIONS_MAX',
  connectionsPerIpMax: 'TXLEDGER_CONNECTIONS_PER_IP_MAX',
  explorer: 'EXPLORER',
  jwt: {
    issuer: 'TXLEDGER_JWT_ISSUER',
    audience: 'TXLEDGER_JWT_AUDIENCE',
    keys: undefined,
    algorithms: 'TXLEDGER_JWT_ALGORITHMS',
    types: 'TXLEDGER_JWT_TYPES',
    ownerClaim: 'TXLEDGER_JWT_OWNER_CLAIM',
    scopes: 'TXLEDGER_JWT_SCOPES',
    lifetimeMaxS: 'TXLEDGER_JWT_LIFETIME_MAX_S',
  },
  logLevel: 'LOG_LEVEL',
  logFormat: 'TXLEDGER_LOG_FORMAT',
  rateLimits: { perTokenPerS: 'TXLEDGER_RATE_PER_TOKEN_PER_S', perIpPerS: 'TXLEDGER_RATE_PER_IP_PER_S' },
  validateResponses: 'TXLEDGER_VALIDATE_RESPONSES',
  tracing: {
    exporter: 'OTEL_TRACES_EXPORTER',
    serviceName: 'OTEL_SERVICE_NAME',
    sampler: 'OTEL_TRACES_SAMPLER',
    ratio: 'OTEL_TRACES_SAMPLER_ARG',
    batchDelayMs: 'OTEL_BSP_SCHEDULE_DELAY',
    batchSizeMax: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    queueMax: 'OTEL_BSP_MAX_QUEUE_SIZE',
    exportMsMax: 'OTEL_BSP_EXPORT_TIMEOUT',
  },
  logWitnessFile: 'LOG_WITNESS_FILE',
  keyFiles: { genesis: 'GENESIS_FILE', validatorKey: 'VALIDATOR_KEY_FILE', operatorKey: 'OPERATOR_KEY_FILE' },
} as const satisfies {
  [Part in keyof Config]:
    | string
    | undefined
    | { readonly [Member in keyof NonNullable<Config[Part]>]: string | undefined };
};

/**
 * Returns the environment variables that result in this configuration. It holds no secret: keys appear as file names, passwords and the
 * paths of nodes are left out.
 */
export function effectiveVariables(config: Config): Record<string, string> {
  const { databaseUrl, readDatabaseUrl, nodeUrls, insecureDatabase, insecureNodes, ...rest } = config;
  const { keys } = config.jwt ?? {};
  const shown = {
    ...rest,
    ...(insecureDatabase ? { insecureDatabase: 1 } : {}),
    ...(insecureNodes ? { insecureNodes: 1 } : {}),
    ...(nodeUrls.length === 0 ? {} : { nodeUrls: nodeUrls.map(shownNode) }),
    ...(databaseUrl === undefined ? {} : { databaseUrl: withoutPassword(databaseUrl) }),
    ...(readDatabaseUrl === undefined ? {} : { readDatabaseUrl: withoutPassword(readDatabaseUrl) }),
  };
  const entries = Object.entries(VARIABLES).flatMap(([part, variables]) => {
    const value = (shown as unknown as Partial<Config>)[part as keyof Config];
    if (variables === undefined || value === undefined) return [];
    if (typeof variables === 'string') return [[variables, String(value)]];
    return Object.entries(variables).flatMap(([member, variable]) => {
      const inner = (value as unknown as Record<string, unknown>)[member];
      return inner === undefined || variable === undefined ? [] : [[variable, String(inner)]];
    });
  });
  if (keys !== undefined)
    entries.push(keys.kind === 'url' ? ['TXLEDGER_JWT_JWKS_URL', keys.url] : ['TXLEDGER_JWT_JWKS_FILE', keys.path]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function check(target: keyof typeof MODES, publicDev: boolean): void {
  if (publicDev && target !== 'start')
    throw new CommandError('--public-dev is an option of start: give --for start too.', 'usage');
  const result = readConfig(process.env, { mode: MODES[target], cwd: process.cwd(), publicDev });
  if (!result.ok)
    throw new CommandError(describeFaults(result.faults), 'usage', {
      code: 'invalid_configuration',
      faults: result.faults,
    });
  try {
    // Development creates missing files when it starts; production supplies its files, and they must match each other.
    if (result.config.keyFiles) readMaterials(result.config.keyFiles, result.config.keyFileGroup);
    if (result.config.tls) readTlsPair(result.config.tls, { group: result.config.keyFileGroup });
  } catch (error) {
    if (!(error instanceof MaterialsError)) throw error;
    throw new CommandError(error.message, 'usage', { code: 'invalid_files', problems: error.problems });
  }
  const variables = effectiveVariables(result.config);
  const { warnings } = result;
  print({ command: target, variables, warnings }, [
    ...warnings.map((warning) => `Warning: ${warning}`),
    `Nothing is wrong; ${target} would run with:`,
    ...facts(Object.entries(variables)).map((line) => `  ${line}`.trimEnd()),
  ]);
}

export function addConfigCommand(program: Command): void {
  const command = program
    .command('config')
    .description('the configuration of a server')
    .command('check')
    .description('tell everything that is wrong with the environment, or what it comes to')
    .addOption(
      new Option('--for <command>', 'the command that it is checked for').choices(Object.keys(MODES)).default('serve'),
    )
    .option('--public-dev', 'as start --public-dev reads it')
    .action((options: { for: keyof typeof MODES; publicDev?: boolean }) =>
      runCommand(() => check(options.for, options.publicDev === true)),
    );
  withExamples(
    withJson(command),
    'txledger config check --for start',
    'PORT=9090 LOG_LEVEL=warn txledger config check --for start --json',
  );
}
