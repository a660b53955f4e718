/** GET /chain: the facts of the chain, for anyone. */
import { handler } from '../typed/exact.ts';
import type { Handler } from '../typed/types.ts';
import type { HandlerParts } from './parts.ts';
import { timestamp } from '../timestamp.ts';

export function getChain({ gateway, build, clock }: HandlerParts): Handler<'getChain'> {
  return handler('getChain', async () => {
    const {
      lastBlockTimeMs,
      chainId,
      addressPrefix,
      height,
      blockIntervalMs,
      idleBlockIntervalMs,
      genesisHash,
      currency,
      openingMinimum,
      format,
    } = await gateway.chain();
    return {
      status: 200,
      body: {
        chainId,
        addressPrefix,
        height,
        lastBlockTime: timestamp(lastBlockTimeMs),
        serviceTime: timestamp(clock.nowMs()),
        blockIntervalMs,
        idleBlockIntervalMs,
        genesisHash,
        currency,
        openingMinimum,
        format,
        ...(build && { version: build.version }),
      },
    };
  });
}
