/** Arguments as their methods declare them: of the right type, and Go's zero value where one is absent. */
import type { RpcArguments } from './port.ts';
import { invalidParams } from './failure.ts';

const NO_BYTES = new Uint8Array(0);

export class Arguments {
  readonly #values: RpcArguments;

  constructor(values: RpcArguments) {
    this.#values = values;
  }

  /** An integer behind a pointer: undefined when it is absent. Bigint, because an int64 may be any. */
  optionalInteger(name: string): bigint | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    if (typeof value === 'bigint') return value;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
    throw invalidParams(`${name} must be an integer`);
  }

  integer(name: string): bigint {
    return this.optionalInteger(name) ?? 0n;
  }

  boolean(name: string): boolean {
    const value = this.#values[name] ?? false;
    if (typeof value !== 'boolean') throw invalidParams(`${name} must be true or false`);
    return value;
  }

  text(name: string): string {
    const value = this.#values[name] ?? '';
    if (typeof value !== 'string') throw invalidParams(`${name} must be a string`);
    return value;
  }

  bytes(name: string): Uint8Array {
    const value = this.#values[name] ?? NO_BYTES;
    if (!(value instanceof Uint8Array)) throw invalidParams(`${name} must be bytes`);
    return value;
  }
}
