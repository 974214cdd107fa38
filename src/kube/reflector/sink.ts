/** Where a reflector puts what it reads. All but `commit` and `room` are done when they return. */
import type { KubeObject } from '../object.ts';

export interface ListVersion {
  readonly resourceVersion: string;
  /** The server's time went back: nothing that was known may be kept for being newer. */
  readonly backwards: boolean;
}

/** A list that is being read. Nobody sees it before it is whole; dropped without a word when it cannot be finished. */
export interface Collection<T extends KubeObject> {
  readonly size: number;
  add(object: T): void;
  remove(object: T): void;
  /** Puts it in the place of what was known. */
  commit(version: ListVersion, signal: AbortSignal): Promise<void>;
}

export interface Sink<T extends KubeObject> {
  begin(): Collection<T>;
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
  /** Everything up to this version has been applied. */
  advance(resourceVersion: string): void;
  /** Resolves at once unless those who read are too far behind. */
  room(signal: AbortSignal): Promise<void>;
}
