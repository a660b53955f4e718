/**
 * Checks one POST /transactions body with the code of the service, and explains a refusal.
 *
 * @module
 */
import { admitTransfer } from '../../gateway/admission.ts';
import type { TransferInput } from '../../gateway/index.ts';
import {
  encodeTransaction,
  parseAddress,
  paymentMembers,
  signBytes,
  txHash,
  type ChainContext,
  type Transfer,
} from '../../ledger/index.ts';
import { hashCause, signatureCause } from './causes.ts';
import { readRequest, type Finding, type ReadRequest } from './read-request.ts';

export interface Explanation {
  /** True if form, addresses, signature and hash are right. The chain checks money and nonces. */
  readonly ok: boolean;
  readonly chainId: string;
  readonly addressPrefix: ChainContext['addressPrefix'];
  /** Sign bytes of the transfer in canonical form, as far as it can be read. */
  readonly signBytes?: string;
  readonly raw?: string;
  readonly txHash?: string;
  /** The answer of the service. */
  readonly refusal?: { readonly code: string; readonly detail: string };
  /** The findings, each with the change that corrects it. */
  readonly causes: readonly Finding[];
}

function transferOf(chain: ChainContext, input: TransferInput): Transfer {
  const { from, to, amount, nonce, signature } = input;
  return {
    kind: 'transfer',
    chainId: chain.chainId,
    from,
    to,
    amount: BigInt(amount),
    nonce,
    ...paymentMembers(input),
    signature,
  };
}

function causesOf(chain: ChainContext, meant: TransferInput, chainIds: readonly string[]): Finding[] {
  const addresses = (['from', 'to'] as const).flatMap((name) => {
    const parsed = parseAddress(meant[name], chain.addressPrefix);
    return parsed.ok ? [] : [{ pointer: `/${name}`, message: `${name}: ${parsed.message}` }];
  });
  // Without usable addresses and a signature of the right length no cause can be tried.
  if (addresses.length > 0 || meant.signature === '') return addresses;
  const transfer = transferOf(chain, meant);
  const wrong = signatureCause(transfer, { prefix: chain.addressPrefix, chainIds }, meant.txHash);
  if (wrong !== undefined) return [{ pointer: '/signature', message: wrong }];
  const hash = hashCause(transfer, meant.txHash);
  return hash === undefined ? [] : [{ pointer: '/txHash', message: hash }];
}

function refusalOf(chain: ChainContext, { code, given, findings }: ReadRequest): Explanation['refusal'] {
  if (given === undefined)
    return { code: code ?? 'invalid_request', detail: findings.map(({ message }) => message).join('; ') };
  const admission = admitTransfer(chain, given);
  return admission.ok ? undefined : { code: admission.code, detail: admission.detail };
}

/** @param chainIds other chains that it may have been signed for by mistake. */
export function explain(body: Buffer, chain: ChainContext, chainIds: readonly string[]): Explanation {
  const request = readRequest(body);
  const { findings, meant } = request;
  const refusal = refusalOf(chain, request);
  const told = {
    ok: refusal === undefined,
    chainId: chain.chainId,
    addressPrefix: chain.addressPrefix,
    ...(refusal && { refusal }),
  };
  if (meant === undefined) return { ...told, causes: findings };
  const transfer = transferOf(chain, meant);
  const signed = Buffer.from(signBytes(transfer)).toString('latin1');
  const raw = encodeTransaction(transfer);
  const whole = meant.signature === '' ? {} : { raw: Buffer.from(raw).toString('latin1'), txHash: txHash(raw) };
  return { ...told, signBytes: signed, ...whole, causes: [...findings, ...causesOf(chain, meant, chainIds)] };
}
