/** One generator of clients: how it is run on the contract, how strictly what it makes is compiled, and the main job done with that. */
import type { Tools } from './tools.ts';

export interface Workplace {
  /** The contract that the generator reads. */
  contract: string;
  /** An empty folder, for this generator alone. */
  folder: string;
  /** The dev.json of the server that the job is done against. */
  developmentFile: string;
  tools: Tools;
}

/** What a generator or a compiler says and may say, with the reason. Anything else that it complains about fails. */
export interface Expected {
  complaint: RegExp;
  reason: string;
}

export interface Step {
  /** What was printed that has to be on the list: one complaint a line. */
  complaints: string[];
}

export interface Generator {
  /** With its version. */
  name: string;
  /** The whole contract where it can be read, else the rendition without the RPC. */
  contract: 'openapi.yaml' | 'openapi.client.json';
  /** How strictly it is compiled, for the table. */
  strictness: string;
  expected: readonly Expected[];
  generate(place: Workplace): Promise<Step>;
  compile(place: Workplace): Promise<Step>;
  /** Absent where compiling is all that is checked. @returns what the job printed. */
  job?(place: Workplace): Promise<string>;
}

export function assertExpected(complaints: readonly string[], expected: readonly Expected[]): void {
  const others = complaints.filter((line) => !expected.some(({ complaint }) => complaint.test(line)));
  if (others.length > 0) throw new Error(`complaints that are on no list:\n${others.join('\n')}`);
}

/** A complaint that no longer comes has to leave its list, or the list would hide the next one. */
export function assertStillSaid(complaints: readonly string[], expected: readonly Expected[]): void {
  const silent = expected.filter(({ complaint }) => !complaints.some((line) => complaint.test(line)));
  if (silent.length > 0)
    throw new Error(
      `complaints that are listed and did not come:\n${silent.map(({ complaint }) => complaint.source).join('\n')}`,
    );
}

export const linesOf = (output: string, pattern: RegExp): string[] =>
  output.split('\n').filter((line) => pattern.test(line));
