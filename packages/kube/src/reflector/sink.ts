/** `ReflectorSink` is where a reflector puts what it reads. All methods but `commit` and `room` are synchronous. */
import type { KubeObject } from '../object.ts';

export interface ListVersion {
  readonly resourceVersion: string;
  /** The server's versions went backwards: no known object may be kept for being newer. */
  readonly backwards: boolean;
}

/** `Collection` is a list that is being read. It is invisible until committed; an unfinished one is dropped silently. */
export interface Collection<T extends KubeObject> {
  readonly size: number;
  add(object: T): void;
  remove(object: T): void;
  /** Replaces the known objects with the collection. */
  commit(version: ListVersion, signal: AbortSignal): Promise<void>;
}

export interface ReflectorSink<T extends KubeObject> {
  begin(): Collection<T>;
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
  /** Everything up to this version has been applied. */
  advance(resourceVersion: string): void;
  /** Resolves at once, unless the consumers are too far behind. */
  room(signal: AbortSignal): Promise<void>;
}
