/** How many cases of many: some in `npm test`, where time counts, all in `npm test -- --heavy`, which `.ci/run` runs too. MANY_CASES=1 beside any test gives all. */
export const cases = (some: number, all: number): number => (process.env['MANY_CASES'] === '1' ? all : some);
