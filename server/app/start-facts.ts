/** Details of a start in the audit trail. @module */
export interface StartFacts {
  /** Of this program. */
  version: string;
  command: 'start' | 'serve';
  chainId: string;
  /** The environment that the configuration comes to, without secrets. */
  configuration: Readonly<Record<string, string>>;
}
