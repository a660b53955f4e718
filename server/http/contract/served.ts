/** The served contract if the operator has set the public URL: `servers` begins with it, so that tools send requests to the right URL. */
import type { ContractBundle } from './bundle.ts';

type ServedContract = Pick<ContractBundle, 'json' | 'yaml' | 'clientJson'>;

/** Returns the contract; without a public URL it is byte for byte as generated. */
export function servedContract(contract: ContractBundle, publicUrl: string | undefined): ServedContract {
  if (publicUrl === undefined) return contract;
  // Paths of the contract begin with a slash.
  const url = publicUrl.replace(/\/$/, '');
  return {
    json: replaced(contract.json, /("servers": \[\s*\{\s*"url": )"\/"/, `$1${JSON.stringify(url)}`),
    clientJson: replaced(contract.clientJson, /("servers": \[\s*\{\s*"url": )"\/"/, `$1${JSON.stringify(url)}`),
    yaml: replaced(contract.yaml, /^(servers:\n\s*- url: )\/$/m, `$1${url}`),
  };
}

/** Replaces only `servers`: the order, the comments and the spacing of the document are kept. */
function replaced(bytes: Buffer, servers: RegExp, by: string): Buffer {
  const text = bytes.toString('utf8');
  const changed = text.replace(servers, by);
  if (changed === text) throw new Error('the contract does not begin its servers with /');
  return Buffer.from(changed);
}
