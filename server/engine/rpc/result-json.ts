/**
 * Results of transactions in CometBFT's JSON (abci/types/types.go, v0.38).
 *
 * The same result has two forms: methods write every field, zero or not (jsonpb with EmitDefaults); the Tx event, whose
 * value is encoded by reflection, leaves zero fields out.
 */
import { CODESPACE, type LedgerEvent, type TxResult } from '../../ledger/index.ts';
import type { BroadcastResult } from '../port.ts';

/** The fields of a result that CometBFT shows. */
export type ShownResult = Pick<TxResult, 'code' | 'codespace' | 'log' | 'events'>;

function eventsJson(events: readonly LedgerEvent[]) {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value, index }) => ({ key, value, index })),
  }));
}

/** ExecTxResult and ResponseCheckTx have the same fields. No result of this ledger carries data, info or gas. */
export function resultJson({ code, codespace, log, events }: ShownResult) {
  return { code, data: null, log, info: '', gas_wanted: '0', gas_used: '0', events: eventsJson(events), codespace };
}

/** The value in place of a result where there is none. */
export const NO_RESULT: ShownResult = { code: 0, codespace: '', log: '', events: [] };

/** ResponseCheckTx from the mempool's answer. */
export function checkJson({ code, log }: BroadcastResult) {
  return resultJson({ code, codespace: codespaceOf(code), log, events: [] });
}

export function codespaceOf(code: number): string {
  return code === 0 ? '' : CODESPACE;
}

/** A result inside a Tx event. */
export function eventResultJson({ code, codespace, log, events }: ShownResult) {
  return {
    ...(code === 0 ? {} : { code }),
    ...(log === '' ? {} : { log }),
    ...(events.length === 0 ? {} : { events: eventsJson(events) }),
    ...(codespace === '' ? {} : { codespace }),
  };
}
