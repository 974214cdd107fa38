/** A config schema consists of sections of keys. The type of the loaded config follows from it. */
import type { ValueType } from './values.ts';

/**
 * The processes of the one executable; `cli` is a command in a user's terminal, `database` a command that works on the
 * database.
 */
export const processNames = [
  'api-server',
  'vm-controller',
  'machine-operator',
  'cloudkit-operator',
  'sandbox',
  'dev',
  'cli',
  'database',
] as const;

export type Process = (typeof processNames)[number];

/** A foreign environment name that one process still reads; the key's own SSVIRT_ name takes precedence. */
export interface Alias {
  readonly env: string;
  readonly process: Process;
}

export interface Key<V = unknown> {
  readonly kind: 'key';
  readonly type: ValueType<unknown>;
  /** One sentence for the people who operate the process. */
  readonly doc: string;
  /** In the form in which a person writes it. */
  readonly default?: string;
  readonly required: boolean;
  readonly aliases: readonly Alias[];
  /** Carries the type of the value; never set. */
  readonly value?: V;
}

export type SectionMembers = Readonly<Record<string, Key | Section>>;

export interface Section<M extends SectionMembers = SectionMembers> {
  readonly kind: 'section';
  readonly doc: string;
  /**
   * The processes that read this section, if not all do. If only one process reads a section, its flags omit the
   * section name.
   */
  readonly readBy?: readonly Process[];
  readonly members: M;
}

/** `Infer` is the config that a schema describes. */
export type Infer<T> =
  T extends Section<infer M> ? { readonly [K in keyof M]: Infer<M[K]> } : T extends Key<infer V> ? V : never;

interface KeyFields {
  readonly doc: string;
  readonly aliases?: readonly Alias[];
}

export function key<T>(type: ValueType<T>, fields: KeyFields & { readonly default: string }): Key<T>;
export function key<T>(type: ValueType<T>, fields: KeyFields & { readonly required: true }): Key<T>;
export function key<T>(type: ValueType<T>, fields: KeyFields): Key<T | undefined>;
export function key<T>(
  type: ValueType<T>,
  fields: KeyFields & { readonly default?: string; readonly required?: true },
): Key<T | undefined> {
  return { kind: 'key', type, required: false, aliases: [], ...fields };
}

export function section<M extends SectionMembers>(doc: string, members: M, ...readBy: readonly Process[]): Section<M> {
  return { kind: 'section', doc, members, ...(readBy.length === 0 ? {} : { readBy }) };
}

/** One key with everything that follows from its place in the schema. */
export interface Entry {
  /** Such as `sandbox.eventWindow`. */
  readonly path: string;
  readonly key: Key;
  /** Such as `SSVIRT_SANDBOX_EVENT_WINDOW`. */
  readonly env: string;
  /** Such as `--event-window` for the sandbox, `--log-level` for all. */
  readonly flag: string;
  /** The processes that read it, or undefined if all do. */
  readonly readBy: readonly Process[] | undefined;
}

export function entriesOf(schema: Section): readonly Entry[] {
  return collect(schema, [], [], undefined);
}

function collect(
  { members }: Section,
  names: readonly string[],
  flagNames: readonly string[],
  readBy: readonly Process[] | undefined,
): readonly Entry[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const path = [...names, name];
    const flag = [...flagNames, name];
    if (member.kind === 'section') {
      return collect(member, path, member.readBy?.length === 1 ? flagNames : flag, member.readBy ?? readBy);
    }
    return [{ path: path.join('.'), key: member, env: envName(path), flag: `--${flag.map(kebab).join('-')}`, readBy }];
  });
}

/** `isReadBy` returns whether the process (or any process, without one) reads the key. */
export function isReadBy({ readBy }: Entry, process: Process | undefined): boolean {
  return process === undefined || readBy === undefined || readBy.includes(process);
}

function envName(path: readonly string[]): string {
  return ['SSVIRT', ...path.map((name) => kebab(name).replaceAll('-', '_').toUpperCase())].join('_');
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
