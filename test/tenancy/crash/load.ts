/** Callers that create and change objects one after another, and remember the answers. */
import { defined } from '@ssvirt/base/values/defined';
import { setTimeout as pause } from 'node:timers/promises';
import { newName, type ReplicaHarness } from './harness.ts';
import type { Replica } from './replica.ts';
import type { Told } from '../../processes/api-server.ts';

/** An answer, or what came instead of one. */
export interface Heard {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: unknown;
  readonly tookMs: number;
  readonly text: string;
}

/** An acknowledged change: a read must show these fields. */
export interface Acknowledged {
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const orgs = '/cloudapi/1.0.0/orgs';
const users = '/cloudapi/1.0.0/users';

export class Load {
  readonly heard: Heard[] = [];
  readonly acknowledged = new Map<string, Acknowledged>();
  /** The names of the acknowledged VDCs. */
  readonly vdcs: string[] = [];
  readonly #harness: ReplicaHarness;
  readonly #everyMs: number;
  readonly #ended: Promise<unknown>;
  #isOver = false;

  /** Each caller pauses for `everyMs` between its requests, so that the host has time for other processes. */
  constructor(harness: ReplicaHarness, everyMs: number) {
    this.#harness = harness;
    this.#everyMs = everyMs;
    const works = [
      (replica: Replica) => this.#organization(replica),
      (replica: Replica) => this.#user(replica),
      (replica: Replica) => this.#vdc(replica),
    ];
    this.#ended = Promise.all(harness.replicas.flatMap((replica) => works.map((work) => this.#repeat(replica, work))));
  }

  /** The number of answers that match, after the first `since`. */
  count(isSo: (heard: Heard) => boolean, since = 0): number {
    return this.heard.slice(since).filter(isSo).length;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }

  /** The acknowledged changes that a read does not show. */
  async lost(): Promise<readonly string[]> {
    const [replica] = this.#harness.replicas;
    const lost: string[] = [];
    for (const { path, fields } of this.acknowledged.values()) {
      const { status, body } = await this.#harness.ask(replica, 'GET', path);
      const isSame = Object.entries(fields).every(([name, value]) => body[name] === value);
      if (status !== 200 || !isSame)
        lost.push(`${path}: ${status} ${JSON.stringify(body)}, not ${JSON.stringify(fields)}`);
    }
    return lost;
  }

  async #repeat(replica: Replica, work: (replica: Replica) => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await work(replica);
      await pause(this.#everyMs);
    }
  }

  async #organization(replica: Replica): Promise<void> {
    const name = newName();
    const made = await this.#ask(replica, 'POST', orgs, { name, description: 'first' });
    if (made?.status !== 201) return;
    const path = `${orgs}/${String(made.body['id'])}`;
    this.acknowledged.set(path, { path, fields: { name, description: 'first' } });
    await this.#change(replica, path, { description: 'second' });
  }

  async #user(replica: Replica): Promise<void> {
    const username = newName();
    const made = await this.#ask(replica, 'POST', users, { username, fullName: 'First' });
    if (made?.status !== 201) return;
    const path = `${users}/${String(made.body['id'])}`;
    this.acknowledged.set(path, { path, fields: { username, fullName: 'First' } });
    await this.#change(replica, path, { fullName: 'Second' });
  }

  async #vdc(replica: Replica): Promise<void> {
    const name = newName();
    const made = await this.#ask(replica, 'POST', this.#harness.vdcsPath, { name, vmQuota: 1 });
    if (made?.status !== 202) return;
    this.vdcs.push(name);
    const path = `${this.#harness.vdcsPath}/${String(made.body['id'])}`;
    this.acknowledged.set(path, { path, fields: { name, vmQuota: 1 } });
    await this.#change(replica, path, { vmQuota: 2 });
  }

  async #change(replica: Replica, path: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const before = this.acknowledged.get(path);
    // A change without an answer may have been made or not.
    const { name, username } = before?.fields ?? {};
    const sure = defined({ name, username });
    this.acknowledged.set(path, { path, fields: sure });
    const told = await this.#ask(replica, 'PUT', path, fields);
    if (told !== undefined && told.status < 300) this.acknowledged.set(path, { path, fields: { ...sure, ...fields } });
  }

  async #ask(replica: Replica, method: 'POST' | 'PUT', path: string, body: object): Promise<Told | undefined> {
    const began = performance.now();
    const note = (status: number, retryAfter: unknown, text: string): void => {
      this.heard.push({ what: `${method} ${path}`, status, retryAfter, tookMs: performance.now() - began, text });
    };
    try {
      const told = await this.#harness.ask(replica, method, path, { body });
      note(told.status, told.headers['retry-after'], told.status < 300 ? '' : JSON.stringify(told.body));
      return told;
    } catch (error) {
      note(0, undefined, String(error));
      return undefined;
    }
  }
}
