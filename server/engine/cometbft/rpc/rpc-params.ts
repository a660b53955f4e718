/**
 * Encodes decoded arguments in the JSON that CometBFT reads: 64-bit integers as strings, bytes in base64 or hex, evidence as it is. Absent
 * ones are left out.
 */
import { Arguments } from '../../rpc/arguments.ts';
import { base64 } from '../../rpc/go-json.ts';
import { RPC_METHODS, type RpcArguments, type RpcMethod, type RpcParamType } from '../../port.ts';

function valueText(type: RpcParamType, name: string, args: Arguments): string {
  switch (type) {
    case 'int64':
    case 'int':
    case 'uint':
      return `"${args.integer(name)}"`;
    case 'bool':
      return String(args.boolean(name));
    case 'string':
      return JSON.stringify(args.text(name));
    case 'hexbytes':
      return `"${Buffer.from(args.bytes(name)).toString('hex')}"`;
    case 'bytes':
    case 'tx':
      return `"${base64(args.bytes(name))}"`;
    case 'evidence':
      // The transport has parsed it as JSON, and its text is as written.
      return args.text(name);
  }
}

/** Text of the object of parameters. Throws an RpcFailure when an argument is not of the type that its method declares. */
export function paramsText(method: RpcMethod, given: RpcArguments): string {
  const args = new Arguments(given);
  const members = RPC_METHODS[method].params
    .filter(({ name }) => given[name] !== undefined)
    .map(({ name, type }) => `${JSON.stringify(name)}:${valueText(type, name, args)}`);
  return `{${members.join(',')}}`;
}
