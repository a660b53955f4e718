/** The raw Express server of `express.child.ts`, as a process. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endChild } from '../../support/child-process.ts';
import type { Answers } from './express.child.ts';

export class ExpressServer {
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(answers: Answers): Promise<ExpressServer> {
    const child = fork(fileURLToPath(new URL('express.child.ts', import.meta.url)), { execArgv: [] });
    child.send(answers);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new ExpressServer(child, port);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async stop(): Promise<void> {
    await endChild(this.#child, 'SIGKILL');
  }
}
