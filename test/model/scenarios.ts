/** What is searched: small worlds that keep every promise, and for each rule the world in which it is missed. */
import type { CopiesRule, CopiesScenario } from './copies.ts';
import { copiesModel, deliveriesModel, graduationModel } from './copies.ts';
import type { EmbeddedRule, EmbeddedScenario } from './embedded.ts';
import { embeddedModel } from './embedded.ts';
import type { Model } from './explore.ts';
import type { NetworkRule, NetworkScenario } from './network.ts';
import { networkModel } from './network.ts';

/** Of states whose type only the model knows. */
export type AnyModel = Model<unknown>;

export interface World {
  name: string;
  model: AnyModel;
  /** Searched on request only: minutes, and gigabytes of memory. */
  isDeep?: boolean;
}

export interface Missed {
  /** Number in reference/protocol.md. */
  number: number;
  rule: string;
  model: AnyModel;
}

type Given<Scenario> = Partial<Omit<Scenario, 'faults'>> & {
  faults?: Partial<Scenario extends { faults: infer Faults } ? Faults : never>;
};

const network = ({ faults, ...given }: Given<NetworkScenario>): AnyModel =>
  networkModel({
    leaders: 2,
    gateways: 2,
    requests: ['x', 'y'],
    isSynchronous: true,
    isPatient: false,
    blocks: 0,
    reads: 0,
    hasClocks: false,
    ...given,
    faults: { crash: 0, cut: 0, failOver: 0, ...faults },
  });

const embedded = ({ faults, ...given }: Given<EmbeddedScenario>): AnyModel =>
  embeddedModel({
    payments: ['x', 'z'],
    blocks: 1,
    reads: 0,
    ...given,
    faults: { kill: 0, power: 0, sync: 0, putBack: 0, logLost: 0, ...faults },
  });

const copies = ({ faults, ...given }: Given<CopiesScenario>): AnyModel =>
  copiesModel({
    entries: 3,
    hasNewKind: false,
    ...given,
    faults: { folderLost: 0, stepBack: 0, forged: 0, away: 0, ...faults },
  });

export const WORLDS: readonly World[] = [
  {
    name: 'network: two payments of one nonce, two leaders; a crash, a lost session, a fail-over',
    model: network({ faults: { crash: 1, cut: 1, failOver: 1 } }),
  },
  {
    name: 'network: two blocks, two leaders, references by both; a fail-over',
    model: network({ requests: ['x'], blocks: 2, faults: { failOver: 1 } }),
  },
  {
    name: 'network: reads on two leaders and two gateways that forward; a fail-over',
    model: network({ requests: ['x'], gateways: 4, reads: 1, faults: { failOver: 1 } }),
  },
  {
    name: 'network: clocks that differ, a block',
    model: network({ requests: ['x'], blocks: 1, hasClocks: true }),
  },
  {
    name: 'network: one request that makes a token; a lost session, two fail-overs',
    model: network({ requests: ['token'], faults: { cut: 1, failOver: 2 } }),
  },
  {
    name: 'network: a payment and the revocation of its token, a gateway that forwards; a fail-over',
    model: network({ requests: ['x', 'revoke'], gateways: 3, faults: { failOver: 1 } }),
  },
  {
    name: 'network: a standby that is behind, two payments of one nonce; a lost session, a fail-over',
    model: network({ isSynchronous: false, isPatient: true, faults: { cut: 1, failOver: 1 } }),
  },
  {
    name: 'one process: two payments of one key, a read; a kill, a power cut, a sync that fails',
    model: embedded({ reads: 1, faults: { kill: 1, power: 1, sync: 1 } }),
  },
  {
    name: 'one process: two blocks; two power cuts, a kill',
    model: embedded({ blocks: 2, faults: { kill: 1, power: 2 } }),
  },
  { name: 'one process: two reads of one caller; a kill', model: embedded({ reads: 2, faults: { kill: 1 } }) },
  { name: 'one process: files put back', model: embedded({ faults: { putBack: 1 } }) },
  { name: 'one process: log.db removed', model: embedded({ payments: ['x', 'y'], faults: { logLost: 1, power: 1 } }) },
  {
    name: 'copies: a folder lost, a log that steps back, a changed snapshot, a new kind of entry, a gateway away',
    model: copies({ entries: 2, hasNewKind: true, faults: { folderLost: 1, stepBack: 1, forged: 1, away: 1 } }),
  },
  { name: 'graduation: a power cut', model: graduationModel({}) },
  { name: 'deliveries: two hand-overs', model: deliveriesModel({}) },
  {
    name: 'network: two payments of one nonce, a block, two leaders; a lost session, a fail-over',
    model: network({ blocks: 1, faults: { cut: 1, failOver: 1 } }),
    isDeep: true,
  },
  {
    name: 'network: a block, a read, two leaders and a gateway that forwards; a fail-over',
    model: network({ requests: ['x'], gateways: 3, blocks: 1, reads: 1, faults: { failOver: 1 } }),
    isDeep: true,
  },
  {
    name: 'network: two payments of one nonce; two crashes, a lost session, two fail-overs',
    model: network({ faults: { crash: 1, cut: 1, failOver: 2 } }),
    isDeep: true,
  },
  {
    name: 'one process: three payments, two blocks, two reads; two kills, two power cuts, a sync that fails',
    model: embedded({ payments: ['x', 'y', 'z'], blocks: 2, reads: 2, faults: { kill: 1, power: 2, sync: 1 } }),
    isDeep: true,
  },
];

const without = {
  network: (number: number, rule: NetworkRule, given: Given<NetworkScenario>): Missed => ({
    number,
    rule,
    model: network({ ...given, without: rule }),
  }),
  embedded: (number: number, rule: EmbeddedRule, given: Given<EmbeddedScenario>): Missed => ({
    number,
    rule,
    model: embedded({ ...given, without: rule }),
  }),
  copies: (number: number, rule: CopiesRule, given: Given<CopiesScenario>): Missed => ({
    number,
    rule,
    model: copies({ ...given, without: rule }),
  }),
};

export const MISSED: readonly Missed[] = [
  without.network(27, 'entry n has the hash that was applied', { faults: { cut: 1, failOver: 2 } }),
  without.network(27, 'entry n + 1 is not there', {}),
  without.network(28, 'found is not durable', { faults: { cut: 1, failOver: 1 } }),
  without.network(28, 'found is not durable, also with a session of its own that was never lost', {
    faults: { cut: 1, failOver: 1 },
  }),
  without.network(28, 'not found decides nothing', { faults: { cut: 1 } }),
  without.network(28, 'no answer rests on an entry that may be lost', { faults: { cut: 1, failOver: 1 } }),
  without.network(29, 'a reference is applied with its block', { requests: ['x'], blocks: 1 }),
  without.network(29, 'references follow each other', { requests: ['x'], blocks: 2 }),
  without.network(29, 'times are in the entry', { requests: ['x'], blocks: 1, hasClocks: true }),
  without.network(30, 'the same bytes are appended again', {
    isSynchronous: false,
    isPatient: true,
    faults: { failOver: 1 },
  }),
  without.network(30, 'nothing else is appended meanwhile', {
    isSynchronous: false,
    isPatient: true,
    faults: { failOver: 1 },
  }),
  without.network(30, 'an append of unknown outcome waits too', {
    isSynchronous: false,
    isPatient: true,
    faults: { failOver: 1 },
  }),
  without.network(30, 'a different entry stops the process', { reads: 1, faults: { cut: 1, failOver: 1 } }),
  without.network(31, 'a head below what was applied answers no read', {
    isSynchronous: false,
    isPatient: true,
    reads: 1,
    faults: { failOver: 1 },
  }),
  without.network(31, 'a question for the head', { requests: ['x'], reads: 1 }),
  without.network(31, 'a question that was sent after the read came', { requests: ['x'], reads: 1 }),
  without.embedded(31, 'a read takes the tail from the entry that its chain.db names', { reads: 1 }),
  without.embedded(31, 'a read waits for the least height of its caller', { reads: 2 }),
  without.copies(32, 'a snapshot of another history is not believed', { faults: { stepBack: 1, folderLost: 1 } }),
  without.copies(32, 'a snapshot is believed by its SHA-256', { faults: { forged: 1, folderLost: 1 } }),
  without.network(33, 'a request id that the log has is answered from it', { requests: ['token'], faults: { cut: 1 } }),
  without.network(33, 'the token is checked again at the entry', { requests: ['x', 'revoke'], gateways: 3 }),
  without.embedded(34, 'an answer waits for the sync', { faults: { power: 1 } }),
  without.embedded(34, 'a block is shown when it is durable', { faults: { power: 1 } }),
  without.embedded(34, 'nothing above the durable number reaches chain.db', { reads: 1, faults: { power: 1 } }),
  without.embedded(34, 'a start makes durable what it read', { faults: { kill: 1, power: 1 } }),
  without.embedded(34, 'a start writes again what it read', { faults: { sync: 1, power: 1 } }),
  without.embedded(34, 'a failed sync ends the process', { faults: { sync: 1, power: 1 } }),
  without.embedded(34, 'a log that ends before chain.db goes on from chain.db', {
    payments: ['x', 'y'],
    faults: { logLost: 1 },
  }),
  without.embedded(34, 'files behind the witness are refused', { faults: { putBack: 1 } }),
  without.embedded(35, 'a transaction of chain.db names its entry', { faults: { kill: 1 } }),
  without.embedded(35, 'entries are dropped when chain.db is synced', { faults: { power: 1 } }),
  without.copies(35, 'entries are dropped below a snapshot', { faults: { folderLost: 1 } }),
  without.copies(35, 'a process below the base fetches a snapshot', { faults: { folderLost: 1 } }),
  without.copies(36, 'a newer entry stops the process', { entries: 1, hasNewKind: true, faults: { away: 1 } }),
  without.copies(36, 'a new kind of entry waits until every process reads it', { entries: 1, hasNewKind: true }),
  without.network(37, 'state changes when an entry is applied', {}),
  without.network(37, 'broadcast from an applied entry', { blocks: 1 }),
  without.network(37, 'broadcast from a durable entry', { blocks: 1, faults: { cut: 1, failOver: 1 } }),
  without.embedded(38, 'history is asked again when the answer is older than what is held', {}),
  {
    number: 39,
    rule: 'the seal is synced before the key moves',
    model: graduationModel({ without: 'the seal is synced before the key moves' }),
  },
  {
    number: 39,
    rule: 'the place of deliveries is an entry',
    model: deliveriesModel({ without: 'the place of deliveries is an entry' }),
  },
];
