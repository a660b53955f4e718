/**
 * The service and the token of a command: from options, otherwise from TXLEDGER_URL and TXLEDGER_TOKEN or TXLEDGER_TOKEN_FILE, otherwise
 * from DATA_DIR/dev.json of a development start.
 *
 * @module
 */
import { Option, type Command } from 'commander';
import { createClient, type Client } from '../../client/src/client.ts';
import type { Chain } from '../../client/src/index.ts';
import { dataDirOf } from '../app/data-dir-path.ts';
import { dataDirFiles } from '../app/data-dir-files.ts';
import { readDevelopmentFile, type DevelopmentFile } from '../app/dev-file.ts';
import { describeFaults } from '../app/config-reader.ts';
import { readSecretFile } from '../app/secret-file.ts';
import { readSecretVariable } from '../app/secret-variables.ts';
import { parseDuration } from './duration.ts';
import { CommandError } from './failure.ts';
import { fetchByHttp } from './fetch.ts';

export interface ServiceOptions {
  readonly url?: string;
  readonly tokenFile?: string;
}

export interface ConnectionOptions extends ServiceOptions {
  /** Milliseconds. */
  readonly timeout: number;
}

const TIMEOUT_DEFAULT = '60s';

/** Adds the options of a command that runs without a time limit. */
export function withService(command: Command): Command {
  return command
    .option('--url <url>', 'base URL of the service; TXLEDGER_URL or that of the development chain by default')
    .option(
      '--token-file <file>',
      'file with the token, mode 0600; TXLEDGER_TOKEN, TXLEDGER_TOKEN_FILE or the development token by default',
    );
}

export function withConnection(command: Command): Command {
  return withService(command).addOption(
    new Option('--timeout <duration>', 'for everything together, such as 90s or 15m')
      .argParser(parseDuration)
      .default(parseDuration(TIMEOUT_DEFAULT), TIMEOUT_DEFAULT),
  );
}

const given = (name: string): string | undefined => process.env[name]?.trim() || undefined;

/** The file that `npm start` has written in this DATA_DIR; undefined without one. */
export function developmentFile(): DevelopmentFile | undefined {
  const { development } = dataDirFiles(dataDirOf(process.env, process.cwd()));
  try {
    return readDevelopmentFile(development);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

function baseUrlOf(options: ServiceOptions, development: DevelopmentFile | undefined): string {
  const baseUrl = options.url ?? given('TXLEDGER_URL') ?? development?.baseUrl;
  if (baseUrl === undefined) {
    const { development: file } = dataDirFiles(dataDirOf(process.env, process.cwd()));
    throw new CommandError(
      `Which service? Name it with --url or TXLEDGER_URL, or run npm start first: there is no ${file}.`,
    );
  }
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new CommandError(`${baseUrl} is no http or https URL.`);
  return baseUrl.replace(/\/+$/, '');
}

function tokenOf(
  options: ServiceOptions,
  baseUrl: string,
  development: DevelopmentFile | undefined,
): string | undefined {
  if (options.tokenFile !== undefined) return readSecretFile(options.tokenFile, 'the token (--token-file)').trim();
  // The development token is sent only to the development server: a token that another service has seen is compromised.
  const read = readSecretVariable(process.env, 'TXLEDGER_TOKEN', { cwd: process.cwd() });
  if (!read.ok)
    throw new CommandError(describeFaults([read.fault]), 'usage', {
      code: 'invalid_configuration',
      faults: [read.fault],
    });
  return read.value ?? (development?.baseUrl === baseUrl ? development.token : undefined);
}

/** The URL of a service, and the caller's token for it. */
export interface Service {
  readonly baseUrl: string;
  readonly token: string | undefined;
}

/** @param need.token false for public operations. */
export function serviceOf(options: ServiceOptions, need: { token: boolean } = { token: true }): Service {
  const development = developmentFile();
  const baseUrl = baseUrlOf(options, development);
  const token = tokenOf(options, baseUrl, development);
  if (token === undefined && need.token)
    throw new CommandError(
      `There is no token for ${baseUrl}: name a file with --token-file or TXLEDGER_TOKEN_FILE, or set TXLEDGER_TOKEN.`,
    );
  return { baseUrl, token };
}

export function connect(options: ServiceOptions, need?: { token: boolean }): Client {
  return clientOf(serviceOf(options, need));
}

/** @param chain the chain for signatures; requested from the service if it is left out. */
export function clientOf({ baseUrl, token }: Service, chain?: Pick<Chain, 'chainId' | 'addressPrefix'>): Client {
  return createClient({
    baseUrl,
    environment: { fetch: fetchByHttp },
    ...(token === undefined ? {} : { token }),
    ...(chain === undefined ? {} : { chain }),
  });
}
