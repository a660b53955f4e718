/**
 * Refuses a request that the node should not have made: answered by an exception, after which CometBFT stops itself. The application is
 * intact and keeps running, because the node's next start may send a correct request. Everything else that is thrown is a defect and ends
 * the process.
 */
export class AbciRefusal extends Error {
  override readonly name = 'AbciRefusal';
}
