/**
 * What a node of this ledger has in its config.toml by its role and its place in the network, and why.
 *
 * @module
 */
import { ledgerSettings } from '../../engine/cometbft/home/settings.ts';
import type { TomlSettings } from '../../engine/cometbft/home/toml.ts';

/** A setting of two sources is that of the later one. What belongs to no section comes first, as in the file. */
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
  /** `ID@HOST:PORT`, asked for addresses of others. */
  readonly seeds: readonly string[];
  /** Ids of nodes whose addresses it gives to no other node: the validators behind this sentry. */
  readonly hidden: readonly string[];
  /** `HOST:PORT` at which other networks reach this node. */
  readonly externalAddress: string;
  readonly app: string;
  readonly rpc: string;
  readonly p2p: string;
  /** Whether peers have addresses of a private network (10.0.0.0/8 and such), which are kept from others otherwise. */
  readonly isPrivateNetwork: boolean;
  /** Whether several nodes come from one address: one machine, or one NAT. */
  readonly isSameHost: boolean;
  readonly prometheus: boolean;
}

const idOf = (peer: string): string => peer.slice(0, peer.indexOf('@'));

/** Places for peers that dial: more than there are in most networks; a validator behind sentries needs none but theirs, which are unconditional. */
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
      // What it says of itself to others; the address that it sees may be one that no other machine reaches.
      external_address: externalAddress,
      seeds: seeds.join(','),
      persistent_peers: peers.join(','),
      // A validator speaks with those that it names, and looks for no others.
      pex: role !== 'validator',
      // Strict: addresses of private networks are neither kept nor passed on.
      addr_book_strict: !isPrivateNetwork,
      allow_duplicate_ip: isSameHost,
      private_peer_ids: hidden.join(','),
      // These have a place also when all are taken: a flood of strangers must not part a validator from the chain.
      unconditional_peer_ids: [...new Set([...peers.map(idOf), ...hidden])].join(','),
      max_num_inbound_peers: INBOUND_PEERS_MAX[role],
      max_num_outbound_peers: OUTBOUND_PEERS_MAX[role],
    },
    instrumentation: { prometheus },
  });
}
