/** The objects of other servers behind APIServices, as far as the control plane's controllers need them. */
import type { KubeObject } from '../../values/json.ts';

export interface RemoteKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** A write that was forwarded to another server. */
export interface RemoteWrite {
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  readonly namespace: string;
  /** Empty for a write to several objects. */
  readonly name: string;
}

export interface RemoteObjects {
  /** Every kind once, regardless of how many versions it has. */
  kinds(): readonly RemoteKind[];
  /** Groups and versions whose server does not answer, so that their objects are unknown. */
  unknown(): readonly string[];
  kindOf(apiVersion: string, kind: string): RemoteKind | undefined;
  /** All of these throw when the server cannot be reached or rejects the request. */
  list(kind: RemoteKind, namespace: string): Promise<readonly KubeObject[]>;
  find(kind: RemoteKind, namespace: string, name: string): Promise<KubeObject | undefined>;
  deleteAll(kind: RemoteKind, namespace: string): Promise<void>;
  /** A merge patch; does nothing when the object is gone or has changed. */
  patch(kind: RemoteKind, object: KubeObject, change: KubeObject['metadata']): Promise<void>;
  onWritten(listener: (write: RemoteWrite) => void): void;
}

/** For a cluster without other servers. */
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
