/** Computes who owns which field after a write: the core of structured-merge-diff's Updater. */
import type { Json, KubeObject } from '../../values/json.ts';
import { jsonEqual } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import type { Atom } from './atom.ts';
import { atomOf } from './atom.ts';
import type { Comparison } from './compare.ts';
import { compare } from './compare.ts';
import { ConflictsError, conflictsOf } from './conflicts.ts';
import type { FieldSet } from './fieldset.ts';
import { difference, EMPTY, intersection, isEmpty, recursiveDifference, union } from './fieldset.ts';
import type { Manager, ManagerId, Managers } from './managers.ts';
import { identityOf } from './managers.ts';
import { merge } from './merge.ts';
import { toFieldSet } from './own.ts';
import { reconcile, withNamedFields } from './reconcile.ts';
import { removeItems } from './remove.ts';
import type { Typed } from './typed.ts';

/** Conversions between the versions of a kind; without them, entries of other versions are dropped. */
export interface Versions {
  /** Undefined when the version is no longer served. */
  schema(apiVersion: string): Schema | undefined;
  convert(object: KubeObject, apiVersion: string): KubeObject;
}

export interface UpdaterOptions {
  readonly apiVersion: string;
  readonly atom: Atom;
  readonly versions: Versions | undefined;
  /**
   * Fields that a client cannot write through this endpoint (status on the main resource …): never owned through it.
   */
  readonly resetFields: FieldSet | undefined;
}

interface VersionedValue extends Typed {
  readonly apiVersion: string;
}

/** The changed fields of one manager's write, before the identity of its entry is known. */
export interface UpdateResult {
  readonly managers: Map<string, Manager>;
  readonly own: FieldSet;
}

export interface ApplyResult {
  readonly managers: Map<string, Manager>;
  /** Undefined when the configuration changes nothing. */
  readonly value: Json | undefined;
}

export class Updater {
  readonly #options: UpdaterOptions;

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  /** For a create, update or patch: the writer takes ownership of the changed fields from all other managers. */
  update(live: Json, object: Json, before: Managers): UpdateResult {
    const managers = this.#reconciled(before);
    const changes = this.#take(live, object, managers, undefined, true);
    return { managers, own: this.#withoutReset(union(changes.modified, changes.added)) };
  }

  /** Throws ConflictsError when others own what would change and `force` is not set. */
  apply(live: Json, config: Json, before: Managers, id: ManagerId, time: string, force: boolean): ApplyResult {
    const managers = this.#reconciled(before);
    const { atom } = this.#options;
    const merged = merge(live, config, atom) ?? null;
    const identity = identityOf(id);
    const last = managers.get(identity);
    const set = this.#withoutReset(toFieldSet({ value: config, atom }));
    managers.set(identity, { ...id, set, time: last?.time });
    const value = this.#prune(merged, managers, last);
    this.#take(live, value, managers, identity, force);
    if (jsonEqual(live, value)) return { managers, value: undefined };
    const own = managers.get(identity);
    if (own !== undefined) managers.set(identity, { ...own, time });
    return { managers, value };
  }

  #typed(value: Json): VersionedValue {
    return { value, atom: this.#options.atom, apiVersion: this.#options.apiVersion };
  }

  #convert(typed: VersionedValue, apiVersion: string): VersionedValue | undefined {
    if (typed.apiVersion === apiVersion) return typed;
    const atom = this.#atomOfVersion(apiVersion);
    if (atom === undefined || this.#options.versions === undefined) return undefined;
    return { value: this.#options.versions.convert(typed.value as KubeObject, apiVersion), atom, apiVersion };
  }

  #atomOfVersion(apiVersion: string): Atom | undefined {
    if (apiVersion === this.#options.apiVersion) return this.#options.atom;
    const schema = this.#options.versions?.schema(apiVersion);
    return schema === undefined ? undefined : atomOf(schema);
  }

  #withoutReset(set: FieldSet): FieldSet {
    return this.#options.resetFields === undefined ? set : recursiveDifference(set, this.#options.resetFields);
  }

  #reconciled(before: Managers): Map<string, Manager> {
    const out = new Map<string, Manager>();
    for (const [identity, manager] of before) {
      const atom = this.#atomOfVersion(manager.apiVersion);
      if (atom === undefined) continue;
      const set = reconcile(manager.set, atom);
      out.set(identity, set === manager.set ? manager : { ...manager, set });
    }
    return out;
  }

  #compare(before: Json, after: Json, apiVersion: string): Comparison | undefined {
    const left = this.#convert(this.#typed(before), apiVersion);
    const right = this.#convert(this.#typed(after), apiVersion);
    if (left === undefined || right === undefined) return undefined;
    const { added, modified, removed } = compare(left.value, right.value, left.atom);
    return {
      added: this.#withoutReset(added),
      modified: this.#withoutReset(modified),
      removed: this.#withoutReset(removed),
    };
  }

  /** Removes the changed fields from all managers except `writer`, and returns the changes. */
  #take(
    before: Json,
    after: Json,
    managers: Map<string, Manager>,
    writer: string | undefined,
    force: boolean,
  ): Comparison {
    const { apiVersion } = this.#options;
    const own = this.#compare(before, after, apiVersion)!;
    const comparisons = new Map<string, Comparison | undefined>([[apiVersion, own]]);
    const conflicts = new Map<string, { manager: Manager; set: FieldSet }>();
    for (const [identity, manager] of managers) {
      if (identity === writer) continue;
      if (!comparisons.has(manager.apiVersion)) {
        comparisons.set(manager.apiVersion, this.#compare(before, after, manager.apiVersion));
      }
      const changes = comparisons.get(manager.apiVersion);
      if (changes === undefined) {
        managers.delete(identity);
        continue;
      }
      const set = intersection(manager.set, union(changes.modified, changes.added));
      if (!isEmpty(set)) conflicts.set(identity, { manager, set });
    }
    if (!force && conflicts.size > 0) throw new ConflictsError(conflictsOf(conflicts));
    for (const [identity, manager] of managers) {
      if (identity === writer) continue;
      const taken = difference(manager.set, conflicts.get(identity)?.set ?? EMPTY);
      const set = difference(taken, comparisons.get(manager.apiVersion)!.removed);
      if (set !== manager.set) managers.set(identity, { ...manager, set });
    }
    for (const [identity, { set }] of managers) if (isEmpty(set)) managers.delete(identity);
    return own;
  }

  /** Removes what the applier applied last time, does not apply now, and no other manager owns. */
  #prune(merged: Json, managers: Managers, last: Manager | undefined): Json {
    if (last === undefined || isEmpty(last.set)) return merged;
    const full = this.#convert(this.#typed(merged), last.apiVersion);
    if (full === undefined) return merged;
    const bare: VersionedValue = {
      ...full,
      value: removeItems(full.value, withNamedFields(last.set, full.atom), full.atom),
    };
    const pruned = this.#addBackDangling(full, this.#addBackOwned(full, bare, managers), last);
    return this.#convert(pruned, this.#options.apiVersion)?.value ?? merged;
  }

  #addBackOwned(full: VersionedValue, bare: VersionedValue, managers: Managers): VersionedValue {
    const owned = new Map<string, FieldSet>();
    for (const { apiVersion, set } of managers.values())
      owned.set(apiVersion, union(owned.get(apiVersion) ?? EMPTY, set));
    // The version of the current object comes first: a conversion may need fields that are added back only there.
    const versions = [...owned.keys()].sort((a, b) => Number(b === full.apiVersion) - Number(a === full.apiVersion));
    let pruned = bare;
    let merged = full;
    for (const version of versions) {
      const all = this.#convert(merged, version);
      const rest = all === undefined ? undefined : this.#convert(pruned, version);
      if (all === undefined || rest === undefined) continue;
      const keep = union(named(rest), withNamedFields(owned.get(version)!, all.atom));
      pruned = { ...all, value: removeItems(all.value, difference(named(all), keep), all.atom) };
      merged = all;
    }
    return pruned;
  }

  #addBackDangling(full: VersionedValue, pruned: VersionedValue, last: Manager): VersionedValue {
    const rest = this.#convert(pruned, last.apiVersion);
    if (rest === undefined) return full;
    const gone = difference(named(full), named(rest));
    const items = intersection(gone, withNamedFields(last.set, full.atom));
    return { ...full, value: removeItems(full.value, items, full.atom) };
  }
}

const named = (typed: VersionedValue): FieldSet => withNamedFields(toFieldSet(typed), typed.atom);
