/**
 * The engine's numbers in the process's registry, read from its thread at each scrape.
 *
 * @module
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { EngineMetrics } from '../engine/port.ts';

const PREFIX = 'txledger_engine_';
const COUNTER_SUFFIX = '_total';
const MS_SUFFIX = '_ms';
const MS_PER_S = 1000;

/** Converts to Prometheus' base units: milliseconds of the engine are shown in seconds. */
function shown(name: string, value: number): { name: string; value: number } {
  if (!name.endsWith(MS_SUFFIX)) return { name: PREFIX + name, value };
  return { name: `${PREFIX}${name.slice(0, -MS_SUFFIX.length)}_seconds`, value: value / MS_PER_S };
}

/**
 * Adds one metric for each number that the engine has now.
 * @param read reads them from the engine's thread; all metrics of one scrape share one result.
 */
export async function registerEngineMetrics(registry: Registry, read: () => Promise<EngineMetrics>): Promise<void> {
  let look: Promise<EngineMetrics> | undefined;
  const readOnce = (): Promise<EngineMetrics> => {
    look ??= read().finally(() => {
      look = undefined;
    });
    return look;
  };
  for (const key of Object.keys(await read())) {
    const { name } = shown(key, 0);
    const help = `The engine's ${key.replaceAll('_', ' ')}.`;
    const options = { name, help, registers: [registry] };
    if (key.endsWith(COUNTER_SUFFIX)) {
      const counter: Counter = new Counter({
        ...options,
        async collect() {
          const { value } = shown(key, (await readOnce())[key] ?? 0);
          counter.reset();
          counter.inc(value);
        },
      });
    } else {
      const gauge: Gauge = new Gauge({
        ...options,
        async collect() {
          gauge.set(shown(key, (await readOnce())[key] ?? 0).value);
        },
      });
    }
  }
}
