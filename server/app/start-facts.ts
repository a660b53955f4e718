/** Details of a start in the audit trail. @module */
export interface StartFacts {
  /** Version of this program. */
  version: string;
  command: 'start' | 'serve';
  chainId: string;
  /** The configuration that results from the environment, without secrets. */
  configuration: Readonly<Record<string, string>>;
}
