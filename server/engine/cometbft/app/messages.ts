/** ABCI messages made from the ledger's results. */
import type {
  Event,
  ExecTxResult,
  ResponseCheckTx,
  ResponseQuery,
  ValidatorUpdate,
} from 'cosmjs-types/tendermint/abci/types';
import {
  CODES,
  CODESPACE,
  type LedgerEvent,
  type Refusal,
  type TxResult,
  type ValidatorPower,
} from '../../../ledger/index.ts';
import type { AbciQueryAnswer } from '../../abci-query.ts';

const NO_BYTES = new Uint8Array(0);

export function eventMessage({ type, attributes }: LedgerEvent): Event {
  return { type, attributes: attributes.map(({ key, value, index }) => ({ key, value, index })) };
}

export function resultMessage({ code, codespace, log, data, gasWanted, gasUsed, events }: TxResult): ExecTxResult {
  return { code, codespace, log, data, gasWanted, gasUsed, info: '', events: events.map(eventMessage) };
}

/** A power of 0 removes the validator. */
export function validatorMessage({ publicKey, power }: ValidatorPower): ValidatorUpdate {
  return { pubKey: { ed25519: Buffer.from(publicKey, 'hex') }, power: BigInt(power) };
}

/** The answer to most transactions. */
export const CHECKED_WELL: ResponseCheckTx = Object.freeze(checked(CODES.ok, '', ''));

export function checkMessage(refusal: Pick<Refusal, 'code' | 'log'> | undefined): ResponseCheckTx {
  return refusal === undefined ? CHECKED_WELL : checked(refusal.code, CODESPACE, refusal.log);
}

function checked(code: number, codespace: string, log: string): ResponseCheckTx {
  return {
    code,
    codespace,
    log,
    data: NO_BYTES,
    info: '',
    gasWanted: 0n,
    gasUsed: 0n,
    events: [],
  };
}

export function queryMessage({ code, codespace, log, key, value, ops, height }: AbciQueryAnswer): ResponseQuery {
  return {
    code,
    codespace,
    log,
    info: '',
    index: 0n,
    key,
    value,
    height: BigInt(height),
    ...(ops ? { proofOps: { ops: ops.map((op) => ({ type: op.type, key: op.key, data: op.data })) } } : {}),
  };
}
