/** Makes many requests, a few of them at the same time. */

/** Returns the results in order, with at most so many in progress at a time. The first failure rejects the whole. */
export async function mapSome<T, R>(
  items: readonly T[],
  most: number,
  make: (item: T) => R | Promise<R>,
): Promise<R[]> {
  const made: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      made[i] = await make(items[i] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  return made;
}
