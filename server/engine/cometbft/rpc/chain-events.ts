/**
 * Events of a block for subscribers, made from `block` and `block_results`, in the order in which CometBFT publishes them
 * (state/execution.go, fireEvents; types/event_bus.go and events.go, v0.38).
 */
import { base64, goJson } from '../../rpc/go-json.ts';
import { upperHex, validatorAddress } from '../../encoding/index.ts';
import type { RpcEventType } from '../../port.ts';
import { eventData, type PublishedBlock, type PublishedEvent } from '../../rpc/event-matcher.ts';
import { attributesOf, compositeEvents } from '../../search/searcher.ts';
import type { TxResultJson } from '../blocks/block-results-json.ts';
import type { VerifiedBlock } from '../blocks/verified-block.ts';

function event(
  type: RpcEventType,
  value: () => object,
  keys: (withHash: boolean) => Record<string, string[]> = () => ({}),
): PublishedEvent {
  return {
    type,
    data: () => eventData(type, goJson(value())),
    keys: (withHash) => ({ ...keys(withHash), 'tm.event': [type] }),
  };
}

/** Fields that Go leaves out when they are empty (omitempty). */
function present(fields: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === null ||
    value === undefined ||
    value === '' ||
    value === 0 ||
    value === '0' ||
    (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function newBlock({ block, blockResults }: VerifiedBlock): PublishedEvent {
  const { txs_results, finalize_block_events, validator_updates, consensus_param_updates, app_hash } = blockResults;
  const value = () => ({
    block: block.block,
    block_id: block.block_id,
    result_finalize_block: {
      ...present({ events: finalize_block_events, tx_results: txs_results }),
      validator_updates,
      ...present({ consensus_param_updates, app_hash }),
    },
  });
  return event('NewBlock', value, () => attributesOf(finalize_block_events ?? []));
}

/** A result inside a Tx event is encoded by reflection, which leaves zero fields out; methods write every field. */
function eventResult({ code, data, log, info, gas_wanted, gas_used, events, codespace }: TxResultJson) {
  return present({ code, data, log, info, gas_wanted, gas_used, events, codespace });
}

function transaction(block: VerifiedBlock, index: number): PublishedEvent {
  const { height } = block;
  const [raw, hash, result] = [block.transactions[index], block.transactionHashes[index], block.results[index]];
  if (raw === undefined || hash === undefined || result === undefined)
    throw new Error(`block ${height} has no transaction ${index}`);
  const value = () => ({
    TxResult: { height: String(height), ...present({ index }), tx: base64(raw), result: eventResult(result) },
  });
  return event('Tx', value, () => compositeEvents(height, upperHex(hash), result.events));
}

function validatorUpdates({ blockResults }: VerifiedBlock): PublishedEvent[] {
  const updates = blockResults.validator_updates ?? [];
  if (updates.length === 0) return [];
  const validators = updates.map(({ pub_key, power = '0' }) => {
    const key = Buffer.from(pub_key.Sum.value.ed25519, 'base64');
    return {
      address: upperHex(validatorAddress(key)),
      pub_key: { type: 'tendermint/PubKeyEd25519', value: base64(key) },
      voting_power: power,
      proposer_priority: '0',
    };
  });
  return [event('ValidatorSetUpdates', () => ({ validator_updates: validators }))];
}

export function publishedBlock(block: VerifiedBlock): PublishedBlock {
  return { height: block.height, events: (wants) => eventsOf(block, wants) };
}

function* eventsOf(block: VerifiedBlock, wants: (type: RpcEventType) => boolean): Generator<PublishedEvent> {
  if (wants('NewBlock')) yield newBlock(block);
  if (wants('NewBlockHeader')) yield event('NewBlockHeader', () => ({ header: block.block.block.header }));
  if (wants('Tx')) for (const index of block.transactions.keys()) yield transaction(block, index);
  if (wants('ValidatorSetUpdates')) yield* validatorUpdates(block);
}
