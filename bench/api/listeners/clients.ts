/** `Clients` runs the processes with the listeners and exchanges messages with them. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Asked, Group, Report, Told } from './messages.ts';

/** One process for each processor of the host; with fewer, the client would be the bottleneck. */
const processes = 2;

type OfKind<K extends Told['kind']> = Extract<Told, { readonly kind: K }>;

export class Clients {
  readonly #children: readonly ChildProcess[];
  readonly #groups: readonly Group[];

  private constructor(children: readonly ChildProcess[], groups: readonly Group[]) {
    this.#children = children;
    this.#groups = groups;
  }

  static start(group: Group): Clients {
    const groups = Array.from({ length: processes }, (_, at) => ({
      ...group,
      tokens: group.tokens.filter((_token, index) => index % processes === at),
    }));
    const children = groups.map(() =>
      fork(join(import.meta.dirname, 'client-main.ts'), {
        execArgv: ['--disable-warning=ExperimentalWarning'],
        serialization: 'advanced',
      }),
    );
    return new Clients(children, groups);
  }

  /** Resolves when all listen. */
  open(): Promise<void> {
    return this.#all('listening', (_child, at) => ({ kind: 'open', ...this.#groups[at]! }));
  }

  /**
   * Resolves when this many changes have reached each listener, or at the timeout. The report shows what is missing.
   */
  async arrived(changes: number, withinMs: number): Promise<void> {
    const expect = (_child: ChildProcess, at: number): Asked => ({
      kind: 'expect',
      arrivals: changes * (this.#groups[at]?.tokens.length ?? 0),
    });
    await Promise.race([this.#all('arrived', expect), new Promise<void>((wake) => setTimeout(wake, withinMs).unref())]);
  }

  leave(): Promise<void> {
    return this.#all('left', () => ({ kind: 'leave' }));
  }

  return(): Promise<void> {
    return this.#all('listening', () => ({ kind: 'return' }));
  }

  /** Resolves when all listen again after the next loss of connections. */
  async back(): Promise<void> {
    await Promise.all(this.#children.map((child) => told(child, 'listening')));
  }

  async report(committed: readonly number[]): Promise<Report> {
    const reports = await Promise.all(
      this.#children.map((child) => asked(child, { kind: 'report', committed }, 'report')),
    );
    const sum = (of: (report: Report) => number): number => reports.reduce((total, report) => total + of(report), 0);
    const latencies = new Float32Array(sum((report) => report.latencies.length));
    let at = 0;
    for (const report of reports) {
      latencies.set(report.latencies, at);
      at += report.latencies.length;
    }
    return {
      latencies: latencies.toSorted(),
      arrived: sum(({ arrived }) => arrived),
      twice: sum(({ twice }) => twice),
      resets: sum(({ resets }) => resets),
      cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    };
  }

  stop(): void {
    for (const child of this.#children) child.kill();
  }

  async #all(kind: Told['kind'], ask: (child: ChildProcess, at: number) => Asked): Promise<void> {
    await Promise.all(this.#children.map((child, at) => asked(child, ask(child, at), kind)));
  }
}

function asked<K extends Told['kind']>(child: ChildProcess, ask: Asked, kind: K): Promise<OfKind<K>> {
  const answer = told(child, kind);
  child.send(ask);
  return answer;
}

const deadlineMs = 120_000;

function told<K extends Told['kind']>(child: ChildProcess, kind: K): Promise<OfKind<K>> {
  const { promise, resolve, reject } = Promise.withResolvers<OfKind<K>>();
  const late = setTimeout(
    () => reject(new Error(`listeners did not say "${kind}" within ${deadlineMs / 1000} s`)),
    deadlineMs,
  );
  const hear = (message: Told): void => {
    if (message.kind === kind) resolve(message as OfKind<K>);
  };
  const end = (): void => reject(new Error('a process with listeners has ended; what it says stands above'));
  child.on('message', hear);
  child.once('exit', end);
  return promise.finally(() => {
    clearTimeout(late);
    child.off('message', hear);
    child.off('exit', end);
  });
}
