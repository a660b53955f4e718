/** An issuer of JWTs on loopback: its keys, its key set over HTTP, and tokens that it signs. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const ISSUER = 'https://login.example/';
export const AUDIENCE = 'https://ledger.example';

export interface IssuedKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

export async function makeKey(alg: string, kid: string): Promise<IssuedKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

export class Issuer {
  /** What the key set holds now. */
  keys: JWK[] = [];
  /** Answers in place of the key set. */
  instead: { status: number; body: string; headers?: Record<string, string> } | undefined;
  asked = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((_, response) => {
      this.asked += 1;
      const { status, body, headers } = this.instead ?? { status: 200, body: JSON.stringify({ keys: this.keys }) };
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
    });
  }

  static async start(): Promise<Issuer> {
    const issuer = new Issuer();
    await new Promise<void>((resolve) => issuer.#server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/jwks.json`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export interface TokenParts {
  header?: Record<string, unknown>;
  /** Undefined takes a claim away. */
  claims?: Record<string, unknown>;
}

/** Valid for ten minutes from `nowS`, unless the parts say otherwise. */
export async function signed(
  key: Pick<IssuedKey, 'kid' | 'alg' | 'privateKey'>,
  nowS: number,
  { header = {}, claims = {} }: TokenParts = {},
): Promise<string> {
  const payload = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'acme',
    iat: nowS,
    exp: nowS + 600,
    jti: 'one',
    scope: 'transactions:read transactions:write',
    ...claims,
  };
  const kept = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
  return await new SignJWT(kept)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header } as never)
    .sign(key.privateKey);
}
