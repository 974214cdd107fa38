/** VM templates of OpenShift, by the conventions of common-templates: names, labels, annotations and parameters. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../values/json.ts';
import { namespaces } from '../kubevirt/objects.ts';
import { place, type Placed } from '../place-objects.ts';
import { BOOT_SOURCES } from './boot-sources.ts';
import { namespace, templates } from './kinds.ts';
import { systemNamed, type System } from './systems.ts';

export const TEMPLATES = 'openshift';
const VERSION = 'v0.34.0';

type Flavor = 'small' | 'medium' | 'large';

const sizes: Readonly<Record<Flavor, readonly [cpus: number, memory: string]>> = {
  small: [1, '2Gi'],
  medium: [1, '4Gi'],
  large: [2, '8Gi'],
};

const offered: readonly (readonly [system: string, workload: string, flavor: Flavor])[] = [
  ['fedora', 'server', 'small'],
  ['rhel9', 'server', 'small'],
  ['rhel9', 'server', 'medium'],
  ['ubuntu', 'server', 'small'],
  ['centos-stream9', 'server', 'small'],
  ['windows2k22', 'server', 'medium'],
];

function template(system: System, workload: string, flavor: Flavor): Unstructured {
  const name = `${system.name}-${workload}-${flavor}`;
  return {
    apiVersion: 'template.openshift.io/v1',
    kind: 'Template',
    metadata: {
      name,
      namespace: TEMPLATES,
      labels: {
        [`os.template.kubevirt.io/${system.os}`]: 'true',
        [`workload.template.kubevirt.io/${workload}`]: 'true',
        [`flavor.template.kubevirt.io/${flavor}`]: 'true',
        'template.kubevirt.io/type': 'base',
        'template.kubevirt.io/version': VERSION,
        'template.kubevirt.io/architecture': 'amd64',
        ...(flavor === 'small' || system.isWindows === true
          ? { 'template.kubevirt.io/default-os-variant': 'true' }
          : {}),
      },
      annotations: {
        [`name.os.template.kubevirt.io/${system.os}`]: system.displayName,
        'openshift.io/display-name': `${system.displayName} VM`,
        description: `A virtual machine with ${system.displayName}. Its disk is cloned from the boot source of that name.`,
        tags: `hidden,kubevirt,virtualmachine,${system.isWindows === true ? 'windows' : 'linux'}`,
        iconClass: system.isWindows === true ? 'icon-windows' : `icon-${system.name.replace(/\d+$/, '')}`,
        'template.openshift.io/bindable': 'false',
        'template.kubevirt.io/version': 'v1alpha1',
        'defaults.template.kubevirt.io/disk': 'rootdisk',
        'template.kubevirt.io/containerdisks': system.image,
        'template.kubevirt.io/editable':
          '/objects[0].spec.template.spec.domain.cpu.sockets\n/objects[0].spec.template.spec.domain.memory.guest\n',
      },
    },
    objects: [machine(system, workload, flavor, name)],
    parameters: parametersOf(system),
  };
}

function parametersOf({ name, isWindows }: System): readonly JsonObject[] {
  return [
    { name: 'NAME', description: 'Name of the VM', generate: 'expression', from: `${name}-[a-z0-9]{16}` },
    { name: 'DATA_SOURCE_NAME', description: 'Name of the DataSource to clone', value: name },
    { name: 'DATA_SOURCE_NAMESPACE', description: 'Namespace of the DataSource', value: BOOT_SOURCES },
    ...(isWindows === true
      ? []
      : [
          {
            name: 'CLOUD_USER_PASSWORD',
            description: 'Randomized password for the cloud-init user',
            generate: 'expression',
            from: '[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}',
          },
        ]),
  ];
}

function machine(system: System, workload: string, flavor: Flavor, templateName: string): JsonObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      name: '${NAME}',
      labels: {
        app: '${NAME}',
        'vm.kubevirt.io/template': templateName,
        'vm.kubevirt.io/template.version': VERSION,
        'vm.kubevirt.io/template.revision': '1',
        'vm.kubevirt.io/template.namespace': TEMPLATES,
      },
    },
    spec: {
      runStrategy: 'Halted',
      dataVolumeTemplates: [
        {
          apiVersion: 'cdi.kubevirt.io/v1beta1',
          kind: 'DataVolume',
          metadata: { name: '${NAME}' },
          spec: {
            sourceRef: { kind: 'DataSource', name: '${DATA_SOURCE_NAME}', namespace: '${DATA_SOURCE_NAMESPACE}' },
            storage: { resources: { requests: { storage: system.isWindows === true ? '60Gi' : '30Gi' } } },
          },
        },
      ],
      template: {
        metadata: {
          annotations: {
            'vm.kubevirt.io/os': system.os,
            'vm.kubevirt.io/workload': workload,
            'vm.kubevirt.io/flavor': flavor,
          },
          labels: { 'kubevirt.io/domain': '${NAME}', 'kubevirt.io/size': flavor },
        },
        spec: instanceOf(system, flavor),
      },
    },
  };
}

function instanceOf(system: System, flavor: Flavor): JsonObject {
  const [cpus, memory] = sizes[flavor];
  const isWindows = system.isWindows === true;
  return {
    architecture: 'amd64',
    domain: {
      cpu: { sockets: cpus, cores: 1, threads: 1 },
      memory: { guest: memory },
      features: { acpi: {}, smm: { enabled: true } },
      firmware: { bootloader: { efi: {} } },
      devices: {
        rng: {},
        disks: [
          { name: 'rootdisk', disk: { bus: isWindows ? 'sata' : 'virtio' } },
          ...(isWindows ? [] : [{ name: 'cloudinitdisk', disk: { bus: 'virtio' } }]),
        ],
        interfaces: [{ name: 'default', masquerade: {}, model: isWindows ? 'e1000e' : 'virtio' }],
        ...(isWindows ? { inputs: [{ name: 'tablet', type: 'tablet', bus: 'usb' }], tpm: { persistent: true } } : {}),
      },
    },
    networks: [{ name: 'default', pod: {} }],
    terminationGracePeriodSeconds: isWindows ? 3600 : 180,
    volumes: [
      { name: 'rootdisk', dataVolume: { name: '${NAME}' } },
      ...(isWindows
        ? []
        : [
            {
              name: 'cloudinitdisk',
              cloudInitNoCloud: {
                userData: `#cloud-config\nuser: ${system.name.replace(/[\d-].*$/, '')}\npassword: \${CLOUD_USER_PASSWORD}\nchpasswd: { expire: False }\n`,
              },
            },
          ]),
    ],
  };
}

export const openshiftTemplates: readonly Placed[] = [
  ...place(namespaces, [namespace(TEMPLATES)]),
  ...place(
    templates,
    offered.map(([system, workload, flavor]) => template(systemNamed(system), workload, flavor)),
  ),
];
