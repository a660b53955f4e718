/** Body of the message for an event: byte for byte the same in every repetition, because its contents never change. */
import { eventDocument } from '../../event-document.ts';
import type { DeliveredEvent } from './ports.ts';

export const eventBody = (event: DeliveredEvent): string => JSON.stringify(eventDocument(event));
