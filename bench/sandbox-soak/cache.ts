/**
 * A watch-based cache like an informer: it lists, watches from there with bookmarks, resumes after every end, and lists
 * again when the server no longer has the events since its position.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { Dice } from '../../test/conformance/dice.ts';
import { Connection } from '../sandbox/connection.ts';
import { Caller } from './caller.ts';
import { Contents } from './contents.ts';
import { WatchStream } from './watch-stream.ts';
import { pause, type World } from './world.ts';

export interface Place {
  readonly path: string;
  readonly selector?: string;
}

/** Small pages, so that compactions happen between pages. */
const pageSize = 25;
/** A watch that is silent for this long after its time limit is dead, whatever state its connection reports. */
const grace = 1500;

/** How often a cache starts over after a watch for no reason, as after a restart of its process. */
const relistShare = 0.1;

type ListForm = 'whole' | 'pages' | 'stream';

export class Cache {
  readonly title: string;
  readonly place: Place;
  readonly contents = new Contents();
  readonly #world: World;
  readonly #dice: Dice;
  readonly #caller: Caller;
  readonly #longest: number;
  #listed = false;

  constructor(world: World, id: number, place: Place, longestWatch: number) {
    this.#world = world;
    this.place = place;
    this.title = `cache ${id} of ${place.path}${place.selector === undefined ? '' : ` where ${place.selector}`}`;
    this.#dice = new Dice(world.dice.below(1e9));
    this.#caller = new Caller(world);
    this.#longest = longestWatch;
  }

  /** An announced reset of the revision: everything seen so far is void. */
  forget(): void {
    this.#listed = false;
    this.contents.revision = 0;
  }

  async run(): Promise<void> {
    const { watching } = this.#world;
    while (!this.#world.stopping) {
      const progress = await watching.step(() => this.#step());
      if (!progress) await pause(20 + this.#dice.below(200));
    }
    this.#caller.close();
  }

  async #step(): Promise<boolean> {
    if (!this.#listed) {
      const form = this.#dice.pick(['whole', 'pages', 'stream'] satisfies ListForm[]);
      if (form === 'stream') return this.#watch(true);
      return form === 'whole' ? this.#list() : this.#listPages();
    }
    return this.#watch(false);
  }

  async #list(): Promise<boolean> {
    const began = performance.now();
    // As client-go does: not older than what was seen, and any version when that is refused.
    const from = this.contents.revision > 0 && this.#dice.chance(0.5) ? String(this.contents.revision) : '';
    const answer = await this.#get({ resourceVersion: from }, from === '' ? [200] : [200, 504]);
    if (answer === undefined) return false;
    this.#take(answer.items, Number(answer.metadata.resourceVersion), began);
    return true;
  }

  async #listPages(): Promise<boolean> {
    const began = performance.now();
    const items: KubeObject[] = [];
    let token = '';
    do {
      const page = await this.#get({ limit: String(pageSize), continue: token }, token === '' ? [200] : [200, 410]);
      if (page === undefined) return false;
      items.push(...page.items);
      token = page.metadata.continue ?? '';
      if (token === '') this.#take(items, Number(page.metadata.resourceVersion), began);
    } while (token !== '');
    return true;
  }

  async #get(query: Readonly<Record<string, string>>, expected: readonly number[]): Promise<List | undefined> {
    const outcome = await this.#caller.send({ method: 'GET', path: this.#url(query) }, expected);
    return outcome.is === 'answer' && outcome.status === 200 ? (outcome.body as unknown as List) : undefined;
  }

  #take(items: readonly KubeObject[], revision: number, began: number): void {
    const { desk, violations, counts } = this.#world;
    counts.lists++;
    if (revision < this.contents.revision && !desk.wasOn('stale-list', began))
      violations.add(`${this.title}: a list at ${revision} came after ${this.contents.revision}`);
    this.contents.replace(items, revision);
    this.#listed = true;
  }

  /** One watch, until something ends it. */
  async #watch(initial: boolean): Promise<boolean> {
    const began = performance.now();
    const connection = await this.#connect(began);
    if (connection === undefined) return false;
    const seconds = 1 + this.#dice.below(this.#longest);
    const stream = new WatchStream(this.#world, this.contents, {
      title: this.title,
      initial,
      take: (items, revision) => this.#take(items, revision, began),
    });
    const stop = this.#world.watching.onClosing(() => stream.end({ relist: false, orderly: true }));
    const timer = setTimeout(() => stream.silent(), seconds * 1000 + grace);
    connection.watch(this.#watchUrl(initial, seconds), stream);
    const { relist, orderly } = await stream.over;
    clearTimeout(timer);
    stop();
    connection.close();
    if (relist || this.#dice.chance(relistShare)) this.#listed = false;
    this.#world.counts.resumed++;
    return orderly;
  }

  async #connect(began: number): Promise<Connection | undefined> {
    try {
      return await Connection.open(this.#world.sandbox.credentials);
    } catch (error) {
      if (!this.#world.desk.explainsCut(began)) this.#world.suspect(`${this.title}: ${String(error)}`);
      return undefined;
    }
  }

  #watchUrl(initial: boolean, seconds: number): string {
    const from: Record<string, string> = initial
      ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
      : { resourceVersion: String(this.contents.revision) };
    return this.#url({ watch: '1', allowWatchBookmarks: 'true', timeoutSeconds: String(seconds), ...from });
  }

  #url(query: Readonly<Record<string, string>>): string {
    const all = { ...query, ...defined({ labelSelector: this.place.selector }) };
    return `${this.place.path}?${new URLSearchParams(all).toString()}`;
  }
}

interface List extends JsonObject {
  items: KubeObject[];
  metadata: JsonObject & { resourceVersion: string; continue?: string };
}
