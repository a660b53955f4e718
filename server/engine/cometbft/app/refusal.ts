/**
 * A request that the node must not have made: answered by an exception, after which CometBFT stops itself. The application is whole and
 * stays, because the node's next start may well be right. Everything else that is thrown is a defect and ends the process.
 */
export class AbciRefusal extends Error {
  override readonly name = 'AbciRefusal';
}
