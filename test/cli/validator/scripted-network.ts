/**
 * A network as far as `txledger validator` looks at it: a gateway and nodes on one port, of which tests say who is online and what has caught up.
 * Each look at the newest commit makes blocks, so that nothing waits. Governance is executed by the ledger's own rules.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  decodeTransaction,
  genesisGovernance,
  type Governance,
  step,
  type StateView,
  txHash,
  type ValidatorPower,
  verifyTransaction,
} from '../../../server/ledger/index.ts';
import { addressOf } from '../../../server/cli/validator/plan.ts';
import { TEST_CHAIN, testGenesis, governorAddress, validatorKey } from '../../ledger/support.ts';
import { serveAnswers } from '../support.ts';

const FLAG_ABSENT = 1;
const FLAG_COMMIT = 2;
/** A change counts from the second block after its own. */
const DELAY_BLOCKS = 2;
const GOVERNORS = 3;
interface ValidatorsFrom {
  readonly from: number;
  readonly validators: readonly ValidatorPower[];
}

interface NodeOptions {
  readonly publicKey: string;
  readonly chainId?: string;
  readonly isCatchingUp?: boolean;
  readonly behind?: number;
  readonly blockHash?: string;
}

export class ScriptedNetwork {
  url = '';
  height = 100;
  /** More than a validator may leave unsigned, so that one look is enough. */
  blocksALook = 25;
  readonly offline = new Set<string>();
  /** Whether the caller's token has rpc:broadcast. */
  mayBroadcast = true;
  readonly nodes = new Map<string, NodeOptions>();
  /** Every power that a block set, in order, with the height. */
  readonly set: { subject: string; power: number; height: number }[] = [];
  /** Signatures that the chain holds at single heights, by address. */
  readonly alsoSigned = new Map<number, string>();
  #governance: ReturnType<typeof genesisGovernance>;
  readonly #sets: ValidatorsFrom[];
  readonly #transactions = new Map<string, { tx: string; height: number }>();
  #close: () => Promise<void> = async () => undefined;

  constructor(powers: readonly number[], threshold = 2) {
    const genesis = testGenesis({
      validators: powers.map((power, i) => ({ publicKey: validatorKey(i), power, name: '' })),
      governors: Array.from({ length: GOVERNORS }, (_, i) => governorAddress(i)),
      threshold,
    });
    this.#governance = genesisGovernance(genesis);
    this.#sets = [{ from: 1, validators: this.#governance.validators }];
  }

  get validators(): readonly ValidatorPower[] {
    return this.#governance.validators;
  }

  async listen(): Promise<void> {
    const { url, close } = await serveAnswers((request, response) => void this.#answer(request, response));
    this.url = url;
    this.#close = close;
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** A node of this network. @returns its URL. */
  node(name: string, options: NodeOptions): string {
    this.nodes.set(name, options);
    return `${this.url}/${name}`;
  }

  /** Power that is decided and does not count yet. */
  decide(publicKey: string, power: number): void {
    this.#governance = { ...this.#governance, validators: [...this.#governance.validators, { publicKey, power }] };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    const [, first = '', method = ''] = url.pathname.split('/');
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const params: Record<string, string> = {
      ...Object.fromEntries(url.searchParams),
      ...(text === '' ? {} : (JSON.parse(text) as Record<string, string>)),
    };
    if (!this.mayBroadcast && method.startsWith('broadcast_')) {
      response.statusCode = 403;
      response.setHeader('content-type', 'application/problem+json');
      response.end(JSON.stringify({ code: 'insufficient_scope', detail: 'The token lacks the scope rpc:broadcast.' }));
      return;
    }
    const body =
      first === 'chain'
        ? this.#chain()
        : this.#rpc(
            first === 'rpc' ? { publicKey: validatorKey(0) } : (this.nodes.get(first) as NodeOptions),
            method,
            params,
          );
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  }

  #chain(): object {
    return {
      ...TEST_CHAIN,
      height: this.height,
      genesisHash: 'AB',
      currency: { code: 'DEV', scale: 2 },
      lastBlockTime: '2026-01-01T00:00:00Z',
      blockIntervalMs: 1000,
    };
  }

  #rpc(node: NodeOptions, method: string, params: Record<string, string>): object {
    const result = (value: unknown): object => ({ jsonrpc: '2.0', id: -1, result: value });
    const refuse = (data: string): object => ({
      jsonrpc: '2.0',
      id: -1,
      error: { code: -32603, message: 'Internal error', data },
    });
    switch (method) {
      case 'status':
        return result({
          node_info: { network: node.chainId ?? TEST_CHAIN.chainId },
          sync_info: {
            latest_block_height: String(this.height - (node.behind ?? 0)),
            earliest_block_height: '1',
            latest_block_time: '2026-01-01T00:00:00Z',
            catching_up: node.isCatchingUp === true,
          },
          validator_info: { pub_key: { value: Buffer.from(node.publicKey, 'hex').toString('base64') } },
        });
      case 'block':
        return result({ block_id: { hash: node.blockHash ?? `HASH${params['height']}` } });
      case 'commit':
        // Each look at the newest is some blocks later.
        if (params['height'] === undefined) this.height += this.blocksALook;
        return Number(params['height'] ?? 0) > this.height
          ? refuse('height must be less')
          : result({ signed_header: { commit: this.#commit(Number(params['height'] ?? this.height)) } });
      case 'abci_query':
        return result({
          response: {
            code: 0,
            log: '',
            height: String(this.height),
            value: Buffer.from(JSON.stringify(this.#governance)).toString('base64'),
          },
        });
      case 'broadcast_tx_sync':
        return result(this.#broadcast(Buffer.from(params['tx'] as string, 'base64')));
      case 'tx': {
        const found = this.#transactions.get(
          Buffer.from(params['hash'] as string, 'base64')
            .toString('hex')
            .toUpperCase(),
        );
        return found === undefined
          ? refuse('not found')
          : result({
              hash: Buffer.from(params['hash'] as string, 'base64')
                .toString('hex')
                .toUpperCase(),
              height: String(found.height),
              tx: found.tx,
              tx_result: { code: 0, log: '' },
            });
      }
      default:
        return refuse(`no ${method}`);
    }
  }

  #commit(height: number): object {
    const { validators } = this.#sets.findLast(({ from }) => from <= height) as ValidatorsFrom;
    const signatures = validators.map(({ publicKey }) => ({
      block_id_flag: this.offline.has(addressOf(publicKey)) ? FLAG_ABSENT : FLAG_COMMIT,
      validator_address: addressOf(publicKey),
    }));
    const also = this.alsoSigned.get(height);
    return {
      height: String(height),
      block_id: { hash: `HASH${height}` },
      signatures: [
        ...signatures,
        ...(also === undefined ? [] : [{ block_id_flag: FLAG_COMMIT, validator_address: also }]),
      ],
    };
  }

  #broadcast(raw: Buffer): { code: number; log: string } {
    const verdict = verifyTransaction(TEST_CHAIN, raw);
    if (!verdict.ok) return verdict.refusal;
    const view: StateView = {
      chain: TEST_CHAIN,
      account: () => undefined,
      governance: () => this.#governance,
      governanceBefore: () => this.#governance,
    };
    const tx = (decodeTransaction(raw) as { tx: Governance }).tx;
    const outcome = step(view, tx, { height: this.height + 1, timeNs: 0n });
    if (!outcome.ok) return outcome.refusal;
    this.#governance = outcome.effect.governance ?? this.#governance;
    this.height += 1;
    this.#transactions.set(txHash(raw), { tx: raw.toString('base64'), height: this.height });
    this.#sets.push({ from: this.height + DELAY_BLOCKS, validators: this.#governance.validators });
    this.set.push({ subject: tx.subject, power: tx.power, height: this.height });
    return { code: 0, log: '' };
  }
}
