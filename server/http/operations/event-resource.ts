/** An event in the types of the contract. */
import { eventDocument } from '../../gateway/event-document.ts';
import type { ChainEvent } from '../../gateway/types.ts';
import type { Schemas } from '../typed/types.ts';

export const eventResource = (event: ChainEvent): Schemas['Event'] => eventDocument(event) as Schemas['Event'];
