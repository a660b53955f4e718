/**
 * Events of a block for subscribers, in the order in which CometBFT publishes them (state/execution.go, fireEvents; types/event_bus.go and
 * events.go, v0.38).
 *
 * ValidatorSetUpdates is never published: the one validator of this chain cannot change.
 */
import type { Pacer } from '../../pacer.ts';
import type { RpcEventType } from '../../port.ts';
import { eventData, type PublishedBlock, type PublishedEvent } from '../../rpc/event-matcher.ts';
import { base64, goJson } from '../../rpc/go-json.ts';
import { eventResultJson, resultJson } from '../../rpc/result-json.ts';
import { compositeEvents } from '../../search/searcher.ts';
import { blockIdJson, headerJson } from '../../rpc/signed-header-json.ts';
import { blockJson } from './block-json.ts';
import type { BlockReader, ReadBlock } from './block-reader.ts';

/** Yields executed blocks as they are published. Nothing of a block is read before an event of it is wanted. */
export function* publishedBlocks(
  reader: BlockReader,
  firstHeight: number,
  lastHeight: number,
): Generator<PublishedBlock> {
  for (let height = firstHeight; height <= lastHeight; height++)
    yield { height, events: (wants) => eventsOf(reader, height, wants) };
}

function* eventsOf(
  reader: BlockReader,
  height: number,
  wants: (type: RpcEventType) => boolean,
): Generator<PublishedEvent> {
  if (wants('NewBlock')) {
    yield {
      type: 'NewBlock',
      keys: () => ({ 'tm.event': ['NewBlock'] }),
      data: (pacer) => newBlock(reader, height, pacer),
    };
  }
  if (wants('NewBlockHeader')) {
    const data = (): string =>
      eventData('NewBlockHeader', goJson({ header: headerJson(reader.block(height).block.header) }));
    yield { type: 'NewBlockHeader', keys: () => ({ 'tm.event': ['NewBlockHeader'] }), data };
  }
  if (!wants('Tx')) return;
  const read = reader.block(height);
  for (const [index, raw] of read.block.transactions.entries()) yield transaction(reader, read, raw, index);
}

/** Made piece by piece: the results of a full block take longer than a time slice. */
async function newBlock(reader: BlockReader, height: number, pacer: Pacer): Promise<string> {
  const { stored, block } = reader.block(height);
  const results: string[] = [];
  for (const result of reader.results(height)) {
    results.push(goJson(resultJson(result)));
    if (pacer.due) await pacer.pause();
  }
  const finalized = [
    ...(results.length === 0 ? [] : [`"tx_results":[${results.join(',')}]`]),
    '"validator_updates":null',
    `"app_hash":${goJson(base64(reader.appHash(height)))}`,
  ];
  const value = `{"block":${goJson(blockJson(block))},"block_id":${goJson(blockIdJson(stored.id))},"result_finalize_block":{${finalized.join(',')}}}`;
  return eventData('NewBlock', value);
}

function transaction(reader: BlockReader, read: ReadBlock, raw: Uint8Array, index: number): PublishedEvent {
  const { height } = read.stored;
  const result = reader.results(height)[index];
  if (result === undefined) throw new Error(`block ${height} has no result ${index}`);
  const data = (): string => {
    const shown = {
      height: String(height),
      ...(index === 0 ? {} : { index }),
      tx: base64(raw),
      result: eventResultJson(result),
    };
    return eventData('Tx', goJson({ TxResult: shown }));
  };
  const keys = (withHash: boolean) => ({
    ...compositeEvents(height, withHash ? read.hash(index) : '', result.events),
    'tm.event': ['Tx'],
  });
  return { type: 'Tx', keys, data };
}
