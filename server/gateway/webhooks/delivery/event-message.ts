/** The body of a message that tells of an event: byte for byte the same in every repetition, because what is in it never changes. */
import { eventDocument } from '../../event-document.ts';
import type { DeliveredEvent } from './ports.ts';

export const eventBody = (event: DeliveredEvent): string => JSON.stringify(eventDocument(event));
