/** Tokens that some promises need besides that of the development server: for reading only, of another owner, a revoked one, and one that manages tokens. */
import { call, txledger, type Server } from '../e2e/support/server.ts';

export interface NewTokens {
  readToken: string;
  otherToken: string;
  revokedToken: string;
  adminToken: string;
}

export async function newTokens(server: Server): Promise<NewTokens> {
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await txledger(['token', ...args], server.storeVariables);
    if (code !== 0) throw new Error(`txledger token ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const create = async (owner: string, ...scopes: string[]): Promise<string> => {
    const output = await run('create', '--owner', owner, ...scopes.flatMap((scope) => ['--scope', scope]));
    const [token] = /txl_[0-9a-f]+_[0-9a-f]+/.exec(output) ?? [];
    if (token === undefined) throw new Error(`txledger token create printed no token: ${output}`);
    return token;
  };
  const readToken = await create('reader', 'transactions:read');
  const otherToken = await create('another', 'transactions:read', 'transactions:write');
  const adminToken = await create('admin', 'transactions:read', 'transactions:write', 'rpc:broadcast', 'access:manage');
  const revokedToken = await create('revoked', 'transactions:read');
  await run('revoke', revokedToken.split('_')[1] ?? '');
  // A revocation holds in every gateway within 5 s.
  for (let status = 200; status === 200;)
    ({ status } = await call(`${server.baseUrl}/transactions`, { token: revokedToken }));
  return { readToken, otherToken, revokedToken, adminToken };
}
