/**
 * The rules of the log (reference/protocol.md, 27 to 40) in small worlds, searched breadth first: with all rules no state that can be reached breaks a
 * promise, and every run in which no more faults happen ends with everything settled; without any one of them a state breaks one.
 *
 *   node test/model/run.ts [--deep] [--only WORDS] [--traces]
 *
 * --deep     larger worlds too: some ten minutes and up to 6 GB of memory
 * --only     worlds and rules whose name has the words
 * --traces   the steps to each hole, not only what it is
 */
import { parseArgs } from 'node:util';
import { explore } from './explore.ts';
import { MISSED, WORLDS } from './scenarios.ts';

/** A world that is not searched to its end proves nothing of liveness: it is made smaller, or is searched with --deep. */
const STATES_MAX = 1_500_000;
const DEEP_STATES_MAX = 30_000_000;
/** The sum of what is searched to its end is at least this, or the worlds have become too small to say anything. */
const STATES_MIN = 1_000_000;

const { values } = parseArgs({
  options: {
    deep: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    traces: { type: 'boolean', default: false },
  },
});
const isWanted = (name: string): boolean => name.includes(values.only);
const count = (number: number): string => number.toLocaleString('en').padStart(11);
const faults: string[] = [];
let states = 0;

function progress(found: number, depth: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${count(found)} states, ${depth} steps deep\u001B[K`);
}

function clear(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
}

console.log('     states       steps  depth      s  world');
for (const { name, model, isDeep = false } of WORLDS) {
  if (!isWanted(name) || (isDeep && !values.deep)) continue;
  const beganMs = performance.now();
  const found = explore(model, { statesMax: isDeep ? DEEP_STATES_MAX : STATES_MAX, onLevel: progress });
  clear();
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
  states += found.states;
  console.log(
    `${count(found.states)} ${count(found.steps)} ${String(found.depth).padStart(6)} ${seconds.padStart(6)}  ${name}`,
  );
  if (found.broken !== undefined) faults.push([`${name}: ${found.broken.what}`, ...found.broken.trace].join('\n    '));
  else if (!found.isComplete) faults.push(`${name}: not searched to its end`);
}
console.log(`${count(states)} states in all`);
if (values.only === '' && states < STATES_MIN) faults.push(`fewer than ${STATES_MIN} states`);

console.log('\nrule  states  steps  without it');
for (const { number, rule, model } of MISSED) {
  if (!isWanted(rule)) continue;
  const { broken, states: searched } = explore(model, { statesMax: STATES_MAX, onLevel: progress });
  clear();
  if (broken === undefined) {
    faults.push(
      `rule ${number}, ${rule}: without it nothing breaks, so that it is not needed, or the world is too small`,
    );
    continue;
  }
  console.log(
    `  ${number} ${count(searched).slice(3)} ${String(broken.trace.length).padStart(6)}  ${rule}: ${broken.what}`,
  );
  if (values.traces) for (const step of broken.trace) console.log(`                        ${step}`);
}

for (const fault of faults) console.error(`FAULT: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
