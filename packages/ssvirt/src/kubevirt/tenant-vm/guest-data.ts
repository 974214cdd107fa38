/**
 * What a guest gets at its first boot: user data, network data, public keys. All of it comes from Secrets. KubeVirt
 * limits data inside the VirtualMachine to 2048 bytes, and everyone who may read a VirtualMachine could read it there.
 */
import { defined } from '@ssvirt/base/values/defined';
import { cloudInitDisk } from './disk-names.ts';
import type { KubeLike } from './kube-like.ts';
import { machineLabels, type VmIdentity } from './labels.ts';
import { secretNames } from './names.ts';
import type { VmSpec } from './spec.ts';

type Json = Readonly<Record<string, unknown>>;

export interface GuestData {
  readonly secrets: readonly KubeLike[];
  /** For the VM's template. */
  readonly volumes: readonly Json[];
  readonly accessCredentials: readonly Json[];
}

/**
 * Cloud-init reads keys from the metadata of a NoCloud disk, and ignores such a disk without user data: this is the
 * smallest valid user data.
 */
export const noUserData = '#cloud-config\n';

export function guestData(machine: VmIdentity, { cloudInit, sshKeys = [] }: VmSpec): GuestData {
  if (cloudInit === undefined && sshKeys.length === 0) return { secrets: [], volumes: [], accessCredentials: [] };
  const names = secretNames(machine.vmName);
  const { userData = noUserData, networkData } = cloudInit ?? {};
  // One key per entry: KubeVirt treats each entry of the Secret as one key.
  const keys = Object.fromEntries(sshKeys.map((key, index) => [`key${index + 1}`, key]));
  const entries = { userdata: userData, ...defined({ networkdata: networkData }) };
  return {
    secrets: [
      secret(machine, names.cloudInit, entries),
      ...(sshKeys.length === 0 ? [] : [secret(machine, names.ssh, keys)]),
    ],
    volumes: [
      {
        name: cloudInitDisk,
        cloudInitNoCloud: {
          secretRef: { name: names.cloudInit },
          ...(networkData === undefined ? {} : { networkDataSecretRef: { name: names.cloudInit } }),
        },
      },
    ],
    accessCredentials: sshKeys.length === 0 ? [] : [publicKeys(names.ssh)],
  };
}

function publicKeys(secretName: string): Json {
  return { sshPublicKey: { source: { secret: { secretName } }, propagationMethod: { noCloud: {} } } };
}

function secret(machine: VmIdentity, name: string, texts: Readonly<Record<string, string>>): KubeLike {
  return opaqueSecret({ name, namespace: machine.namespace, labels: machineLabels(machine) }, texts);
}

export function opaqueSecret(metadata: KubeLike['metadata'], texts: Readonly<Record<string, string>>): KubeLike {
  const encoded = Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: Object.fromEntries(encoded) };
}
