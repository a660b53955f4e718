import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { developmentAccounts } from '../../server/app/dev-accounts.ts';
import { EXIT } from '../../server/cli/exit-codes.ts';
import { environment } from '../e2e/support/server.ts';
import { documentOf, run, serveAnswers, TEST_MS_MAX, withDevelopment } from './support.ts';

const dev = withDevelopment();
const here = (...args: string[]) => run(args, { variables: dev().variables });
const [FIRST, , THIRD] = developmentAccounts();
/** A watch that does not end is stopped by its own time, so that a failure is one of this test and not of the whole run. */
const LIVE_MS_MAX = 45_000;
const linesOf = ({ stdout }: { stdout: string }): string[] => stdout.trim().split('\n');

describe('watch', () => {
  test(
    'tells what comes as it comes, a line each, and ends with 0 at Ctrl-C',
    async () => {
      const args = [
        'server/cli/run.js',
        'watch',
        'dev-2',
        '--after',
        '0',
        '--type',
        'transaction.committed',
        '--type',
        'transaction.failed',
        '--timeout',
        '30s',
      ];
      const child = spawn(process.execPath, args, {
        cwd: ROOT,
        env: environment(dev().variables),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const closed = once(child, 'close');
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      for (const amount of ['17', '18']) {
        const { txHash } = documentOf(
          await here(
            'send',
            '--from',
            'dev-2',
            '--to',
            'dev-1',
            '--amount',
            amount,
            '--reference',
            `R-${amount}`,
            '--wait',
            '--json',
          ),
        );
        const { value } = await lines.next();
        expect(value).toMatch(
          new RegExp(
            `^20.*Z  [0-9]+-[0-9]+ +committed +0\\.${amount} DEV  ${THIRD?.address} -> txlt1[a-z0-9]+  ${txHash}  R-${amount}$`,
          ),
        );
      }
      child.kill('SIGINT');
      expect([(await closed)[0], errors]).toEqual([0, '']);
    },
    LIVE_MS_MAX,
  );

  test(
    'with --json: an event a line, as the service tells them, as many as are asked for',
    async () => {
      await here('send', '--from', 'dev-3', '--to', 'dev-1', '--amount', '3', '--wait');
      const told = linesOf(await here('watch', '--after', '0', '--limit', '2', '--timeout', '30s', '--json')).map(
        (line) => JSON.parse(line),
      );
      expect(told).toEqual(
        [0, 1].map(() => ({
          id: expect.stringMatching(/^[0-9]+-[0-9]+$/),
          type: 'transaction.committed',
          timestamp: expect.any(String),
          data: expect.any(Object),
        })),
      );
      const [{ id }, second] = told;
      expect(JSON.parse((await here('watch', '--after', id, '--limit', '1', '--json')).stdout)).toEqual(second);
    },
    TEST_MS_MAX,
  );

  test(
    'of a transfer waits until it settles, and ends as it did',
    async () => {
      const { txHash } = documentOf(await here('send', '--from', 'dev-4', '--to', 'dev-1', '--amount', '1', '--json'));
      const { code, stdout } = await here('watch', txHash);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^committed {2}height [0-9]+/)]);
      expect(documentOf(await here('watch', txHash.toLowerCase(), '--json'))).toMatchObject({
        txHash,
        status: 'committed',
        from: developmentAccounts()[4]?.address,
      });
      const pending = documentOf(
        await here('send', '--from', 'dev-5', '--to', 'dev-1', '--amount', '1', '--nonce', '7', '--json'),
      );
      expect(await here('watch', pending.txHash, '--timeout', '1s')).toMatchObject({ code: EXIT.unknown });
      await here('cancel', pending.txHash);
      expect(await here('watch', pending.txHash)).toMatchObject({
        code: EXIT.refused,
        stderr: expect.stringContaining('cancelled'),
      });
    },
    TEST_MS_MAX,
  );

  test(
    'ends with 0 after its time, and with 2 for what it does not know',
    async () => {
      expect(await here('watch', 'dev-9', '--timeout', '1s')).toEqual({ code: 0, stdout: '', stderr: '' });
      for (const wrong of [
        ['--type', 'transaction.lost'],
        ['--after', 'yesterday'],
        ['--limit', '0'],
        ['A'.repeat(64), '--limit', '1'],
      ])
        expect((await here('watch', ...wrong)).code).toBe(EXIT.usage);
    },
    TEST_MS_MAX,
  );

  test(
    'ends with the sentence of the service for a place that its log does not reach',
    async () => {
      const { code, stderr } = await here('watch', '--after', '98310', '--timeout', '30s');
      expect(code).toBe(EXIT.refused);
      expect(stderr).toMatch(
        /^Refused \(409 place_ahead\): The event log ends at block [0-9]+, and the place that was asked for is in block 98310: it is of another chain/,
      );
    },
    TEST_MS_MAX,
  );

  test(
    'connects again after the connection broke, behind what it told last',
    async () => {
      const begins: (string | undefined)[] = [];
      const event = (id: string) => {
        const transaction = {
          txHash: 'A'.repeat(64),
          from: FIRST?.address,
          to: THIRD?.address,
          amount: '1',
          nonce: 1,
          status: 'committed',
        };
        return `id: ${id}\nevent: transaction.committed\ndata: ${JSON.stringify({ id, type: 'transaction.committed', timestamp: '2026-11-22T17:30:00.000Z', data: { height: 4, index: 0, transaction } })}\n\n`;
      };
      const service = await serveAnswers((request, response) => {
        const url = new URL(request.url as string, 'http://x');
        if (url.pathname !== '/events') return void response.writeHead(404).end();
        begins.push(
          (request.headers['last-event-id'] as string | undefined) ?? url.searchParams.get('after') ?? undefined,
        );
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        // The first connection ends in the middle of an event.
        if (begins.length === 1) response.write(`retry: 10\n\n${event('4-0')}id: 5-0\n`, () => response.destroy());
        else response.write(event('5-0'));
      });
      try {
        const result = await run(
          ['watch', '--after', '3', '--limit', '2', '--timeout', '30s', '--json', '--url', service.url],
          { variables: { TXLEDGER_TOKEN: 'txl_a_b' } },
        );
        expect(linesOf(result).map((line) => JSON.parse(line).id)).toEqual(['4-0', '5-0']);
        expect(begins).toEqual(['3', '4-0']);
      } finally {
        await service.close();
      }
    },
    TEST_MS_MAX,
  );
});
