/**
 * Metrics that never change while the process runs: the build, and the interval of empty blocks of an idle chain, so that an alert on the
 * age of the last block needs no number of its own.
 *
 * @module
 */
import { Gauge, type Registry } from 'prom-client';
import type { Config } from './config.ts';
import { buildOf, contractVersion } from './version.ts';

export function registerBuildInfo(
  registry: Registry,
  { engine, idleBlockIntervalS }: Pick<Config, 'engine' | 'idleBlockIntervalS'>,
): void {
  const { version, commit = 'unknown' } = buildOf();
  const labels = { version, commit, contract: contractVersion(), node: process.version.slice(1), engine };
  new Gauge({
    name: 'txledger_build_info',
    help: 'Always 1; the labels say which build of the service this is, on which Node.js and with which engine.',
    labelNames: Object.keys(labels),
    registers: [registry],
  }).set(labels, 1);
  new Gauge({
    name: 'txledger_idle_block_interval_seconds',
    help: 'How often an idle chain makes an empty block (IDLE_BLOCK_INTERVAL_S).',
    registers: [registry],
  }).set(idleBlockIntervalS);
}
