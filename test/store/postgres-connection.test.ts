/** One connection whose server answers several messages at once. */
import { expect, test } from '@jest/globals';
import { CompiledQuery } from 'kysely';
import { StoreUnavailableError } from '../../server/store/index.ts';
import { PostgresConnection } from '../../server/store/postgres/connection.ts';
import type { PostgresPoolClient } from '../../server/store/postgres/library.ts';

test('a statement behind a beginning that failed fails with the cause, also when both answers come together', async () => {
  const asked: PromiseWithResolvers<never>[] = [];
  const query = (): Promise<never> => {
    const answer = Promise.withResolvers<never>();
    asked.push(answer);
    return answer.promise;
  };
  const connection = new PostgresConnection({ on: () => undefined, query } as unknown as PostgresPoolClient, 'write');
  connection.begin('begin; select id from shards order by id for update');
  const failed = connection
    .executeQuery(CompiledQuery.raw('update follower set height = 2'))
    .catch((error: unknown) => error);
  const answer = (code: string): Error => Object.assign(new Error(code), { name: 'error', severity: 'ERROR', code });
  // A lock timeout, and what PostgreSQL says to everything behind it.
  asked[0]?.reject(answer('55P03'));
  asked[1]?.reject(answer('25P02'));
  const error = await failed;
  expect(error).toBeInstanceOf(StoreUnavailableError);
  expect((error as Error).message).toContain('55P03');
});
