/**
 * The gateway of a service, in memory. Transfers, cancels and blocks are decided by the same code as in a service (server/ledger, and the
 * parts of server/gateway that need no database). Only waiting, storing and the making of blocks are implemented here.
 */
import { admitTransfer } from '../../../server/gateway/admission.ts';
import { viewAccount, viewAccounts } from '../../../server/gateway/account-view.ts';
import { Group } from '../../../server/gateway/accept/group.ts';
import { judge, type Judgement } from '../../../server/gateway/accept/judge.ts';
import { checkedSubmission, checkTransfer } from '../../../server/gateway/check.ts';
import type { CheckedSubmission, Submission } from '../../../server/gateway/core-api.ts';
import { CancelSigner } from '../../../server/gateway/dispatch/cancel-bytes.ts';
import { type BlockTransaction, effectsOfBlock } from '../../../server/gateway/follow/block-effects.ts';
import { Projection } from '../../../server/gateway/follow/projection.ts';
import { NO_OWNER, PENDING_MAX_DEFAULT, PENDING_PER_OWNER_MAX_DEFAULT } from '../../../server/gateway/limits.ts';
import { aheadOfLog } from '../../../server/gateway/list/event-pages.ts';
import { listEvents } from '../../../server/gateway/list/list-events.ts';
import { listTransfers } from '../../../server/gateway/list/list-transfers.ts';
import { historyOf, recordOf } from '../../../server/gateway/records.ts';
import {
  accountsFault,
  refuse,
  refuseAddress,
  refuseField,
  UNKNOWN_TRANSFER_DETAIL,
} from '../../../server/gateway/refusals.ts';
import { alreadySettled, type CancelRequest, requestCancels } from '../../../server/gateway/request-cancels.ts';
import { readSignedCancel } from '../../../server/gateway/signed-cancel.ts';
import type {
  CancelAnswer,
  ChainView,
  Gateway,
  Principal,
  Refusal,
  Submitted,
  TransactionDetail,
  TransactionRecord,
} from '../../../server/gateway/types.ts';
import {
  type BlockLimits,
  CHAIN_FORMAT,
  type ChainContext,
  decodeTransaction,
  EMPTY_ACCOUNT,
  encodeTransaction,
  finalizeBlock,
  type GovernanceState,
  isPast,
  isVoid,
  parseAddress,
  paymentMembers,
  prepareBlock,
  txHash as hashOf,
  type VerifiedTransaction,
  verifyTransaction,
} from '../../../server/ledger/index.ts';
import type { StoredTransfer } from '../../../server/store/types.ts';
import { MemoryStatements } from './memory-statements.ts';
import { MemoryStore } from './memory-store.ts';

/** Limits of a block of a test: everything that is pending fits into it. */
const BLOCK_LIMITS: BlockLimits = { bytesMax: 104_857_600, transactionsMax: 1_000_000, allowValidatorChanges: false };
const LIMITS = { pendingMax: PENDING_MAX_DEFAULT, pendingPerOwnerMax: PENDING_PER_OWNER_MAX_DEFAULT };
const NS_PER_MS = 1_000_000n;
/** The same as with `npm start`. */
const CURRENCY = { code: 'DEV', scale: 2 };
const OPENING_MINIMUM = '1';
/** No one holds this key: blocks of a test are not signed. */
const VALIDATOR = { publicKey: '00'.repeat(32), power: 1 };

export interface MemoryGatewayOptions {
  readonly chain: ChainContext;
  /** Balances by address. */
  readonly balances: ReadonlyMap<string, bigint>;
  readonly operatorSeed: Uint8Array;
  /** True: a read or a wait after a submission makes a block first. */
  readonly commitsBySelf: boolean;
  readonly nowMs: () => number;
}

export interface MemoryBlock {
  readonly height: number;
  /** Each with its result code from the ledger: 0 is success. */
  readonly transactions: readonly { readonly txHash: string; readonly code: number }[];
}

export class MemoryGateway implements Pick<
  Gateway,
  | 'submit'
  | 'submitBatch'
  | 'waitUntilSettled'
  | 'cancel'
  | 'submitCancel'
  | 'check'
  | 'list'
  | 'get'
  | 'account'
  | 'accounts'
  | 'accountAt'
  | 'entries'
  | 'events'
  | 'chain'
> {
  readonly #options: MemoryGatewayOptions;
  readonly #store = new MemoryStore(() => ({ height: this.#height, blockTimeMs: this.#blockTimeMs }));
  readonly #signer: CancelSigner;
  readonly #governance: GovernanceState;
  readonly #statements: MemoryStatements;
  #height = 1;
  #blockTimeMs: number;
  /** Streams that wait for the next block. */
  #streams = 0;
  #wakeAll = (): void => undefined;
  #committed: Promise<void>;

  constructor(options: MemoryGatewayOptions) {
    this.#options = options;
    this.#signer = new CancelSigner(options.chain, options.operatorSeed);
    this.#governance = {
      cancellers: [this.#signer.address],
      governors: [this.#signer.address],
      threshold: 1,
      validators: [VALIDATOR],
      sequence: 0,
      rules: [{ version: 1, height: 1 }],
      currency: CURRENCY,
      openingMinimum: OPENING_MINIMUM,
    };
    this.#blockTimeMs = options.nowMs();
    this.#committed = new Promise((resolve) => (this.#wakeAll = resolve));
    const opening = new Map([...options.balances].map(([address, balance]) => [address, { balance, nonce: 0 }]));
    this.#statements = new MemoryStatements(options.chain.chainId, {
      height: this.#height,
      timeMs: this.#blockTimeMs,
      accounts: opening,
    });
    for (const [address, balance] of options.balances) {
      this.#store.saveAccount({
        id: this.#store.accounts.length + 1,
        address,
        onChain: true,
        balance,
        nonce: 0,
        voids: 0n,
        reserved: 0n,
      });
    }
  }

  async submit(
    input: Parameters<Gateway['submit']>[0],
    principal: Principal,
    idempotencyKey?: string,
  ): Promise<Submitted | Refusal> {
    this.#settleFirst();
    const admitted = admitTransfer(this.#options.chain, input);
    if (!admitted.ok) return admitted;
    const submission = { ...admitted.transfer, owner: principal.owner, tokenId: principal.tokenId };
    const { group, judgement } = this.#judge(
      idempotencyKey === undefined ? submission : { ...submission, idempotencyKey },
    );
    if (judgement.kind === 'refused') return judgement.refusal;
    const { accepted, senders, newAccounts } = group.changes();
    for (const account of [...senders, ...newAccounts]) this.#store.saveAccount(account);
    for (const { transfer } of accepted) {
      this.#store.add(transfer);
      if (idempotencyKey !== undefined)
        this.#store.bindKey({ owner: principal.owner, key: idempotencyKey }, transfer.seq);
    }
    // An open stream waits for the block. It is made after this answer, which still has the transfer as pending.
    if (this.#streams > 0) setImmediate(() => this.#settleFirst());
    return { ok: true, replayed: judgement.kind === 'replayed', transaction: this.#record(judgement.transfer) };
  }

  check: Gateway['check'] = async (input, principal) => {
    this.#settleFirst();
    const core = {
      check: async (submission: Submission): Promise<CheckedSubmission> => {
        const { judgement } = this.#judge(submission);
        return checkedSubmission(
          submission,
          { judgement, boundTo: undefined },
          await viewAccount(this.#store.port, submission.from),
          ({ fromId }) => this.#store.gapOf(fromId),
        );
      },
    };
    return await checkTransfer(core, this.#options.chain, input, principal);
  };

  #judge(submission: Submission): { group: Group; judgement: Judgement } {
    const { chain } = this.#options;
    const { from, to, nonce, owner = NO_OWNER, idempotencyKey } = submission;
    const pending = this.#store.transfers.filter(({ status }) => status === 'pending').length;
    const group = new Group(
      {
        numbers: {
          pending,
          takeSeq: () => this.#store.transfers.length,
          takeAccountId: () => this.#store.accounts.length + 1,
          takeOwnerId: () => 2,
          addPending: () => undefined,
        },
        follower: {
          chainId: chain.chainId,
          genesisHash: '',
          height: this.#height,
          hash: '',
          blockTimeMs: this.#blockTimeMs,
          uptimeMs: 0,
          verifiedHeight: 0,
        },
        accounts: [...new Set([from, to])].flatMap((address) => this.#store.account(address) ?? []),
        transfers: this.#store.at(from, nonce),
        keyed: idempotencyKey === undefined ? [] : this.#store.ofKey({ owner, key: idempotencyKey }),
        bindings: [],
        owners: [{ id: 1, name: owner, pending }],
        taken: (account) => {
          const held = new Set(this.#store.pendingOf(account.id).map((transfer) => transfer.nonce));
          const free = this.#lowestFree(from, held);
          return { free, waiting: [...held].filter((other) => other > free).length, has: (other) => held.has(other) };
        },
      },
      { nowMs: this.#options.nowMs(), believedMs: this.#options.nowMs(), uptimeMs: 0 },
    );
    return {
      group,
      judgement: judge(
        group,
        submission,
        { ...chain, openingMinimum: BigInt(OPENING_MINIMUM), currency: CURRENCY },
        LIMITS,
      ),
    };
  }

  /** One after another, in the order in which a service decides them. */
  async submitBatch(
    inputs: Parameters<Gateway['submitBatch']>[0],
    principal: Principal,
  ): Promise<(Submitted | Refusal)[]> {
    const answers: (Submitted | Refusal)[] = [];
    for (const input of inputs) answers.push(await this.submit(input, principal));
    return answers;
  }

  async waitUntilSettled(txHash: string, waitMs: number, signal?: AbortSignal): Promise<TransactionRecord | undefined> {
    const transfer = await this.#settled(txHash, waitMs, signal);
    return transfer && this.#record(transfer);
  }

  cancel: Gateway['cancel'] = async (txHash, principal, waitMs, signal) => {
    this.#settleFirst();
    return await this.#cancel({ txHash, principal }, waitMs, signal);
  };

  submitCancel: Gateway['submitCancel'] = async (txHash, signature, principal, waitMs, signal) => {
    this.#settleFirst();
    const transfer = this.#store.find(txHash);
    if (transfer === undefined) return refuse('not_found', UNKNOWN_TRANSFER_DETAIL, { txHash });
    const signed = readSignedCancel(this.#options.chain, transfer, txHash, signature);
    if (!signed.ok) return signed;
    return await this.#cancel({ txHash, principal, isSigned: true }, waitMs, signal);
  };

  async #cancel(request: CancelRequest, waitMs: number, signal?: AbortSignal): Promise<CancelAnswer | Refusal> {
    const [judgement] = await requestCancels(this.#store.port, [request], this.#options.nowMs());
    if (judgement === undefined) throw new Error('a request has a judgement');
    if (judgement.kind === 'refused') return judgement.refusal;
    const transfer = (await this.#settled(request.txHash, waitMs, signal)) ?? judgement.transfer;
    if (transfer.status !== 'pending' && transfer.status !== 'cancelled')
      return alreadySettled(transfer.status, transfer.hash);
    return { ok: true, decided: transfer.status === 'cancelled', transaction: this.#record(transfer) };
  }

  list: Gateway['list'] = async (query) => {
    this.#settleFirst();
    for (const name of ['from', 'to', 'account'] as const) {
      const address = query[name];
      const fault = address === undefined ? undefined : this.#addressFault(`#/query/${name}`, address);
      if (fault !== undefined) return fault;
    }
    if (query.nonce !== undefined && query.from === undefined)
      return refuseField(
        'invalid_request',
        '#/query/nonce',
        'The parameter nonce needs the parameter from: each account counts its own nonces.',
      );
    const page = await listTransfers(this.#store.port, this.#options.chain.chainId, query);
    if (!page.ok) return page;
    const transactions = page.transfers.map((transfer) => this.#record(transfer));
    return {
      ok: true,
      transactions,
      height: this.#height,
      ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }),
    };
  };

  async get(txHash: string): Promise<TransactionDetail | undefined> {
    this.#settleFirst();
    const transfer = this.#store.find(txHash);
    return (
      transfer && {
        ...this.#record(transfer),
        nonce: transfer.nonce,
        history: historyOf(transfer),
        ledgerHeight: this.#height,
      }
    );
  }

  account: Gateway['account'] = async (address) => {
    this.#settleFirst();
    return this.#addressFault('#/path/address', address) ?? (await viewAccount(this.#store.port, address));
  };

  accountAt: Gateway['accountAt'] = async (address, height) => {
    this.#settleFirst();
    return this.#addressFault('#/path/address', address) ?? this.#statements.accountAt(address, height);
  };

  entries: Gateway['entries'] = async (query) => {
    this.#settleFirst();
    return this.#addressFault('#/path/address', query.address) ?? this.#statements.page(query);
  };

  accounts: Gateway['accounts'] = async (addresses) => {
    this.#settleFirst();
    return (
      accountsFault(addresses, this.#options.chain.addressPrefix) ?? (await viewAccounts(this.#store.port, addresses))
    );
  };

  events: Gateway['events'] = async (query) => {
    this.#settleFirst();
    const fault = query.account === undefined ? undefined : this.#addressFault('#/query/account', query.account);
    if (fault !== undefined) return fault;
    const { chainId } = this.#options.chain;
    return aheadOfLog(chainId, query, this.#height) ?? (await listEvents(this.#store.port, chainId, query));
  };

  get height(): number {
    return this.#height;
  }

  /** Resolves to true if there is a block of this height within the time. */
  async waitForBlock(height: number, waitMs: number, signal: AbortSignal): Promise<boolean> {
    this.#streams += 1;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      // A stream that a test has left open does not keep the process alive.
      timer = setTimeout(resolve, waitMs).unref();
      signal.addEventListener('abort', () => resolve());
      if (signal.aborted) resolve();
    });
    try {
      if (this.#height < height) await Promise.race([this.#committed, over]);
      return this.#height >= height;
    } finally {
      this.#streams -= 1;
      clearTimeout(timer);
    }
  }

  nowMs(): number {
    return this.#options.nowMs();
  }

  async chain(): Promise<ChainView> {
    this.#settleFirst();
    return {
      ...this.#options.chain,
      height: this.#height,
      lastBlockTimeMs: this.#blockTimeMs,
      blockIntervalMs: 1000,
      idleBlockIntervalMs: 60_000,
      genesisHash: hashOf(Buffer.from(this.#options.chain.chainId)),
      currency: CURRENCY,
      openingMinimum: OPENING_MINIMUM,
      format: CHAIN_FORMAT,
    };
  }

  /** Expires a pending transfer, as a service does after its time to live: the next block voids its nonce. */
  expire(txHash: string): void {
    this.#giveUp(txHash, undefined);
  }

  /** Makes a block of everything that can execute, in the order that a service's engine would choose. */
  commit(): MemoryBlock {
    const { chain, nowMs } = this.#options;
    this.#height += 1;
    this.#blockTimeMs = Math.max(this.#blockTimeMs + 1, nowMs());
    const block = { height: this.#height, timeMs: this.#blockTimeMs, timeNs: BigInt(this.#blockTimeMs) * NS_PER_MS };
    const view = new Projection(chain, this.#governance, this.#store.accounts);
    const raws = prepareBlock(view, this.#candidates(), block, BLOCK_LIMITS).map(({ raw }) => raw);
    const finalized = finalizeBlock(view, raws, block, { signatureVerified: () => true });
    const transactions: BlockTransaction[] = raws.map((raw, index) => {
      const decoded = decodeTransaction(raw);
      return {
        tx: decoded.ok ? decoded.tx : undefined,
        hash: hashOf(raw),
        code: finalized.results[index]?.code ?? Number.NaN,
      };
    });
    for (const { hash } of transactions) this.#broadcast(hash);
    const effects = effectsOfBlock(block, transactions, (from, nonce) => this.#store.at(from, nonce));
    for (const [address, account] of finalized.accounts) {
      const stored = this.#store.account(address) ?? { id: this.#store.accounts.length + 1, reserved: 0n };
      const { balance, nonce, voids } = account;
      this.#store.saveAccount({
        id: stored.id,
        reserved: stored.reserved,
        address,
        onChain: true,
        balance,
        nonce,
        voids,
      });
    }
    for (const { transfer, settlement } of effects.settled) {
      this.#store.change(transfer.seq, settlement);
      const sender = this.#store.account(transfer.from);
      if (sender !== undefined) this.#store.saveAccount({ ...sender, reserved: sender.reserved - transfer.amount });
    }
    const { height, timeMs: blockTimeMs } = block;
    this.#store.events.add([
      ...effects.settled.map(({ transfer, index }) => ({
        height,
        index,
        blockTimeMs,
        transfer: this.#store.transfers[transfer.seq] as StoredTransfer,
      })),
      ...effects.voided.map(({ index, ...voided }) => ({ height, index, blockTimeMs, voided })),
    ]);
    this.#statements.add({ height: block.height, timeMs: block.timeMs, accounts: finalized.accounts }, transactions);
    for (const { hash, status, validUntil } of this.#store.transfers) {
      if (status === 'pending' && validUntil !== undefined && isPast(validUntil, block.timeNs))
        this.#giveUp(hash, 'validity_passed');
    }
    this.#wakeAll();
    this.#committed = new Promise((resolve) => (this.#wakeAll = resolve));
    return { height: block.height, transactions: transactions.map(({ hash, code }) => ({ txHash: hash, code })) };
  }

  /**
   * Makes a block, with `commitsBySelf`, if a pending transfer can settle: a request sees the decision about everything submitted before.
   */
  #settleFirst(): void {
    const isDue = ({ status, nonce, fromId, cancelRequestedAtMs, expiryRequestedAtMs }: StoredTransfer): boolean =>
      status === 'pending' &&
      (cancelRequestedAtMs !== undefined ||
        expiryRequestedAtMs !== undefined ||
        nonce < (this.#store.gapOf(fromId) ?? 0));
    if (this.#options.commitsBySelf && this.#store.transfers.some(isDue)) this.commit();
  }

  async #settled(txHash: string, waitMs: number, signal?: AbortSignal): Promise<StoredTransfer | undefined> {
    if (waitMs > 0) this.#settleFirst();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<'over'>((resolve) => {
      timer = setTimeout(resolve, waitMs, 'over');
      signal?.addEventListener('abort', () => resolve('over'));
    });
    try {
      for (;;) {
        const transfer = this.#store.find(txHash);
        if (waitMs <= 0 || transfer?.status !== 'pending') return transfer;
        if ((await Promise.race([this.#committed, over])) === 'over') return this.#store.find(txHash);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Cancels first, signed because they were requested; signatures of transfers were verified when they were accepted. */
  #candidates(): VerifiedTransaction[] {
    const { chain } = this.#options;
    const pending = this.#store.transfers.filter(({ status }) => status === 'pending');
    const asked = pending.filter(
      ({ cancelRequestedAtMs, expiryRequestedAtMs }) =>
        cancelRequestedAtMs !== undefined || expiryRequestedAtMs !== undefined,
    );
    const transfers = pending.map((transfer) => {
      const { from, to, amount, nonce, signature } = transfer;
      return encodeTransaction({
        kind: 'transfer',
        chainId: chain.chainId,
        from,
        to,
        amount,
        nonce,
        ...paymentMembers(transfer),
        signature,
      });
    });
    return [...asked.map((transfer) => this.#signer.sign(transfer)), ...transfers].flatMap((raw) => {
      const result = verifyTransaction(chain, raw, { signatureVerified: true });
      return result.ok ? [result.verified] : [];
    });
  }

  /** Has an effect once: the reason of the first request is kept. */
  #giveUp(hash: string, reason: StoredTransfer['reason']): void {
    const transfer = this.#store.find(hash);
    if (
      transfer?.status !== 'pending' ||
      transfer.cancelRequestedAtMs !== undefined ||
      transfer.expiryRequestedAtMs !== undefined
    )
      return;
    this.#store.change(transfer.seq, { expiryRequestedAtMs: this.#options.nowMs(), reason });
  }

  #broadcast(hash: string): void {
    const transfer = this.#store.find(hash);
    if (transfer?.status === 'pending')
      this.#store.change(transfer.seq, { broadcastAtMs: transfer.broadcastAtMs ?? this.#options.nowMs() });
  }

  #lowestFree(address: string, held: ReadonlySet<number>): number {
    const account = this.#store.account(address) ?? EMPTY_ACCOUNT;
    let nonce = account.nonce;
    while (held.has(nonce) || isVoid(account, nonce)) nonce += 1;
    return nonce;
  }

  #addressFault(pointer: string, address: string): Refusal | undefined {
    const { addressPrefix } = this.#options.chain;
    const parsed = parseAddress(address, addressPrefix);
    return parsed.ok ? undefined : refuseAddress(pointer, parsed, addressPrefix);
  }

  #record(transfer: StoredTransfer): TransactionRecord {
    return recordOf(transfer, ({ fromId }) => this.#store.gapOf(fromId));
  }
}
