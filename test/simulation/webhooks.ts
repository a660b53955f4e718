/** Webhooks that are made, changed, delivered to and given up, and their rows of chain.db. */
import { END_OF_BLOCK } from '../../server/gateway/event-types.ts';
import type { Refusal } from '../../server/gateway/index.ts';
import { type LocalWebhookWrite, webhookRows } from '../../server/store/embedded/webhooks.ts';
import { StoreUnavailableError } from '../../server/store/errors.ts';
import type { EventPlace } from '../../server/store/webhooks/types.ts';
import { demand, isBefore } from './plain-model.ts';
import type { SimulatedProcess } from './process.ts';
import { isDeath } from './processes.ts';
import { same, text, type World } from './world.ts';

export class Webhooks {
  readonly #world: World;
  /** Up to which event a webhook was sent what there is. */
  readonly #sent = new Map<string, EventPlace>();

  constructor(world: World) {
    this.#world = world;
  }

  /** An owner makes one, gives it another secret, stops it or deletes it; or the service gives one up. */
  change(): string {
    const { random, model } = this.#world;
    const { api, control } = (this.#world.process as SimulatedProcess).webhooks;
    const process = this.#world.process as SimulatedProcess;
    const refused = ({ code }: Refusal): void => {
      this.#world.note(`webhook refused ${code}`);
      this.#world.coverage.count('webhook refused');
      // Rows that stand still for seconds, and URLs or ids that another change took, are reasons too.
      const isExpected = ['store_unavailable', 'shutting_down', 'webhook_exists', 'not_found'].includes(code);
      demand(isExpected, () => `a webhook was not changed (${code}), and nothing says why`);
    };
    const id = random.pick([...model.webhooks.keys()]) as string | undefined;
    const kind = random.below(10);
    const caller = { owner: 'alice', tokenId: 'alice' };
    if (kind < 4 || id === undefined) {
      const url = `https://shop-${random.below(8)}.example/`;
      this.#world.ask(process, api.createWebhook(caller, { url }), (answer) => {
        if (!answer.ok) return refused(answer);
        const { webhook, secret } = answer;
        demand(
          model.secrets.has(`${webhook.id} ${secret}`),
          () => `webhook ${webhook.id} was acknowledged and the log does not have it`,
        );
        this.#world.coverage.count('webhook made');
      });
    } else if (kind < 6)
      this.#world.ask(process, api.rotateWebhookSecret(caller, id, 0), (answer) => {
        if (!answer.ok) return refused(answer);
        demand(
          model.secrets.has(`${id} ${answer.secret}`),
          () => `webhook ${id} was told a secret that the log does not have`,
        );
        this.#world.coverage.count('webhook changed');
      });
    else if (kind < 8)
      this.#world.ask(
        process,
        api.updateWebhook(caller, id, { status: random.chance(50) ? 'disabled' : 'enabled' }),
        (answer) => {
          if (!answer.ok) return refused(answer);
          this.#world.coverage.count('webhook changed');
        },
      );
    else if (kind < 9)
      this.#world.ask(process, api.deleteWebhook(caller, id), (answer) => {
        if (!answer.ok) return refused(answer);
        demand(!model.webhooks.has(id), () => `webhook ${id} was deleted, and the log does not say so`);
        this.#world.coverage.count('webhook deleted');
      });
    else {
      const revision = model.webhooks.get(id)?.version ?? 0;
      const given = { id, revision, reason: 'gone', detail: 'It answered 410.', atMs: process.clock.nowMs() } as const;
      const told = control.disableWebhook(given).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw error;
      });
      this.#world.ask(process, told, () => undefined);
    }
    return 'webhooks';
  }

  /** Delivery: what it sent is of rows that chain.db has, and rows say so at once; now and then an entry says it of all. */
  deliver(): string {
    const { random } = this.#world;
    const process = this.#world.process as SimulatedProcess;
    const rows = webhookRows(process.rows);
    const enabled = rows.enabledWebhooks();
    if (random.chance(30)) {
      const places = enabled.map(({ id, place }) => ({ id, place }));
      const told = process.webhooks.control.moveWebhookPlaces(places).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof StoreUnavailableError)) throw error;
          return false;
        },
      );
      this.#world.ask(process, told, (isDurable) => {
        if (!isDurable) return;
        this.#world.coverage.count('place in the log');
        for (const { id, place } of places) {
          const said = this.#world.model.webhooks.get(id)?.place;
          demand(
            said === undefined || !isBefore(said, place),
            () => `the log was told that ${id} has come to ${text(place)}, and says ${text(said)}`,
          );
        }
      });
      return 'places';
    }
    const to = { height: process.commits.height, index: END_OF_BLOCK };
    const writes = enabled.flatMap(({ id, place }): LocalWebhookWrite[] =>
      isBefore(place, to) && random.chance(70) ? [['advance', id, place, to, process.clock.nowMs()]] : [],
    );
    if (writes.length === 0) return 'nothing';
    for (const [, id] of writes) this.#sent.set(id as string, to);
    try {
      process.chain.writeLocal(writes);
      this.#world.coverage.count('events delivered');
    } catch (error) {
      if (isDeath(error as Error)) return 'delivery dies';
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
    return 'deliver';
  }

  /** Rows of chain.db once it has everything: changes as the log says, and places that pass nothing over. */
  checkRows(): void {
    const { model } = this.#world;
    const process = this.#world.process as SimulatedProcess;
    const found = webhookRows(process.rows).webhooksOf('alice');
    const settings = found.map(({ id, url, status, version, secrets: { current } }) =>
      text([id, { url, status, version, secret: current }]),
    );
    const wanted = [...model.webhooks].map(([id, { url, status, version, secret }]) =>
      text([id, { url, status, version, secret }]),
    );
    demand(
      same(settings.toSorted(), wanted.toSorted()),
      () => `chain.db has the webhooks ${text(settings)}, and the log says ${text(wanted)}`,
    );
    for (const { id, place } of found) {
      const said = model.webhooks.get(id)?.place ?? place;
      const sent = this.#sent.get(id) ?? said;
      demand(
        !isBefore(place, said) && place.height <= process.commits.height,
        () => `${id} is at ${text(place)}; the log says ${text(said)}, and chain.db ends at ${process.commits.height}`,
      );
      const furthest = isBefore(said, sent) ? sent : said;
      demand(!isBefore(furthest, place), () => `${id} is at ${text(place)}, and was sent events up to ${text(sent)}`);
      if (isBefore(place, furthest)) this.#world.coverage.count('place of a row lost');
    }
  }
}
