/** Methods about the node itself (rpc/core/status.go, net.go and health.go, v0.38). There is no peer-to-peer network behind it. */
import {
  APP_PROTOCOL_VERSION,
  BLOCK_PROTOCOL_VERSION,
  formatTime,
  upperHex,
  validatorAddress,
} from '../../encoding/index.ts';
import type { RpcMethod } from '../../port.ts';
import type { RpcContext, RpcHandler } from './context.ts';
import { publicKeyJson } from './validator-json.ts';

/** The CometBFT version in `status`: clients choose their decoder by it, and the answers have the form of this version. */
export const COMETBFT_VERSION = '0.38.26';
const P2P_PROTOCOL_VERSION = 8;
/** Values that clients require not to be empty. No process listens there, which the address and the channel show. */
const LISTEN_ADDRESS = 'tcp://127.0.0.1:0';
const CHANNELS = '00';
const MONIKER = 'txledger';

const UNIX_EPOCH = formatTime(0n);
const NO_BLOCK = { hash: '', appHash: '', height: '0', time: UNIX_EPOCH };

function blockFacts({ reader }: RpcContext, height: number) {
  if (height === 0) return NO_BLOCK;
  const { stored, block } = reader.block(height);
  return {
    hash: upperHex(stored.id.hash),
    appHash: upperHex(block.header.appHash),
    height: String(height),
    time: formatTime(stored.timeNs),
  };
}

function status(context: RpcContext) {
  const { chain, genesis } = context;
  const publicKey = chain.constants.validatorPublicKey;
  const address = upperHex(validatorAddress(publicKey));
  const latest = blockFacts(context, chain.tip.height);
  const earliest = blockFacts(context, Math.min(1, chain.tip.height));
  return {
    node_info: {
      protocol_version: {
        p2p: String(P2P_PROTOCOL_VERSION),
        block: String(BLOCK_PROTOCOL_VERSION),
        app: String(APP_PROTOCOL_VERSION),
      },
      id: address.toLowerCase(),
      listen_addr: LISTEN_ADDRESS,
      network: genesis.chainId,
      version: COMETBFT_VERSION,
      channels: CHANNELS,
      moniker: MONIKER,
      other: { tx_index: 'on', rpc_address: LISTEN_ADDRESS },
    },
    sync_info: {
      latest_block_hash: latest.hash,
      latest_app_hash: latest.appHash,
      latest_block_height: latest.height,
      latest_block_time: latest.time,
      earliest_block_hash: earliest.hash,
      earliest_app_hash: earliest.appHash,
      earliest_block_height: earliest.height,
      earliest_block_time: earliest.time,
      catching_up: false,
    },
    validator_info: {
      address,
      pub_key: publicKeyJson(publicKey),
      voting_power: String(genesis.validators[0]?.power),
    },
  };
}

export const NODE_METHODS = {
  health: () => ({}),
  net_info: () => ({ listening: false, listeners: [], n_peers: '0', peers: [] }),
  status,
} satisfies Partial<Record<RpcMethod, RpcHandler>>;
