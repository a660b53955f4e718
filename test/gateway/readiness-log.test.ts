/** One line when readiness changes, none at a probe that sees the same. */
import { afterEach, expect, test } from '@jest/globals';
import { Fixture } from './support/fixture.ts';

let fixture: Fixture | undefined;
afterEach(() => fixture?.dispose());

test('the log says who waits for what when the service stops being ready, and when it is ready again', async () => {
  fixture = await Fixture.open({ core: 'follows' });
  const { clock, gateway, engine, logged } = fixture;
  const lines = (): string[] => logged.map(({ message }) => message).filter((message) => /ready/.test(message));
  const probes = async (ready: boolean): Promise<void> => {
    for (let i = 0; i < 3; i += 1) expect((await gateway.readiness()).ready).toBe(ready);
  };
  await fixture.block();
  logged.length = 0;
  await probes(true);
  expect(lines()).toEqual([]);
  engine.healthy = false;
  const since = new Date(clock.nowMs()).toISOString();
  await probes(false);
  await clock.advance(3000);
  await probes(false);
  expect(lines()).toEqual([`not ready since ${since}: told to be unhealthy`]);
  engine.healthy = true;
  await fixture.block();
  await probes(true);
  expect(lines().slice(1)).toEqual(['ready again after 3 s']);
});
