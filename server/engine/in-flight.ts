/**
 * A collection of work in progress, for entries that come and go with every request.
 *
 * Not a Set or Map. V8 replaces the table of these once enough was deleted, and the table before refers to the next one. Once a single dead
 * table is among the old objects, all that follow it outlive every collection of the young ones, with their contents: each request with its
 * answer, until the whole heap is collected (docs/decisions/0110-what-outlives-a-request.md).
 */
interface Flight<Item> {
  readonly item: Item;
  /** Position among the others; ENDED after its end. */
  place: number;
}

const ENDED = -1;

export class InFlight<Item> {
  readonly #flights: Flight<Item>[] = [];

  get size(): number {
    return this.#flights.length;
  }

  /** Adds an item and returns the function that removes it; a second call of that does nothing. */
  begin(item: Item): () => void {
    const flight = { item, place: this.#flights.length };
    this.#flights.push(flight);
    return () => this.#end(flight);
  }

  /** All items, in no order. */
  items(): Item[] {
    return this.#flights.map(({ item }) => item);
  }

  #end(flight: Flight<Item>): void {
    const { place } = flight;
    if (place === ENDED) return;
    flight.place = ENDED;
    const last = this.#flights.pop();
    if (last === undefined || last === flight) return;
    this.#flights[place] = last;
    last.place = place;
  }
}
