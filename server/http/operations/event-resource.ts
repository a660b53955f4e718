/** An event in the types of the contract. */
import { eventDocument } from '../../gateway/event-document.ts';
import type { ChainEvent } from '../../gateway/types.ts';
import { resource } from '../typed/exact.ts';

export const eventResource = (event: ChainEvent) => resource('Event', eventDocument(event));
