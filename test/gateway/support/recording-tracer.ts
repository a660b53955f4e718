/** A tracer that remembers its spans. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, SpanAttributes, SpanStart, Tracer } from '../../../server/engine/ports.ts';

export interface RecordedSpan {
  name: string;
  parent: string | undefined;
  attributes: SpanAttributes;
  ended: boolean;
}

export class RecordingTracer implements Tracer {
  readonly spans: RecordedSpan[] = [];
  readonly #running = new AsyncLocalStorage<Span>();

  active = (): Span | undefined => this.#running.getStore();

  begin = ({ name, parent, attributes = {} }: SpanStart): Span => {
    const span: RecordedSpan = {
      name,
      parent: typeof parent === 'string' ? parent : parent?.traceparent,
      attributes,
      ended: false,
    };
    this.spans.push(span);
    const running = this.#running;
    return {
      traceId: name,
      traceparent: `traceparent of ${name}`,
      set: (more) => void (span.attributes = { ...span.attributes, ...more }),
      run<T>(work: () => T): T {
        return running.run(this, work);
      },
      end: () => void (span.ended = true),
    };
  };

  /** Runs the work as a request of this name. */
  request<T>(name: string, work: () => T): T {
    return this.begin({ name }).run(work);
  }

  below(name: string): { name: string; attributes: SpanAttributes }[] {
    const found = this.spans.filter(({ parent }) => parent === `traceparent of ${name}`);
    for (const span of found) if (!span.ended) throw new Error(`the span ${span.name} has not ended`);
    return found.map(({ name: own, attributes }) => ({
      name: own,
      attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)),
    }));
  }
}
