/**
 * What each workflow of spec/workflows has to be given: transfers that are signed with the next nonces of one account. An engine for
 * workflows cannot sign, so these are made here, for the kit as for `redocly respect`.
 */
import { signRandomised } from '../ed25519.ts';
import { hashOf, signBytes, signedBody, signTransfer, type Account, type Signed, type Transfer } from '../signer.ts';

export interface Scene {
  readonly chainId: string;
  /** Has money, and sends nothing else meanwhile. */
  readonly sender: Account;
  /** Its next nonce. */
  readonly nonce: number;
  /** No one has paid it before. */
  readonly receiver: string;
  readonly token: string;
  /** Tokens that only some workflows need. */
  readonly readToken?: string | undefined;
  readonly otherToken?: string | undefined;
  readonly revokedToken?: string | undefined;
  readonly adminToken?: string | undefined;
  /** Of a receiver that answers 204. */
  readonly webhookUrl?: string | undefined;
}

type Inputs = Record<string, unknown>;

const AMOUNT = '3';
const OTHER_AMOUNT = '2';
/** The largest amount of all: no account has it. */
const UNAFFORDABLE = String(2n ** 128n - 1n);
const NONCE_WINDOW = 1024;
/** Of an address, enough to be another one each time. */
const OWNER_CHARS = 12;
/** No transfer has it but by a chance of one in 2^256. */
const UNKNOWN_HASH = 'AB'.repeat(32);
const UNKNOWN_TOKEN = `txl_${'0'.repeat(16)}_${'0'.repeat(64)}`;

interface Hand {
  readonly scene: Scene;
  /** Signed with the nonce so many after the next one. */
  signed(ahead?: number, amount?: string): Signed;
  transfer(ahead?: number, amount?: string): Transfer;
}

/** By workflowId. `undefined` says that a token or a receiver is missing for it. */
const INPUTS: Readonly<Record<string, (hand: Hand) => Inputs | undefined>> = {
  payAndWait: ({ signed }) => ({ transfer: signed() }),
  payAndPoll: ({ signed }) => ({ transfer: signed() }),
  sendAgain: ({ signed, scene: { receiver } }) => ({ transfer: signed(), receiver, amount: AMOUNT }),
  sendUnderAnotherSignature: ({ signed, transfer, scene: { receiver, sender } }) => {
    const again = signRandomised(sender.seed, sender.publicKey, Buffer.from(signBytes(transfer())));
    return { transfer: signed(), resigned: signedBody(transfer(), again), receiver, amount: AMOUNT };
  },
  conflict: ({ signed, scene: { sender } }) => ({
    transfer: signed(),
    other: signed(0, OTHER_AMOUNT),
    next: signed(1, OTHER_AMOUNT),
    sender: sender.address,
  }),
  cancelPending: ({ signed }) => ({
    transfer: signed(),
    waiting: signed(1),
    other: signed(1, OTHER_AMOUNT),
    later: signed(2),
  }),
  cancelTooLate: ({ signed }) => ({ transfer: signed() }),
  insufficientFunds: ({ signed, transfer }) => {
    const unaffordable = signed(0, UNAFFORDABLE);
    return {
      unaffordable,
      affordable: signed(),
      unaffordableHash: hashOf(transfer(0, UNAFFORDABLE), unaffordable.signature),
    };
  },
  wrongSignature: ({ signed, transfer }) => ({
    tampered: { ...signed(), amount: OTHER_AMOUNT },
    signBytes: signBytes(transfer(0, OTHER_AMOUNT)),
    transfer: signed(),
  }),
  wrongHash: ({ signed, transfer }) => {
    const right = signed();
    return {
      mishashed: { ...right, txHash: UNKNOWN_HASH },
      transfer: right,
      txHash: hashOf(transfer(), right.signature),
    };
  },
  listUnderWrites: ({ signed, scene: { receiver } }) => ({
    receiver,
    first: signed(),
    second: signed(1),
    third: signed(2),
    fourth: signed(3),
  }),
  nonceGap: ({ signed }) => ({ earlier: signed(), later: signed(1) }),
  nonceTooHigh: ({ signed }) => ({ transfer: signed(NONCE_WINDOW) }),
  unknownId: () => ({ unknownHash: UNKNOWN_HASH }),
  malformedInput: ({ signed }) => ({ surplus: { ...signed(), surplus: true } }),
  noToken: () => ({}),
  revokedToken: ({ scene }) => ({ revokedToken: scene.revokedToken ?? UNKNOWN_TOKEN }),
  missingScope: ({ signed, scene: { readToken } }) =>
    readToken === undefined ? undefined : { readToken, transfer: signed() },
  anotherOwner: ({ signed, scene: { otherToken } }) =>
    otherToken === undefined ? undefined : { otherToken, transfer: signed(), waiting: signed(1) },
  statement: ({ signed, scene: { sender, receiver } }) => ({
    sender: sender.address,
    receiver,
    amount: AMOUNT,
    transfer: signed(),
  }),
  receipt: ({ signed }) => ({ transfer: signed() }),
  receiptTooEarly: ({ signed }) => ({ transfer: signed(), waiting: signed(1) }),
  eventsFromAPlace: ({ signed, scene: { sender } }) => ({
    sender: sender.address,
    first: signed(),
    second: signed(1),
  }),
  webhook: ({ signed, scene: { webhookUrl: url, sender } }) =>
    url === undefined ? undefined : { url, webhook: { url, accounts: [sender.address] }, transfer: signed() },
  batch: ({ signed }) => ({ batch: { transactions: [signed(), signed(1, UNAFFORDABLE), signed(1)] } }),
  dryRun: ({ signed, scene: { sender, nonce } }) => ({
    sender: sender.address,
    nonce,
    transfer: signed(),
    unaffordable: signed(0, UNAFFORDABLE),
  }),
  tokens: ({ scene: { adminToken, receiver } }) =>
    // The receiver is another one each time, so its end makes an owner that no one else has.
    adminToken === undefined
      ? undefined
      : { adminToken, newToken: { owner: `workflow-${receiver.slice(-OWNER_CHARS)}`, scopes: ['transactions:read'] } },
};

export const WORKFLOW_IDS: readonly string[] = Object.keys(INPUTS);

/** @returns undefined when the scene lacks a token that the workflow needs. @throws for a workflow that is not known here. */
export function inputsOf(workflowId: string, scene: Scene): Inputs | undefined {
  const make = INPUTS[workflowId];
  if (make === undefined) throw new RangeError(`no inputs are known for the workflow ${workflowId}`);
  const transfer: Hand['transfer'] = (ahead = 0, amount = AMOUNT) => ({
    chainId: scene.chainId,
    from: scene.sender.address,
    to: scene.receiver,
    amount,
    nonce: scene.nonce + ahead,
  });
  const inputs = make({
    scene,
    transfer,
    signed: (ahead, amount) => signTransfer(scene.sender.seed, transfer(ahead, amount)),
  });
  return inputs === undefined ? undefined : { token: scene.token, ...inputs };
}
