/**
 * HTTP as a client under load speaks it: over connections that are kept, and cheap enough that the load does not take
 * the cores from what it is put to.
 */
import { Agent, request } from 'node:http';

/** To one gateway, for each purpose. */
const CONNECTIONS_MAX = 64;

export interface Answer {
  status: number;
  /** Parsed JSON, or undefined. */
  body: any;
}

export interface Asked {
  method?: 'GET' | 'POST' | 'DELETE';
  token: string;
  body?: string;
  headers?: Record<string, string>;
  msMax: number;
  /** What is asked for one purpose does not wait for a connection behind what is asked for another. */
  purpose?: 'load' | 'probe';
}

const agents = new Map<string, Agent>();

function agentOf(base: string, purpose: string): Agent {
  const key = `${purpose} ${base}`;
  const agent = agents.get(key) ?? new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  agents.set(key, agent);
  return agent;
}

/** @returns undefined when there was no whole answer in time: what became of the request is not known. */
export function ask(
  base: string,
  route: string,
  { method = 'GET', token, body, headers, msMax, purpose = 'load' }: Asked,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const none = (): void => resolve(undefined);
    const json =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const outgoing = request(
      base + route,
      {
        method,
        agent: agentOf(base, purpose),
        headers: { authorization: `Bearer ${token}`, ...json, ...headers },
        signal: AbortSignal.timeout(msMax),
      },
      (incoming) => {
        let text = '';
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
        incoming.once('error', none);
        incoming.once('end', () => {
          try {
            resolve({ status: incoming.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
          } catch {
            none();
          }
        });
      },
    );
    outgoing.once('error', none);
    outgoing.end(body);
  });
}

/** Closes what was kept, so that the process can end. */
export function closeConnections(): void {
  for (const agent of agents.values()) agent.destroy();
  agents.clear();
}
