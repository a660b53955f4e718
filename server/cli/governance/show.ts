/** `txledger governance show` and `txledger genesis show`: the governance state of a chain. @module */
import { decodeTransaction, type Governance, totalPower, validatorAddress } from '../../ledger/index.ts';
import { amountsIn } from '../amounts.ts';
import { type ConnectionOptions, serviceOf } from '../connection.ts';
import { facts, print } from '../output.ts';
import { table, type Column } from '../table.ts';
import { type ChainState, chainStateOfGenesis, chainStateOfService } from './chain-state.ts';
import { callRpc } from './rpc.ts';
import { explainGovernance } from './words.ts';

/** Transactions of the mempool that are read; a node lists no more at a time. */
const WAITING_MAX = 100;
const PERCENT_DIGITS = 2;

/** Share of the total power, in percent, with a fixed number of digits. */
function share(power: number, total: bigint): string {
  const factor = 10n ** BigInt(PERCENT_DIGITS);
  const hundredths = (BigInt(power) * 100n * factor) / total;
  return `${hundredths / factor}.${String(hundredths % factor).padStart(PERCENT_DIGITS, '0')} %`;
}

const VALIDATOR_COLUMNS: readonly Column<{ publicKey: string; address: string; power: number; share: string }>[] = [
  { header: 'public key', kind: 'key', value: ({ publicKey }) => publicKey },
  { header: 'address', kind: 'key', value: ({ address }) => address },
  { header: 'power', kind: 'amount', value: ({ power }) => `${power}` },
  { header: 'share', kind: 'amount', value: ({ share: part }) => part },
];

async function waitingInMempool(options: ConnectionOptions): Promise<Governance[]> {
  const { txs } = await callRpc<{ txs: readonly string[] | null }>(
    serviceOf(options, { token: false }),
    'unconfirmed_txs',
    { limit: String(WAITING_MAX) },
    options.timeout,
  );
  const decoded = (txs ?? []).map((tx) => decodeTransaction(Buffer.from(tx, 'base64')));
  return decoded.flatMap((each) => (each.ok && each.tx.kind === 'governance' ? [each.tx] : []));
}

function describe(
  { chainId, height, governance }: ChainState,
  waiting: readonly Governance[] | undefined,
  hash?: string,
): void {
  const { cancellers, governors, threshold, validators, sequence, rules, currency, openingMinimum } = governance;
  const total = totalPower(validators);
  const shown = validators.map(({ publicKey, power }) => ({
    publicKey,
    address: validatorAddress(Buffer.from(publicKey, 'hex')),
    power,
    share: share(power, total),
  }));
  const proposals = waiting?.map((tx) => ({
    sequence: tx.sequence,
    explanation: explainGovernance(tx),
    signers: tx.signatures.map(({ signer }) => signer),
  }));
  const document = {
    chainId,
    height,
    ...(hash === undefined ? {} : { genesisHash: hash }),
    sequence,
    threshold,
    governors,
    cancellers,
    validators: shown,
    rules,
    currency,
    openingMinimum,
  };
  print({ ...document, ...(proposals === undefined ? {} : { waiting: proposals }) }, [
    ...facts([
      ['chain id', chainId],
      hash === undefined ? ['height', `${height}`] : ['genesis hash', hash],
      ['next sequence', `${sequence}`],
      ['threshold', `${threshold} of ${governors.length} governors`],
      ['currency', `${currency.code}, ${currency.scale} digits behind the point`],
      ['opening minimum', amountsIn(currency)(openingMinimum)],
    ]),
    'governors',
    ...governors.map((address) => `  ${address}`),
    'cancellers',
    ...cancellers.map((address) => `  ${address}`),
    'validators',
    ...table(VALIDATOR_COLUMNS, shown, { indent: 2 }),
    'rules',
    ...rules.map(
      ({ version, height: from }) =>
        `  version ${version} from height ${from}${from > height + 1 ? `, in ${from - height} blocks` : ''}`,
    ),
    ...(proposals === undefined || proposals.length === 0
      ? []
      : ['waiting for a block', ...proposals.map((each) => `  sequence ${each.sequence}: ${each.explanation}`)]),
  ]);
}

export async function show(options: ConnectionOptions): Promise<void> {
  const chain = await chainStateOfService(options);
  describe(chain, await waitingInMempool(options));
}

export function showGenesis(file: string): void {
  const { hash, ...chain } = chainStateOfGenesis(file);
  describe(chain, undefined, hash);
}
