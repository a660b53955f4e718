/**
 * The ledger: transactions, their effects, and the commitment to the state.
 *
 * Pure: no clock, no disk, no network, no randomness, nothing of the rest of the server. Both engines, the gateway and the client's tests
 * run exactly this, because a ledger that can reach anything else would sooner or later fork.
 *
 * @module
 */
export { type Account, type AccountRow, EMPTY_ACCOUNT, isVoid } from './account.ts';
export type { AccountTable } from './account-table.ts';
export { ADDRESS_PATTERN, type AddressFault, encodeAddress, parseAddress, type ParsedAddress } from './address.ts';
export { type BlockContext, blockAfter, isPast, lastPast } from './block-context.ts';
export { type BlockLimits, bytesInBlock } from './block-limits.ts';
export { ownText } from './bytes.ts';
export { type AddressPrefix, CHAIN_ID_PATTERN, type ChainContext, isAddressPrefix } from './chain.ts';
export { CHAIN_FILE_ID, formatOfFileId } from './chain-file-id.ts';
export { type CheckOptions, type CheckResult, CheckState } from './check.ts';
export {
  type CodeName,
  CODES,
  CODESPACE,
  failureOf,
  type FailureName,
  isExecuted,
  type Refusal,
  type RefusalName,
} from './codes.ts';
export { accountKey, accountValue, governanceEntries, leafHashOf, type StoreName } from './commitment.ts';
export { decodeTransaction } from './decode.ts';
export { isOnCurve, type PointCheck, usePointCheck } from './ed25519-curve.ts';
export { PUBLIC_KEY_BYTES, SEED_BYTES, SIGNATURE_BYTES } from './ed25519-strict.ts';
export { isStrictPublicKey, nodeEquation, publicKeyOfSeed, signEd25519, useEquation, verifyStrict } from './ed25519.ts';
export type { VerifyEquation } from './ed25519.ts';
export type { Effect, StepResult } from './effect.ts';
export { type EventAttribute, eventsOf, type LedgerEvent } from './event.ts';
export { type FinalizedBlock, finalizeBlock, type FinalizeOptions, type TxResult } from './finalize.ts';
export type { Misbehavior, MisbehaviorKind } from './evidence.ts';
export { buildGenesis, type GenesisInput } from './genesis-build.ts';
export { CHAIN_FORMAT, formatFault, genesisFormat } from './genesis-format.ts';
export { parseGenesis, type ParsedGenesis } from './genesis-parse.ts';
export {
  BLOCK_MAX_BYTES,
  CONSENSUS_PARAMS,
  CURRENCY_CODE_PATTERN,
  type GenesisAccount,
  type GenesisDocument,
  type GenesisValidator,
  OPENING_MINIMUM_DEFAULT,
  PUBLIC_KEY_TYPE,
} from './genesis.ts';
export { BLOCKS_UNTIL_SIGNING, genesisGovernance, governanceAfter, sameValidators } from './governance-after.ts';
export { type CommittedState, LedgerState, type StateSnapshot, type StateStorage } from './ledger-state.ts';
export * from './limits.ts';
export { Overlay } from './overlay.ts';
export { prepareAndFinalize, type PreparedBlock, prepareBlock } from './prepare.ts';
export { type ProcessedBlock, processBlock, type ProcessOptions } from './process.ts';
export type { ProofOp } from './proof.ts';
export { HISTORY_BYTES_MAX, StateHistory, VERSIONS_KEPT_MAX } from './state-history.ts';
export { StateRoot } from './state-root.ts';
export type { StateVersion } from './state-version.ts';
export { assertRulesKnown, RULES_VERSION_KNOWN, rulesVersionAt, UnknownRulesError } from './rules.ts';
export type { Currency, GovernanceState, RulesActivation, StateView, ValidatorPower } from './state.ts';
export { step } from './step.ts';
export {
  type Cancel,
  encodeTransaction,
  type Governance,
  type GovernanceAction,
  type GovernanceSignature,
  paymentMembers,
  signBytes,
  signGovernance,
  signTransaction,
  type Transaction,
  type Transfer,
  txHash,
  type Unsigned,
  withSignatures,
} from './transaction.ts';
export { HeapNodes, type NodeLevel, type TreeNodes } from './tree-nodes.ts';
export { heightOf, type Inclusion, levelSize, VectorTree } from './tree.ts';
export { isChangeWithinBound, totalPower, validatorAddress, validatorChanges } from './validators.ts';
export {
  INVALID_SIGNATURE,
  type ReadOptions,
  type SignatureCheck,
  signatureChecks,
  type Verdict,
  type VerifiedTransaction,
  type VerifyOptions,
  verifyTransaction,
} from './verify.ts';
