/**
 * A ledger in memory for the unit tests of applications, by the rules of the real one. It needs Node.js.
 *
 * @example
 * const ledger = createTestLedger({ accounts: { alice: 1_000n, bob: 0n } });
 * const client = createClient(ledger.clientOptions);
 * const { alice, bob } = ledger.accounts;
 * const { transaction } = await sendTransfer(client, { signer: alice.signer, to: bob.address, amount: 250n });
 * const { outcome } = await waitForTransaction(client, { txHash: transaction.txHash }); // 'committed'
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { encodeAddress, publicKeyOfSeed, signEd25519 } from '../../../server/ledger/index.ts';
import { type Principal, SCOPES } from '../../../server/gateway/types.ts';
import type { Signer } from '../keys/signer.ts';
import { MemoryGateway } from './memory-gateway.ts';
import { Service } from './service.ts';

/** An account of the test, with its key. */
export interface TestAccount {
  readonly address: string;
  /** 64 hex digits. The same name has the same seed in every test, unless a seed is given; these keys protect nothing. */
  readonly seed: string;
  readonly signer: Signer;
}

/** The owner and the scopes of a token of the test. */
export interface TestToken {
  /** Only the owner that submitted a transfer may cancel it. */
  readonly owner: string;
  /** @default ['transactions:read', 'transactions:write'] */
  readonly scopes?: readonly ('transactions:read' | 'transactions:write' | 'transactions:cancel-any')[];
}

export interface TestLedgerOptions<Name extends string> {
  /** Name and balance of each account, in minor units; with a seed of 64 hex digits where a particular address is needed. */
  readonly accounts: Readonly<Record<Name, bigint | { readonly balance: bigint; readonly seed: string }>>;
  /**
   * `auto`: a read or a wait after a submission makes a block first, so that everything settles at once. `manual`: only `commit` makes a
   * block, so that a test can see pending transfers.
   * @default 'auto'
   */
  readonly blocks?: 'auto' | 'manual' | undefined;
  /** @default 'txledger-test-1' */
  readonly chainId?: string | undefined;
  /**
   * Tokens beside the one in `clientOptions`, by their text.
   * @default {}
   */
  readonly tokens?: Readonly<Record<string, TestToken>> | undefined;
  /**
   * The clock of the service, in milliseconds since 1970.
   * @default Date.now
   */
  readonly nowMs?: (() => number) | undefined;
}

export interface TestBlock {
  readonly height: number;
  /** Transfers and cancels in the order of their execution; code 0 is success. */
  readonly transactions: readonly { readonly txHash: string; readonly code: number }[];
}

export interface TestLedger<Name extends string = string> {
  readonly accounts: Readonly<Record<Name, TestAccount>>;
  /** For `createClient`: the base URL, a token with every scope, and `fetch`. Nothing leaves the process. */
  readonly clientOptions: {
    readonly baseUrl: string;
    readonly token: string;
    readonly environment: { readonly fetch: (request: Request) => Promise<Response> };
  };
  /** Answers as a service at the base URL does; for code that makes requests without this package. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Makes a block of everything that can execute. */
  commit(): TestBlock;
  /** Gives up on a pending transfer as a service does when its time to live is over: the next block makes it `expired`. */
  expire(txHash: string): void;
}

const BASE_URL = 'http://ledger.test';
const TOKEN = 'txl_test';
const OWNER = 'test';
const SCOPES_DEFAULT = ['transactions:read', 'transactions:write'] as const;
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Makes a ledger in memory. Signatures, nonces, funds, cancels and blocks are checked by the code that a real service runs.
 *
 * @throws RangeError when a balance is negative or a seed is not 32 bytes.
 * @example
 * const ledger = createTestLedger({ accounts: { alice: 100n, bob: 0n }, blocks: 'manual' });
 * const client = createClient(ledger.clientOptions);
 * const { alice, bob } = ledger.accounts;
 * const { transaction } = await sendTransfer(client, { signer: alice.signer, to: bob.address, amount: 60n });
 * console.log(transaction.status); // 'pending'
 * ledger.commit();
 * console.log((await getAccount(client, { address: bob.address })).balance); // '60'
 */
export function createTestLedger<Name extends string>({
  accounts,
  blocks = 'auto',
  chainId = 'txledger-test-1',
  tokens = {},
  nowMs = Date.now,
}: TestLedgerOptions<Name>): TestLedger<Name> {
  const chain = { chainId, addressPrefix: 'txlt' } as const;
  const balances = new Map<string, bigint>();
  const made = Object.entries<bigint | { readonly balance: bigint; readonly seed: string }>(accounts).map(
    ([name, given]) => {
      const { balance, seed } =
        typeof given === 'bigint'
          ? { balance: given, seed: sha256(`txledger test account ${name}`).toString('hex') }
          : given;
      if (balance < 0n) throw new RangeError(`the balance of ${name} is negative`);
      const account = accountOf(seed);
      balances.set(account.address, balance);
      return [name, account];
    },
  );
  const gateway = new MemoryGateway({
    chain,
    balances,
    operatorSeed: sha256('txledger test operator'),
    commitsBySelf: blocks === 'auto',
    nowMs,
  });
  const principals = new Map<string, Principal>([[TOKEN, { owner: OWNER, scopes: SCOPES, tokenId: TOKEN }]]);
  for (const [token, { owner, scopes = SCOPES_DEFAULT }] of Object.entries<TestToken>(tokens))
    principals.set(token, { owner, scopes, tokenId: token });
  const service = new Service(gateway, principals, BASE_URL);
  return {
    accounts: Object.fromEntries(made) as Record<Name, TestAccount>,
    clientOptions: { baseUrl: BASE_URL, token: TOKEN, environment: { fetch: (request) => service.fetch(request) } },
    fetch: async (input, init) => service.fetch(new Request(input, init)),
    commit: () => gateway.commit(),
    expire: (txHash) => gateway.expire(txHash.toUpperCase()),
  };
}

function accountOf(hex: string): TestAccount {
  const seed = Buffer.from(hex, 'hex');
  const publicKey = new Uint8Array(publicKeyOfSeed(seed));
  return {
    address: encodeAddress(publicKey, 'txlt'),
    seed: hex,
    signer: { publicKey, sign: (message) => new Uint8Array(signEd25519(seed, message)) },
  };
}
