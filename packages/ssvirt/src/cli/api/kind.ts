import type { TypedClient } from '@ssvirt/api-client/client';
import type { View } from '../output/view.ts';
import type { Changed, Entity, PowerAction } from './entities.ts';
import type { PageRequest } from './pages.ts';

/** One kind of API object: how it is read, how it is named, and how it is shown. */
export interface Kind<T extends Entity> {
  /** The noun of the command, as in `ssvirt vm`. */
  readonly noun: string;
  readonly singular: string;
  readonly list: PageRequest<T>;
  readonly get: (api: TypedClient, id: string) => Promise<T>;
  /** The type in its URN. */
  readonly urn: string;
  /** The field that holds the name; absent if the objects have no name. */
  readonly nameField?: 'name' | 'username';
  /** The type in the event stream; absent if it has no events. */
  readonly event?: string;
  readonly view: View<T>;
  /** Where the object is, to tell two objects with the same name apart. */
  readonly whereabouts?: (one: T) => string;
}

/** `Condition` tells whether an object runs, and what is wrong with it. */
export interface Condition {
  readonly status: string;
  readonly isStale: boolean;
  /** It does not reach the desired state by itself, or not soon. */
  readonly hasFailed: boolean;
  /** Why it does not run, or why its status is stale. */
  readonly why?: string | undefined;
}

export interface DeletableKind<T extends Entity> extends Kind<T> {
  /** Resolves to the object with its task if a cluster must follow, otherwise to undefined. */
  readonly delete: (
    api: TypedClient,
    one: T,
    options: { readonly force?: true },
  ) => Promise<Changed<Entity> | undefined>;
}

export interface PoweredKind<T extends Entity> extends Kind<T> {
  readonly condition: (one: T) => Condition;
  /** Those that `condition` may have. */
  readonly statuses: readonly string[];
  readonly power: (api: TypedClient, id: string, action: PowerAction) => Promise<Changed<T>>;
}

const uuid = /^(?:urn:vcloud:[a-zA-Z]+:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** `urnIn` returns the URN if `given` is a URN or a bare UUID; undefined if it is a name. */
export function urnIn(kind: Pick<Kind<Entity>, 'urn'>, given: string): string | undefined {
  const id = uuid.exec(given)?.[1];
  return id === undefined ? undefined : `urn:vcloud:${kind.urn}:${id}`;
}
