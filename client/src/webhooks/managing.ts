/** The error classes of the codes that managing webhooks is refused with. */
import { CHANGE_PROBLEMS } from '../errors/change-problems.ts';
import { WEBHOOK_PROBLEMS } from '../errors/webhook-problems.ts';

export const MANAGING_PROBLEMS = { ...CHANGE_PROBLEMS, ...WEBHOOK_PROBLEMS };
