/**
 * The Secrets of an order, with the keys of AAP's role. Values are in `data`: a server does not keep which fields of
 * `stringData` were applied, and by whom.
 */
import type { KubeLike } from '../../tenant-vm/kube-like.ts';
import { childMetadata, type OrderIdentity } from '../identity.ts';
import { childNames } from '../child-names.ts';
import type { OrderParameters } from './order-parameters.ts';

export function buildCloudInitSecret(identity: OrderIdentity, { userData }: OrderParameters): KubeLike {
  return opaque(identity, childNames(identity).cloudInitSecret, 'userData', userData);
}

/** `buildSshKeySecret` returns undefined if no key is given. */
export function buildSshKeySecret(identity: OrderIdentity, { sshPublicKey }: OrderParameters): KubeLike | undefined {
  return sshPublicKey === undefined
    ? undefined
    : opaque(identity, childNames(identity).sshKeySecret, 'ssh-public-key', sshPublicKey);
}

function opaque(identity: OrderIdentity, name: string, key: string, value: string): KubeLike {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: childMetadata(identity, name),
    type: 'Opaque',
    data: { [key]: Buffer.from(value, 'utf8').toString('base64') },
  };
}
