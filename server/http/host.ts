/**
 * Checks the Host and Origin of a request.
 *
 * A service on loopback is reachable from every web page its user visits: a page can rebind its own name to 127.0.0.1, and can send simple
 * requests anywhere. The Host must therefore be listed by the operator, and a request with an Origin must come from this service or from an
 * origin in CORS_ORIGINS.
 */

export class Hosts {
  readonly #allowed: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor(allowedHosts: readonly string[], corsOrigins: readonly string[]) {
    this.#allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
    this.#origins = new Set(
      corsOrigins.map((text) => {
        const origin = URL.parse(text)?.origin;
        if (origin === undefined || origin === 'null')
          throw new Error(`Not an origin such as https://app.example.org: ${text}`);
        return origin;
      }),
    );
  }

  allowsHost(host: string | undefined): boolean {
    if (host === undefined) return false;
    if (this.#allowed.has(host)) return true;
    const name = HOST.exec(host.toLowerCase())?.[1];
    return name !== undefined && (this.#allowed.has(name) || this.#allowed.has(host.toLowerCase()));
  }

  /** True for an origin of CORS_ORIGINS: only its pages may read answers. */
  isCorsOrigin(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** The scheme is not compared: behind a proxy that terminates TLS this process cannot determine it. */
  allowsOrigin(origin: string, host: string): boolean {
    if (this.#origins.has(origin)) return true;
    const url = URL.parse(origin);
    if (url === null || url.host === '' || url.origin !== origin.toLowerCase()) return false;
    const own = host.toLowerCase();
    return url.host === own || `${url.host}:${url.protocol === 'https:' ? '443' : '80'}` === own;
  }
}

/** A name, an IPv4 address or a bracketed IPv6 address, with or without a port (RFC 9110 section 7.2). */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;
