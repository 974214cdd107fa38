/** `KubeLike` is an object as it is sent to a cluster. */
export interface KubeLike {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerLike[];
  };
  readonly [field: string]: unknown;
}

export interface OwnerLike {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export const kubevirtVersion = 'kubevirt.io/v1';
export const cdiVersion = 'cdi.kubevirt.io/v1beta1';
