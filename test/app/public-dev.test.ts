/** `start --public-dev`: a development chain that other machines may reach, for containers. */
import { describe, expect, test } from '@jest/globals';
import { readConfig, type Mode } from '../../server/app/config.ts';
import { urlsOf } from '../../server/app/dev-file.ts';
import { inRed, PUBLIC_DEV_WARNING } from '../../server/app/public-dev.ts';
import { webhookTargets } from '../../server/app/webhook-targets.ts';

const FILES = { GENESIS_FILE: 'g', VALIDATOR_KEY_FILE: 'v', OPERATOR_KEY_FILE: 'o' };

function read(
  env: Record<string, string>,
  { mode = 'development', publicDev = true }: { mode?: Mode; publicDev?: boolean } = {},
) {
  const result = readConfig(env, { mode, cwd: '/', cores: 2, publicDev });
  return result.ok ? result.config : result.faults.map(({ name }) => name);
}

describe('start --public-dev', () => {
  test('listens on every address, and is asked for under names of this machine unless others are named', () => {
    expect(read({})).toMatchObject({
      mode: 'development',
      publicDev: true,
      host: '0.0.0.0',
      allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
    });
    expect(read({ HOST: '10.1.2.3' })).toMatchObject({
      host: '10.1.2.3',
      allowedHosts: ['localhost', '127.0.0.1', '[::1]', '10.1.2.3'],
    });
    expect(read({ ALLOWED_HOSTS: 'ledger' })).toMatchObject({ host: '0.0.0.0', allowedHosts: ['ledger'] });
  });

  test('is the only way for a development chain to leave loopback', () => {
    for (const HOST of ['0.0.0.0', '::', '10.1.2.3', 'ledger'])
      expect(read({ HOST, ALLOWED_HOSTS: 'ledger' }, { publicDev: false })).toEqual(['HOST']);
    expect(read({}, { publicDev: false })).toMatchObject({ publicDev: false, host: '127.0.0.1' });
  });

  test('means nothing to serve, which refuses what it refused', () => {
    expect(read(FILES, { mode: 'production' })).toMatchObject({ publicDev: false, host: '127.0.0.1' });
    expect(read({ ...FILES, HOST: '0.0.0.0' }, { mode: 'production' })).toEqual(['ALLOWED_HOSTS', 'HOST']);
  });

  test('sends no webhooks to the machine that it runs on, as development otherwise does', () => {
    const rules = (publicDev: boolean) => webhookTargets({ mode: 'development', publicDev, webhookAllowPrivate: [] });
    expect([rules(true).loopback, rules(false).loopback]).toEqual([false, true]);
  });

  test('tells this machine an address at which it answers', () => {
    expect([urlsOf('0.0.0.0', 8080).baseUrl, urlsOf('::', 8080).baseUrl]).toEqual([
      'http://127.0.0.1:8080',
      'http://[::1]:8080',
    ]);
  });

  test('warns in red, except where colours are not wanted', () => {
    expect(inRed(PUBLIC_DEV_WARNING, {})).toBe(`\u001B[1;31m${PUBLIC_DEV_WARNING}\u001B[0m`);
    expect(inRed(PUBLIC_DEV_WARNING, { NO_COLOR: '' })).toContain('\u001B[');
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
      expect(inRed(PUBLIC_DEV_WARNING, env)).toBe(PUBLIC_DEV_WARNING);
  });
});
