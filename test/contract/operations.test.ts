/**
 * The operations of version 1, which later versions may only add to, and what each demands of its caller. Those under
 * /rpc are in rpc.test.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { contract, operations as all, REPOSITORY, resolve } from './support/contract.ts';

const operations = all.filter(({ path }) => !/^\/rpc(\/|$)/.test(path));

/** What makes events flow shows payments of everybody, as reading does. */
const READ_BY_WEBHOOK = ['webhooks:manage', 'transactions:read'];
/** operationId: method and path, scope, scopes or null, the statuses that it lists; every other problem is its default. */
const EXPECTED: Record<string, [string, string | string[] | null, number[]]> = {
  submitTransaction: ['post /transactions', 'transactions:write', [200, 201, 202, 403, 409, 422, 429, 503]],
  submitTransactionBatch: ['post /transactions/batch', 'transactions:write', [200, 400, 413, 503]],
  checkTransaction: ['post /transactions/check', 'transactions:write', [200, 400, 503]],
  listTransactions: ['get /transactions', 'transactions:read', [200, 400, 422]],
  getTransaction: ['get /transactions/{txHash}', 'transactions:read', [200, 404, 503]],
  getReceipt: ['get /transactions/{txHash}/receipt', 'transactions:read', [200, 404, 409]],
  cancelTransaction: ['delete /transactions/{txHash}', 'transactions:write', [200, 202, 403, 404, 409]],
  submitCancel: ['post /transactions/{txHash}/cancel', 'transactions:write', [200, 202, 404, 409, 422]],
  listAccounts: ['get /accounts', 'transactions:read', [200, 400, 422]],
  getAccount: ['get /accounts/{address}', 'transactions:read', [200, 404, 422]],
  listEntries: ['get /accounts/{address}/entries', 'transactions:read', [200, 400, 422]],
  listEvents: ['get /events', 'transactions:read', [200, 400, 409, 422]],
  createWebhook: ['post /webhooks', READ_BY_WEBHOOK, [201, 403, 409, 422]],
  listWebhooks: ['get /webhooks', 'webhooks:manage', [200, 401, 403]],
  getWebhook: ['get /webhooks/{webhookId}', 'webhooks:manage', [200, 403, 404]],
  updateWebhook: ['patch /webhooks/{webhookId}', READ_BY_WEBHOOK, [200, 404, 409, 422]],
  deleteWebhook: ['delete /webhooks/{webhookId}', 'webhooks:manage', [204, 403, 404]],
  rotateWebhookSecret: ['post /webhooks/{webhookId}/rotate-secret', 'webhooks:manage', [200, 404, 409]],
  testWebhook: ['post /webhooks/{webhookId}/test', 'webhooks:manage', [202, 404, 409]],
  listWebhookDeliveries: ['get /webhooks/{webhookId}/deliveries', 'webhooks:manage', [200, 400, 404]],
  replayWebhook: ['post /webhooks/{webhookId}/replay', READ_BY_WEBHOOK, [202, 400, 404, 409]],
  listTokens: ['get /access/tokens', 'access:manage', [200, 401, 403]],
  createToken: ['post /access/tokens', 'access:manage', [201, 400, 403]],
  getToken: ['get /access/tokens/{tokenId}', 'access:manage', [200, 403, 404]],
  updateToken: ['patch /access/tokens/{tokenId}', 'access:manage', [200, 403, 404]],
  revokeToken: ['delete /access/tokens/{tokenId}', 'access:manage', [204, 403, 404]],
  rotateToken: ['post /access/tokens/{tokenId}/rotate', 'access:manage', [201, 403, 404]],
  listBoundAddresses: ['get /access/addresses', 'access:manage', [200, 401, 403]],
  bindAddress: ['put /access/addresses/{address}', 'access:manage', [200, 403, 422]],
  unbindAddress: ['delete /access/addresses/{address}', 'access:manage', [204, 404, 422]],
  getChain: ['get /chain', null, [200, 429, 503]],
  getLiveness: ['get /livez', null, [200, 400, 503]],
  getReadiness: ['get /readyz', null, [200, 400, 503]],
  getMetrics: ['get /metrics', null, [200, 429, 503]],
  getApiCatalog: ['get /.well-known/api-catalog', null, [200, 429, 503]],
  getOpenapiJson: ['get /openapi.json', null, [200, 304, 429, 503]],
  getOpenapiYaml: ['get /openapi.yaml', null, [200, 304, 429, 503]],
  getOpenapiClientJson: ['get /openapi.client.json', null, [200, 304, 429, 503]],
};

describe('the operations', () => {
  test('are those of version 1', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  test.each(Object.keys(EXPECTED))('%s has its method, path, scope and statuses', (id) => {
    const [place, scope, statuses] = EXPECTED[id]!;
    const { method, path, operation } = operations.find((candidate) => candidate.id === id)!;
    expect(`${method} ${path}`).toBe(place);
    expect(operation.security).toEqual(scope === null ? [] : [{ bearerAuth: [] }]);
    expect(operation['x-scopes']).toEqual(scope === null ? undefined : [scope].flat());
    expect(Object.keys(operation.responses)).toEqual([...statuses.map(String), 'default']);
  });

  test('say in Location where a submitted transaction is, and in Idempotent-Replayed only that it was known', () => {
    const { operation } = operations.find(({ id }) => id === 'submitTransaction')!;
    const headersOf = (status: number) => Object.keys(resolve(operation.responses[status]).headers);
    for (const status of [200, 201, 202]) {
      expect(headersOf(status)).toEqual(expect.arrayContaining(['Location', 'Preference-Applied']));
    }
    expect([200, 201, 202].filter((status) => headersOf(status).includes('Idempotent-Replayed'))).toEqual([200]);
  });

  test('limit a page to 1 to 1000 transfers, 10 unless told', () => {
    expect(contract.components.schemas.PageLimit).toMatchObject({
      format: 'int32',
      minimum: 1,
      maximum: 1000,
      default: 10,
    });
  });
});

describe('the tags', () => {
  test('all have operations', () => {
    const messages = Object.values<any>(contract.webhooks).map(({ post }) => post);
    const used = new Set([...all.map(({ operation }) => operation), ...messages].flatMap(({ tags }) => tags));
    expect(contract.tags.filter(({ name }: any) => !used.has(name))).toEqual([]);
  });
});

describe('the changelog', () => {
  test('begins with the version that the contract has', () => {
    const changelog = readFileSync(join(REPOSITORY, 'spec', 'CHANGELOG.md'), 'utf8');
    expect(/^## (\S+)/m.exec(changelog)?.[1]).toBe(contract.info.version);
  });
});
