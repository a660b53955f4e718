/**
 * The settings in config.toml of a node of this ledger, by its role and its place in the network, with their reasons.
 *
 * @module
 */
import { ledgerSettings } from '../../engine/cometbft/home/settings.ts';
import type { TomlSettings } from '../../engine/cometbft/home/toml.ts';

/** Merges settings; of two values the later one wins. Settings without a section come first, as in the file. */
export function mergeSettings(...all: readonly TomlSettings[]): TomlSettings {
  const merged: Record<string, TomlSettings[string]> = { '': {} };
  for (const [section, values] of all.flatMap((settings) => Object.entries(settings)))
    merged[section] = { ...merged[section], ...values };
  return merged;
}

export type NodeRole = 'validator' | 'sentry' | 'full';

export interface NodeWishes {
  readonly role: NodeRole;
  /** `ID@HOST:PORT`, dialled until they answer. */
  readonly peers: readonly string[];
  /** `ID@HOST:PORT` of nodes from which addresses of others are requested. */
  readonly seeds: readonly string[];
  /** Ids of nodes whose addresses it does not send to others: the validators behind this sentry. */
  readonly hidden: readonly string[];
  /** `HOST:PORT` at which nodes of other networks reach this node. */
  readonly externalAddress: string;
  readonly app: string;
  readonly rpc: string;
  readonly p2p: string;
  /** True if peers have addresses of a private network (10.0.0.0/8 and such), which are otherwise not sent to others. */
  readonly isPrivateNetwork: boolean;
  /** True if several nodes share one address: on one machine, or behind one NAT. */
  readonly isSameHost: boolean;
  readonly prometheus: boolean;
}

const idOf = (peer: string): string => peer.slice(0, peer.indexOf('@'));

/** Places for peers that dial: more than most networks have. A validator behind sentries needs only theirs, which are unconditional. */
const INBOUND_PEERS_MAX: Readonly<Record<NodeRole, number>> = { validator: 40, sentry: 100, full: 40 };
const OUTBOUND_PEERS_MAX: Readonly<Record<NodeRole, number>> = { validator: 10, sentry: 30, full: 10 };

export function nodeConfig(wishes: NodeWishes): TomlSettings {
  const { role, peers, seeds, hidden, externalAddress, app, rpc, p2p, isPrivateNetwork, isSameHost, prometheus } =
    wishes;
  return mergeSettings(ledgerSettings(), {
    '': { proxy_app: app },
    rpc: { laddr: rpc },
    p2p: {
      laddr: p2p,
      // The address that it announces to others: the one that it detects may be unreachable for other machines.
      external_address: externalAddress,
      seeds: seeds.join(','),
      persistent_peers: peers.join(','),
      // A validator connects only to the nodes in its configuration, and searches for no others.
      pex: role !== 'validator',
      // Strict: addresses of private networks are neither kept nor sent to others.
      addr_book_strict: !isPrivateNetwork,
      allow_duplicate_ip: isSameHost,
      private_peer_ids: hidden.join(','),
      // These peers get a place even if all are taken: a flood of strangers must not separate a validator from the chain.
      unconditional_peer_ids: [...new Set([...peers.map(idOf), ...hidden])].join(','),
      max_num_inbound_peers: INBOUND_PEERS_MAX[role],
      max_num_outbound_peers: OUTBOUND_PEERS_MAX[role],
    },
    instrumentation: { prometheus },
  });
}
