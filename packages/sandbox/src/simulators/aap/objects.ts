/** The objects of the roles `osac.templates.ocp_virt_vm` and `osac.massopencloud.ocp_virt_vm`, field by field. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { RoleParameters } from './payload.ts';

export interface Place {
  readonly name: string;
  readonly namespace: string;
  /** The label that all objects carry. */
  readonly label: Readonly<Record<string, string>>;
}

export function cloudInitSecret(place: Place, { cloudInit }: RoleParameters): Unstructured {
  return { ...secret(place, `${place.name}-cloud-init`), data: { userData: cloudInit } };
}

export function sshKeySecret(place: Place, { sshPublicKey }: RoleParameters): Unstructured {
  const data = { 'ssh-public-key': Buffer.from(sshPublicKey).toString('base64') };
  return { ...secret(place, `${place.name}-ssh-public-key`), data };
}

function secret({ namespace, label }: Place, name: string): Unstructured {
  return { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name, namespace, labels: label } };
}

export function dataVolume(place: Place, parameters: RoleParameters, storageClassName: string): Unstructured {
  const { name, namespace, label } = place;
  return {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name: `${name}-root-disk`, namespace, labels: label },
    spec: {
      source: { registry: { url: `docker://${parameters.imageSource}` } },
      pvc: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: parameters.diskSize } },
        storageClassName,
      },
    },
  };
}

export function virtualMachine({ name, namespace, label }: Place, parameters: RoleParameters): Unstructured {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace, labels: label },
    spec: {
      running: true,
      template: { metadata: { labels: label }, spec: instanceSpec(name, parameters) },
    },
  };
}

function instanceSpec(name: string, { cpuCores, memory, sshPublicKey }: RoleParameters): object {
  return {
    domain: {
      cpu: { cores: cpuCores },
      memory: { guest: memory },
      devices: {
        disks: [
          { name: 'root-disk', disk: { bus: 'virtio' } },
          { name: 'cloud-init-disk', disk: { bus: 'virtio' }, serial: 'cloud-init' },
        ],
        interfaces: [{ name: 'default', masquerade: {} }],
        rng: {},
      },
      features: {
        smm: { enabled: true },
        acpi: {},
        apic: {},
        hyperv: { relaxed: {}, vapic: {}, spinlocks: { spinlocks: 8191 } },
      },
    },
    networks: [{ name: 'default', pod: {} }],
    volumes: [
      { name: 'root-disk', dataVolume: { name: `${name}-root-disk` } },
      { name: 'cloud-init-disk', cloudInitNoCloud: { secretRef: { name: `${name}-cloud-init` } } },
    ],
    ...(sshPublicKey === ''
      ? {}
      : {
          accessCredentials: [
            {
              sshPublicKey: {
                source: { secret: { secretName: `${name}-ssh-public-key` } },
                propagationMethod: { noCloud: {} },
              },
            },
          ],
        }),
  };
}

/** Only the massopencloud variant creates it; the base role does not. */
export function loadBalancer({ name, namespace, label }: Place, { exposedPorts }: RoleParameters): Unstructured {
  const ports = exposedPorts.split(',').map((entry) => {
    const [port = '', protocol = ''] = entry.split('/');
    const number = Number(port);
    return { name: `${protocol}-${port}`, port: number, targetPort: number, protocol: protocol.toUpperCase() };
  });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${name}-load-balancer`, namespace, labels: label },
    spec: { type: 'LoadBalancer', selector: label, ports },
  };
}
