/**
 * Reads of the RPC that can be checked against the verified chain: an answer that contradicts it is never forwarded.
 *
 * Blocks, headers, results and transactions are answered from verified blocks; commits, validators and lists of headers are a node's
 * answer, checked. The rest cannot be checked: a node's status and peers, consensus state, mempool, the application's answers (abci_query
 * proves them on request), consensus parameters, and that something was not found.
 */
import { Arguments } from '../../rpc/arguments.ts';
import { RpcFailure, unavailable } from '../../rpc/failure.ts';
import { heightOf } from '../../rpc/heights.ts';
import { pageOf } from '../../rpc/pages.ts';
import { headerHash, upperHex } from '../../encoding/index.ts';
import type { RpcArguments, RpcMethod } from '../../port.ts';
import { BlockPruned } from '../blocks/block-errors.ts';
import { signedHeaderOf } from '../blocks/block-source.ts';
import { BlockLie, demand, headerOfJson } from '../blocks/header-json.ts';
import type { VerifiedBlock } from '../blocks/verified-block.ts';
import { heightOfJson } from '../nodes/node-status.ts';
import type { SignedHeader, TrustedChain } from '../trust/trusted-chain.ts';
import type { ChainSearch } from './chain-search.ts';
import type { RpcProxy } from './rpc-proxy.ts';

/** The results of these methods, from an honest node. */
type HashResult = { block?: { header?: { height?: unknown } } | null; header?: { height?: unknown } | null } | null;
interface MetasResult {
  block_metas: { block_id: { hash: string }; header: Record<string, unknown> }[];
}
interface ValidatorsResult {
  block_height: unknown;
  total: unknown;
  validators: { address: unknown; pub_key: { value: string }; voting_power: string }[];
}

const INT64_MAX = 2n ** 63n - 1n;

const OWN: Partial<Record<RpcMethod, (block: VerifiedBlock) => object>> = {
  block: ({ block }) => block,
  header: ({ block }) => ({ header: block.block.header }),
  block_results: ({ blockResults }) => blockResults,
};

export interface VerifiedReadsParts {
  trusted: TrustedChain;
  search: Pick<ChainSearch, 'verified'>;
  proxy: RpcProxy;
}

/** Turns an answer of a wrong form into BlockLie too: it is a fault of the node, not a defect of this program. */
async function checking(check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw error instanceof TypeError ? new BlockLie(`it cannot be read: ${error.message}`) : error;
  }
}

export class VerifiedReads {
  readonly #parts: VerifiedReadsParts;

  constructor(parts: VerifiedReadsParts) {
    this.#parts = parts;
  }

  /** Returns the header of a verified block with the signatures under it, checked. */
  async signedHeader(height: number): Promise<SignedHeader> {
    return signedHeaderOf(await this.#commit({ height }));
  }

  /** Returns undefined when the method is not one of these. Throws an RpcFailure when there is no answer. */
  async answer(method: RpcMethod, given: RpcArguments): Promise<unknown> {
    const own = OWN[method];
    if (own !== undefined) return own(await this.#block(method, given));
    switch (method) {
      case 'block_by_hash':
        return await this.#byHash(method, given, (result) => result?.block?.header);
      case 'header_by_hash':
        return await this.#byHash(method, given, (result) => result?.header);
      case 'commit':
        return await this.#commit(given);
      case 'blockchain':
        return await this.#blockchain(given);
      case 'validators':
        return await this.#validators(given);
      default:
        return undefined;
    }
  }

  async #block(method: RpcMethod, given: RpcArguments): Promise<VerifiedBlock> {
    const height = await this.#height(method, given);
    try {
      return await this.#parts.search.verified(height);
    } catch (error) {
      // The node answers which heights it still has.
      if (error instanceof BlockPruned) return await this.#parts.proxy.refuse(method, given);
      throw error;
    }
  }

  /** Height of the requested verified block. */
  async #height(method: RpcMethod, given: RpcArguments): Promise<number> {
    const { trusted, proxy } = this.#parts;
    const args = new Arguments(given);
    // Not an int64: the node answers with its own error.
    if ((args.optionalInteger('height') ?? 0n) > INT64_MAX) return await proxy.refuse(method, given);
    const height = heightOf(args, trusted.height);
    if (height === 0) throw unavailable('no block has been verified yet');
    return height;
  }

  async #byHash(
    method: RpcMethod,
    given: RpcArguments,
    headerOf: (result: HashResult) => { height?: unknown } | null | undefined,
  ): Promise<unknown> {
    const { proxy, trusted, search } = this.#parts;
    const hash = upperHex(new Arguments(given).bytes('hash'));
    let found: VerifiedBlock | undefined;
    const answer = await proxy.askChecked(method, given, async (result) => {
      const header = headerOf(result as HashResult);
      if (header === null || header === undefined) return;
      const height = heightOfJson(header.height);
      demand(height !== undefined, 'the header has no height');
      if (height < 1 || height > trusted.height) throw unavailable('the block is not verified yet');
      const block = await search.verified(height);
      demand(block.hash === hash, `block ${height} has another hash`);
      found = block;
    });
    if (found === undefined) return answer;
    return method === 'block_by_hash' ? found.block : { header: found.block.block.header };
  }

  async #commit(given: RpcArguments): Promise<unknown> {
    const { proxy, trusted, search } = this.#parts;
    const height = await this.#height('commit', given);
    const block = await search.verified(height);
    return await proxy.askChecked('commit', { height }, (result) =>
      checking(async () => {
        const signed = signedHeaderOf(result);
        demand(signed.header.height === height, `it is of block ${signed.header.height}`);
        demand(upperHex(headerHash(signed.header)) === block.hash, 'its header is another one than was verified');
        await trusted.assertSigned(signed, { thisCommit: true });
      }),
    );
  }

  /** Checks a list of headers: the newest is that of a verified block, and each of the others the parent of the one before it. */
  async #blockchain(given: RpcArguments): Promise<unknown> {
    const { proxy, trusted, search } = this.#parts;
    const args = new Arguments(given);
    const [min, max] = [args.integer('minHeight'), args.integer('maxHeight')];
    const tip = BigInt(trusted.height);
    // Negative and oversized ones as they are: the node answers with its own error.
    const maxHeight = max === 0n || (max > tip && max <= INT64_MAX) ? tip : max;
    return await proxy.askChecked('blockchain', { minHeight: min, maxHeight }, (result) =>
      checking(async () => {
        const { block_metas: metas } = result as MetasResult;
        demand(Array.isArray(metas), 'there is no list of blocks');
        const [newest] = metas;
        if (newest === undefined) return;
        const height = heightOfJson(newest.header['height']) ?? 0;
        demand(height >= 1 && height <= trusted.height, `block ${height} is beyond what was asked for`);
        let expected = (await search.verified(height)).hash;
        for (const { block_id: id, header } of metas) {
          const read = headerOfJson(header);
          demand(
            id.hash === expected && upperHex(headerHash(read)) === expected,
            `block ${read.height} is another one than was verified`,
          );
          expected = upperHex(read.lastBlockId.hash);
        }
      }),
    );
  }

  async #validators(given: RpcArguments): Promise<unknown> {
    const { proxy, trusted } = this.#parts;
    const args = new Arguments(given);
    const asked = args.optionalInteger('height');
    return await proxy.askChecked('validators', given, (result) =>
      checking(async () => {
        const { block_height: at, total, validators } = result as ValidatorsResult;
        const height = heightOfJson(at);
        demand(
          asked === undefined || (height !== undefined && BigInt(height) === asked),
          'they are of another height than was asked for',
        );
        const set = height === undefined ? undefined : trusted.validatorsAt(height);
        if (set === undefined) throw new RpcFailure(503, 'the validators of that height are not known here yet');
        demand(total === String(set.size), `there are ${set.size} validators`);
        const { skip, take } = pageOf(args, set.size);
        demand(validators.length === take, `the page has ${take} validators`);
        for (const [i, { address, pub_key: key, voting_power: power }] of validators.entries()) {
          const isNamed =
            /^\d{1,19}$/.test(power) &&
            set.names(skip + i, { address, publicKey: Buffer.from(key.value, 'base64'), power: BigInt(power) });
          demand(isNamed, `validator ${skip + i} is another one, or of another power`);
        }
      }),
    );
  }
}
