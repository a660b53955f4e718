/** The server against its own contract, and against the published vectors. */
import { expectProblem } from '../catalogue.ts';
import type { Check } from '../check.ts';
import { expect, expectEqual, show } from '../expect.ts';
import { accountOf, hashOf, newAccount, rawBytes, signBytes, signTransfer } from '../signer.ts';
import { addressVectors, signingVectors } from '../vectors.ts';

const ANSWERS = 'the contract at /openapi.json';
const UNKNOWN_HASH = 'EF'.repeat(32);
/** What a client of this contract calls by name. */
const OPERATIONS = [
  'submitTransaction',
  'submitTransactionBatch',
  'listTransactions',
  'getTransaction',
  'getReceipt',
  'cancelTransaction',
  'submitCancel',
  'checkTransaction',
  'getAccount',
  'listAccounts',
  'getChain',
  'getLiveness',
  'getReadiness',
  'callRpc',
];

export const CONTRACT_CHECKS: readonly Check[] = [
  {
    id: 'contract.published',
    promise: 'the contract is OpenAPI 3.1, served as JSON and YAML, and has every operation by its name',
    where: ANSWERS,
    run: async (session) => {
      const { operations, document } = await session.contract();
      for (const name of OPERATIONS) expect(operations.has(name), `the contract has no operation ${name}`);
      const yaml = await session.call('/openapi.yaml');
      expectEqual(
        [yaml.status, yaml.headers['content-type']?.split(';')[0]],
        [200, 'application/yaml'],
        'status and media type of /openapi.yaml',
      );
      expect(yaml.text.includes(`version: ${document['info'].version}`), 'both renditions are of one version');
    },
  },
  {
    id: 'contract.answers',
    promise: 'answers of the transfers are what the contract says they are',
    where: ANSWERS,
    accounts: 1,
    run: async (session) => {
      const contract = await session.contract();
      const [account, to] = [await session.funded(), session.receiver()];
      const first = session.sign(account, { to, amount: '1', nonce: 0 });
      const waiting = session.sign(account, { to, amount: '1', nonce: 2 });
      contract.expectAnswer('getChain', await session.call('/chain'));
      contract.expectAnswer('submitTransaction', await session.submit(waiting));
      contract.expectAnswer('submitTransaction', await session.submit(first, { prefer: 'wait=30' }));
      contract.expectAnswer('submitTransaction', await session.submit(first));
      contract.expectAnswer('getTransaction', await session.read(first.txHash));
      contract.expectAnswer('getTransaction', await session.read(waiting.txHash));
      contract.expectAnswer(
        'getReceipt',
        await session.call(`/transactions/${first.txHash}/receipt`, { headers: { prefer: 'wait=30' } }),
      );
      contract.expectAnswer('cancelTransaction', await session.cancel(waiting.txHash, { prefer: 'wait=30' }));
      contract.expectAnswer('getTransaction', await session.read(waiting.txHash));
      contract.expectAnswer('submitCancel', await session.submitCancel(account, waiting, { prefer: 'wait=30' }));
      contract.expectAnswer('listTransactions', await session.call(`/transactions?account=${to}&limit=1`));
      contract.expectAnswer('getAccount', await session.call(`/accounts/${account.address}`));
      contract.expectAnswer('listAccounts', await session.call(`/accounts?address=${account.address}&address=${to}`));
      contract.expectAnswer('checkTransaction', await session.call('/transactions/check', { body: first }));
      contract.expectAnswer('getLiveness', await session.call('/livez'));
      contract.expectAnswer('getReadiness', await session.call('/readyz'));
    },
  },
  {
    id: 'contract.problems',
    promise: 'refusals are what the contract says they are',
    where: ANSWERS,
    accounts: 1,
    run: async (session) => {
      const contract = await session.contract();
      const [account, to] = [await session.funded(), session.receiver()];
      const body = session.sign(account, { to, amount: '1', nonce: 0 });
      await session.pay(body);
      contract.expectAnswer(
        'submitTransaction',
        await session.submit(session.sign(account, { to, amount: '2', nonce: 0 })),
      );
      contract.expectAnswer(
        'submitTransaction',
        await session.submit({ ...session.sign(account, { to, amount: '2', nonce: 1 }), amount: '3' }),
      );
      contract.expectAnswer('submitTransaction', await session.submit({}));
      contract.expectAnswer('cancelTransaction', await session.cancel(body.txHash));
      contract.expectAnswer('submitCancel', await session.submitCancel(account, body));
      contract.expectAnswer('submitCancel', await session.submitCancel(newAccount(session.prefix), body));
      contract.expectAnswer('getTransaction', await session.read(UNKNOWN_HASH));
      contract.expectAnswer('listTransactions', await session.call('/transactions?limit=0'));
      contract.expectAnswer(
        'listTransactions',
        await session.call('/transactions', { headers: { authorization: '' } }),
      );
    },
  },
  {
    id: 'contract.rpc-answers',
    promise: 'answers under /rpc are what the contract says they are',
    where: ANSWERS,
    run: async (session) => {
      const contract = await session.contract();
      for (const { operationId, method, path } of contract.operations.values()) {
        const name =
          /^\/rpc\/(status|net_info|genesis|validators|abci_info|consensus_params|commit|header|block|block_results|blockchain|num_unconfirmed_txs)$/.exec(
            path,
          )?.[1];
        if (name === undefined || method !== 'get') continue;
        contract.expectAnswer(operationId, await session.call(path));
      }
    },
  },
  {
    id: 'vectors.signing',
    promise: 'sign bytes, raw bytes, hash and signature are those of the published vectors',
    where: 'spec/vectors/signing-vectors.json',
    run: async () => {
      for (const { name, seed, chainId, request, ...expected } of signingVectors()) {
        const prefix = request.from.slice(0, request.from.lastIndexOf('1', 5));
        const key = Buffer.from(seed, 'hex');
        const { signature: _, ...members } = request;
        const transfer = { chainId, ...members };
        const { signature } = signTransfer(key, transfer);
        expectEqual(accountOf(key, prefix).address, request.from, `the address of "${name}"`);
        expectEqual(
          {
            signBytes: signBytes(transfer),
            raw: rawBytes(transfer, signature),
            txHash: hashOf(transfer, signature),
            signature,
          },
          { signBytes: expected.signBytes, raw: expected.raw, txHash: expected.txHash, signature: request.signature },
          `"${name}"`,
        );
      }
    },
  },
  {
    id: 'vectors.addresses',
    promise: 'addresses are taken and refused as the published vectors say',
    where: 'spec/vectors/addresses.json',
    run: async (session) => {
      const { valid, refused } = addressVectors();
      const ofThisChain = ({ prefix }: { prefix: string }): boolean => prefix === session.prefix;
      for (const { name, address } of valid.filter(ofThisChain)) {
        const { status, body } = await session.call(`/accounts/${address}`);
        expect(status === 200, `the address "${name}" is valid, got ${status} ${show(body)}`);
        expectEqual(body.address, address, `the address in the answer for "${name}"`);
      }
      for (const { address, reason } of refused.filter(ofThisChain)) {
        // Some are no path segment at all.
        if (!/^[\x21-\x7e]+$/.test(address) || /[/?#%]/.test(address)) continue;
        const answer = await session.call(`/accounts/${address}`);
        // The pattern of the contract finds some of these, the rules the others.
        if (reason === 'format' && answer.status === 400) expectProblem(answer, 'invalid_request', '#/path/address');
        else expectProblem(answer, 'invalid_address', '#/path/address');
      }
    },
  },
];
