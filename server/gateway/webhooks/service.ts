/**
 * Rules of webhook endpoints: the endpoints that an owner may have, the effect of a change, the replacement of a secret. Delivery
 * (delivery/) sends the messages.
 *
 * A request reads and writes in one write transaction, and those take turns, so of two at one time neither undoes the other's members. An
 * endpoint of another owner is answered as one that does not exist, so that guessing an id reveals nothing.
 */
import type { Clock, Logger, RandomSource } from '../../engine/ports.ts';
import type { ChainContext } from '../../ledger/index.ts';
import type { AuditEntry } from '../../store/types.ts';
import type {
  StoredDelivery,
  StoredWebhook,
  WebhookChange,
  WebhookSecrets,
  WebhookStore,
  WebhookTransaction,
} from '../../store/webhooks/types.ts';
import { comparePlaces } from '../event-place.ts';
import { END_OF_BLOCK } from '../event-types.ts';
import { decodePlace, encodePlace } from '../list/cursor.ts';
import { refuse, refuseField } from '../refusals.ts';
import { refuseStoreFault } from '../store-faults.ts';
import type { AuditAction, Refusal } from '../types.ts';
import type { WebhookApi, WebhookCaller, WebhookPatch, WebhookView } from './api.ts';
import { bringAudit } from './audit-outbox.ts';
import { filterFault, filtersWith } from './filters.ts';
import { LazyStore } from './lazy-store.ts';
import { DELIVERY_PAGE_BYTES_MAX, PREVIOUS_SECRETS_MAX, TESTS_WAITING_MAX, WEBHOOKS_PER_OWNER_MAX } from './limits.ts';
import { newName, newSecret } from './names.ts';
import { replayRange } from './replay-range.ts';
import { judgeTarget, type TargetRules } from './target.ts';

export interface WebhookServiceParts {
  openStore(): Promise<WebhookStore>;
  /** Height of the last block that a caller can have seen. */
  height(): Promise<number>;
  /** Resolves when the entries are durable. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
  /** Called when there may be something to deliver, or nothing more. */
  onChange(): void;
  targets: TargetRules;
  chain: Pick<ChainContext, 'chainId' | 'addressPrefix'>;
  clock: Clock;
  random: RandomSource;
  logger: Logger;
}

/** `reopen`: the database has moved; the next call opens it where it is then. */
export type WebhookService = WebhookApi & { close(): Promise<void>; reopen(): Promise<void> };

const MS_PER_S = 1000;

/** The answer of a change when the endpoint exists; it may refuse, and then nothing is written. */
type Change<T> = (tx: WebhookTransaction, webhook: StoredWebhook) => Promise<T | Refusal>;

export type WebhookReads = Pick<WebhookApi, 'listWebhooks' | 'getWebhook' | 'listWebhookDeliveries'>;

/** The operations that only read, for a thread that reads the rows itself. */
export function webhookReads(
  store: LazyStore,
  { chain, clock, logger }: Pick<WebhookServiceParts, 'chain' | 'clock' | 'logger'>,
): WebhookReads {
  const using = answering(store, logger);
  return {
    listWebhooks: (owner) =>
      using(async (opened) => {
        const nowMs = clock.nowMs();
        return { ok: true, webhooks: (await opened.now.webhooksOf(owner)).map((webhook) => viewOf(webhook, nowMs)) };
      }),

    getWebhook: (owner, id) =>
      using(async (opened) => {
        const webhook = ownedBy(owner, await opened.now.webhook(id));
        return webhook === undefined ? unknown(id) : { ok: true, webhook: viewOf(webhook, clock.nowMs()) };
      }),

    listWebhookDeliveries: (owner, id, { limit, cursor }) =>
      using(async (opened) => {
        if (ownedBy(owner, await opened.now.webhook(id)) === undefined) return unknown(id);
        const list = JSON.stringify([chain.chainId, 'webhook', id]);
        const before = cursor === undefined ? undefined : decodePlace(list, cursor);
        if (cursor !== undefined && before === undefined) {
          return refuseField(
            'invalid_request',
            '#/query/cursor',
            'The cursor is none of this list. Send nextCursor of the page before, or leave it out.',
          );
        }
        const rows = await opened.now.deliveries({
          webhookId: id,
          limit: limit + 1,
          ...(before !== undefined && { before }),
        });
        const deliveries = rows.slice(0, Math.min(limit, rowsWithin(rows, DELIVERY_PAGE_BYTES_MAX)));
        const last = deliveries.at(-1);
        return {
          ok: true,
          deliveries,
          ...(rows.length > deliveries.length && last && { nextCursor: encodePlace(list, last.seq) }),
        };
      }),
  };
}

/** Reads, or changes, and returns the outcome; an unavailable store is an answer too. */
const answering =
  (store: LazyStore, logger: Logger) =>
  async <T>(work: (opened: WebhookStore) => Promise<T>): Promise<T | Refusal> => {
    try {
      return await store.use(work);
    } catch (error) {
      return refuseStoreFault(error, logger);
    }
  };

export function createWebhookService(parts: WebhookServiceParts): WebhookService {
  const { height, appendAudit, onChange, targets, chain, clock, random, logger } = parts;
  const store = new LazyStore(parts.openStore);

  const using = answering(store, logger);

  /** The change is made, whether or not its entry is copied now: waiting entries go with the next one. */
  let lastBrought: Promise<void> = Promise.resolve();
  const changed = (opened: WebhookStore): Promise<void> => {
    onChange();
    // One after the other: two at a time would copy the same entries.
    lastBrought = lastBrought
      .then(() => bringAudit(opened, appendAudit))
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'what was done with webhooks could not be brought to the audit trail yet'),
      );
    return lastBrought;
  };

  const changing = <T extends { ok: true }>(
    work: (tx: WebhookTransaction) => Promise<T | Refusal>,
  ): Promise<T | Refusal> =>
    using(async (opened) => {
      const answer = await opened.write(work);
      if (answer.ok) await changed(opened);
      return answer;
    });

  const changingOne = <T extends { ok: true }>(owner: string, id: string, change: Change<T>): Promise<T | Refusal> =>
    changing(async (tx) => {
      const webhook = ownedBy(owner, await tx.webhook(id));
      return webhook === undefined ? unknown(id) : await change(tx, webhook);
    });

  const record = (
    tx: WebhookTransaction,
    action: AuditAction,
    { owner, tokenId }: WebhookCaller,
    subject: string,
    details: Record<string, unknown> = {},
  ): Promise<void> =>
    tx.addAudit({
      id: newName('audit', random),
      atMs: clock.nowMs(),
      actor: `token:${tokenId}`,
      action,
      subject,
      details: { owner, ...details },
    });

  /** Within one write transaction nothing comes between the version that was read and the change. */
  const change = async (
    tx: WebhookTransaction,
    webhook: StoredWebhook,
    made: Omit<WebhookChange, 'updatedAtMs'>,
  ): Promise<StoredWebhook> => {
    const isChanged = await tx.changeWebhook(webhook.id, webhook.version, { ...made, updatedAtMs: clock.nowMs() });
    const now = await tx.webhook(webhook.id);
    if (!isChanged || now === undefined) throw new Error('a webhook changed within the transaction that read it');
    return now;
  };

  return {
    ...webhookReads(store, parts),
    createWebhook: async (caller, input) => {
      const target = judgeTarget(input.url, targets, caller.owner);
      if (!target.ok) return refuseField('webhook_url_refused', '/url', target.detail);
      const fault = filterFault(input, chain);
      if (fault !== undefined) return fault;
      const place = { height: await height(), index: END_OF_BLOCK };
      const [nowMs, secret, url] = [clock.nowMs(), newSecret(random), target.url.href];
      const webhook: StoredWebhook = {
        id: newName('wh', random),
        owner: caller.owner,
        url,
        ...(input.description && { description: input.description }),
        filters: filtersWith({}, input),
        status: 'enabled',
        secrets: { current: secret, previous: [] },
        place,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        version: 1,
      };
      return await changing(async (tx) => {
        const others = await tx.webhooksOf(caller.owner);
        const taken = urlTaken(others, url);
        if (taken !== undefined) return taken;
        if (others.length >= WEBHOOKS_PER_OWNER_MAX) {
          return refuse(
            'too_many_webhooks',
            `This owner has ${others.length} webhooks, and ${WEBHOOKS_PER_OWNER_MAX} are allowed. Delete one first.`,
          );
        }
        await tx.insertWebhook(webhook);
        await record(tx, 'webhook.create', caller, webhook.id, { receiver: target.url.origin });
        return { ok: true, webhook: viewOf(webhook, nowMs), secret };
      });
    },

    updateWebhook: async (caller, id, patch) => {
      const target = patch.url === undefined ? undefined : judgeTarget(patch.url, targets, caller.owner);
      if (target?.ok === false) return refuseField('webhook_url_refused', '/url', target.detail);
      const fault = filterFault(patch, chain) ?? resumeFault(patch);
      if (fault !== undefined) return fault;
      const url = target?.url;
      const now = patch.resumeFrom === 'now' ? await height() : undefined;
      return await changingOne(caller.owner, id, async (tx, webhook) => {
        const taken = url === undefined ? undefined : urlTaken(await tx.webhooksOf(caller.owner), url.href, id);
        if (taken !== undefined) return taken;
        const made = changeOf(webhook, patch, url?.href, now);
        const after = await change(tx, webhook, made);
        const members = Object.keys(patch).filter((name) => patch[name as keyof WebhookPatch] !== undefined);
        await record(tx, 'webhook.update', caller, id, {
          members,
          status: after.status,
          ...(url && { receiver: url.origin }),
        });
        return { ok: true, webhook: viewOf(after, clock.nowMs()) };
      });
    },

    deleteWebhook: (caller, id) =>
      changingOne(caller.owner, id, async (tx) => {
        await tx.deleteWebhook(id);
        await record(tx, 'webhook.delete', caller, id);
        return { ok: true };
      }),

    rotateWebhookSecret: (caller, id, overlapS) =>
      changingOne(caller.owner, id, async (tx, webhook) => {
        const [nowMs, secret] = [clock.nowMs(), newSecret(random)];
        const previous = stillSigning(webhook.secrets, nowMs, overlapS);
        if (previous.length > PREVIOUS_SECRETS_MAX) {
          return refuse(
            'webhook_busy',
            `As many secrets from before as may sign still do, ${PREVIOUS_SECRETS_MAX}. Rotate when one of them has ended, or with overlapSeconds 0.`,
          );
        }
        const after = await change(tx, webhook, { secrets: { current: secret, previous } });
        await record(tx, 'webhook.rotate', caller, id, { overlapSeconds: overlapS });
        return { ok: true, webhook: viewOf(after, nowMs), secret };
      }),

    testWebhook: (owner, id) =>
      changingOne(owner, id, async (tx, webhook) => {
        if (webhook.status === 'disabled') return disabled();
        const waiting = (await tx.work(id)).filter(({ kind }) => kind === 'test');
        if (waiting.length >= TESTS_WAITING_MAX)
          return refuse(
            'webhook_busy',
            `As many tests wait to be sent as may wait, ${TESTS_WAITING_MAX}. Ask again when they have been sent.`,
          );
        const messageId = newName('test', random);
        await tx.addWork({ id: messageId, webhookId: id, kind: 'test', createdAtMs: clock.nowMs() });
        return { ok: true, messageId };
      }),

    replayWebhook: (owner, id, asked) =>
      changingOne(owner, id, async (tx, webhook) => {
        const range = replayRange(asked, webhook.place);
        if (!range.ok) return range;
        if (webhook.status === 'disabled') return disabled();
        if ((await tx.work(id)).some(({ kind }) => kind === 'replay'))
          return refuse('webhook_busy', 'A replay of this webhook is under way. Ask again when it has ended.');
        const { after, until } = range;
        await tx.addWork({
          id: newName('replay', random),
          webhookId: id,
          kind: 'replay',
          createdAtMs: clock.nowMs(),
          after,
          until,
          place: after,
        });
        return { ok: true, after, until };
      }),

    close: () => store.close(),
    reopen: () => store.close(),
  };
}

/** The number of rows that fit into so many bytes. */
function rowsWithin(rows: readonly StoredDelivery[], bytesMax: number): number {
  let bytes = 0;
  const over = rows.findIndex((row) => (bytes += Buffer.byteLength(JSON.stringify(row))) > bytesMax);
  return over < 0 ? rows.length : over;
}

const ownedBy = (owner: string, webhook: StoredWebhook | undefined): StoredWebhook | undefined =>
  webhook?.owner === owner ? webhook : undefined;

const unknown = (id: string): Refusal =>
  refuse('not_found', `This owner has no webhook with the id ${id}. Check the id.`);
const disabled = (): Refusal =>
  refuse('webhook_disabled', 'The webhook is disabled, so nothing is sent to it. Enable it first.');

/** One webhook for each URL: so a creation that is sent again after a lost answer makes no second one. */
function urlTaken(others: readonly StoredWebhook[], url: string, except?: string): Refusal | undefined {
  const other = others.find((one) => one.url === url && one.id !== except);
  return (
    other &&
    refuse('webhook_exists', `The webhook ${other.id} has this URL already. Change that one, or rotate its secret.`)
  );
}

function resumeFault({ status, resumeFrom }: WebhookPatch): Refusal | undefined {
  if (resumeFrom === undefined || status === 'enabled') return undefined;
  return refuseField(
    'invalid_request',
    '/resumeFrom',
    'Where to go on from can be said only with status enabled. Send both.',
  );
}

/** Changes of an endpoint by a request. `now` is the height to pass over to, where the request wants that. */
function changeOf(
  webhook: StoredWebhook,
  patch: WebhookPatch,
  url: string | undefined,
  now: number | undefined,
): Omit<WebhookChange, 'updatedAtMs'> {
  const { description, status } = patch;
  const stops = status === 'disabled' && webhook.status === 'enabled';
  const target = { height: now ?? 0, index: END_OF_BLOCK };
  return {
    filters: filtersWith(webhook.filters, patch),
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description: description === '' ? null : description }),
    ...(stops && { status, disabledReason: 'owner' as const }),
    ...(status === 'enabled' && { status, disabledReason: null }),
    // A place never goes back: what was delivered is sent again by a replay.
    ...(now !== undefined && comparePlaces(target, webhook.place) > 0 && { place: target }),
    // The owner has repaired something: the next attempt is made at once.
    ...((status === 'enabled' || stops || url !== undefined) && { clearFailure: true as const }),
  };
}

/** The secrets that sign beside the next one. None that a receiver still verifies with is dropped before its time. */
function stillSigning(
  { current, previous }: WebhookSecrets,
  nowMs: number,
  overlapS: number,
): WebhookSecrets['previous'] {
  if (overlapS === 0) return [];
  return [
    { secret: current, untilMs: nowMs + overlapS * MS_PER_S },
    ...previous.filter(({ untilMs }) => untilMs > nowMs),
  ];
}

function viewOf(webhook: StoredWebhook, nowMs: number): WebhookView {
  const {
    id,
    url,
    description,
    filters,
    status,
    disabledReason,
    secrets,
    place,
    lastSuccessAtMs,
    lastFailure,
    createdAtMs,
    updatedAtMs,
  } = webhook;
  const untilMs = Math.max(0, ...secrets.previous.map((previous) => previous.untilMs));
  return {
    id,
    url,
    ...(description !== undefined && { description }),
    ...filters,
    status,
    ...(disabledReason !== undefined && { disabledReason }),
    place,
    ...(untilMs > nowMs && { previousSecretUntilMs: untilMs }),
    ...(lastSuccessAtMs !== undefined && { lastSuccessAtMs }),
    ...(lastFailure && { lastFailure }),
    createdAtMs,
    updatedAtMs,
  };
}
