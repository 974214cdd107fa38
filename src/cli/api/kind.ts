import type { View } from '../output/view.ts';
import type { Entity } from './entities.ts';

/** One kind of thing of the API: where it is listed, how it is named, and how it is shown. */
export interface Kind<T extends Entity> {
  /** As in `ssvirt vm`. */
  readonly noun: string;
  readonly singular: string;
  /** Of the list; one of them is below it. */
  readonly path: string;
  /** In its URN. */
  readonly urn: string;
  /** The field that names are looked for in; absent where there are no names. */
  readonly nameField?: 'name' | 'username';
  /** In the stream of events; absent where nothing is told. */
  readonly event?: string;
  readonly view: View<T>;
  /** Where it is, for who has to choose between two of one name. */
  readonly whereabouts?: (one: T) => string;
}

const uuid = /^(?:urn:vcloud:[a-zA-Z]+:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The URN of what was named by one, or by the bare uuid; undefined where it is a name. */
export function urnIn(kind: Pick<Kind<Entity>, 'urn'>, given: string): string | undefined {
  const id = uuid.exec(given)?.[1];
  return id === undefined ? undefined : `urn:vcloud:${kind.urn}:${id}`;
}

export function pathTo(kind: Pick<Kind<Entity>, 'path'>, id: string): string {
  return `${kind.path}/${id}`;
}
