/** Objects that other servers keep behind APIServices, as far as the controllers of the control plane have to do with them. */
import type { KubeObject } from '../json.ts';

export interface RemoteKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** A write went to another server. */
export interface RemoteWrite {
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  readonly namespace: string;
  /** Empty where it was for many. */
  readonly name: string;
}

export interface RemoteObjects {
  /** Every kind once, whatever the number of its versions. */
  kinds(): readonly RemoteKind[];
  /** Groups and versions whose server does not answer: nobody knows what they have. */
  unknown(): readonly string[];
  kindOf(apiVersion: string, kind: string): RemoteKind | undefined;
  /** All of these throw where the server cannot be reached, or refuses. */
  list(kind: RemoteKind, namespace: string): Promise<readonly KubeObject[]>;
  find(kind: RemoteKind, namespace: string, name: string): Promise<KubeObject | undefined>;
  deleteAll(kind: RemoteKind, namespace: string): Promise<void>;
  /** A merge patch; nothing where the object is gone or has changed since. */
  patch(kind: RemoteKind, object: KubeObject, change: KubeObject['metadata']): Promise<void>;
  onWritten(listener: (write: RemoteWrite) => void): void;
}

/** Where there are no other servers. */
export const noRemoteObjects: RemoteObjects = {
  kinds: () => [],
  unknown: () => [],
  kindOf: () => undefined,
  list: () => Promise.resolve([]),
  find: () => Promise.resolve(undefined),
  deleteAll: () => Promise.resolve(),
  patch: () => Promise.resolve(),
  onWritten: () => {},
};
