/** Many requests, a few of them at the same time. */

/** The results in order, at most so many of them made at the same time. The first failure is everybody's. */
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
