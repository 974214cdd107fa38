/**
 * Specs that the API server must refuse, with their messages: the same on the sandbox and on a real kube-apiserver,
 * which decides. A cause is its field and its message; an unreadable spec has no field.
 */

export interface BadSpec {
  readonly name: string;
  readonly spec: object | undefined;
  readonly says: readonly string[];
}

const whole = { resources: { cpu: { cores: 2 }, memory: { size: '4Gi' } }, disks: [{ name: 'root', size: '20Gi' }] };

function disk(more: object): object {
  return { template: 'small', disks: [{ name: 'data', size: '10Gi', ...more }] };
}

function source(from: object): object {
  return disk({ source: from });
}

function nic(...networks: readonly object[]): object {
  return { template: 'small', networks };
}

function cpu(asked: object): object {
  return { template: 'small', resources: { cpu: asked } };
}

function memory(size: unknown): object {
  return { template: 'small', resources: { memory: { size } } };
}

export interface GoodSpec {
  readonly name: string;
  readonly spec: object;
  /** What the server adds. */
  readonly stored?: object;
}

export const goodMachines: readonly GoodSpec[] = [
  { name: 'a template alone', spec: { template: 'medium' }, stored: { template: 'medium', running: true } },
  { name: 'the other name of a template', spec: { instanceType: 'medium' } },
  { name: 'both names of a template that agree', spec: { template: 'small', instanceType: 'small' } },
  // It becomes the condition TemplateNotFound: only the operator knows the templates.
  { name: 'an unknown template', spec: { template: 'gigantic' } },
  { name: 'no template and all that is needed', spec: whole },
  {
    name: 'the disk of the template, with a source',
    spec: { template: 'small', disks: [{ name: 'root', source: { dataSource: { name: 'a' } } }] },
  },
  {
    name: 'claims that are there already',
    spec: {
      ...whole,
      disks: [
        { name: 'root', existingClaim: 'mig.root' },
        { name: 'data', existingClaim: 'legacy-data' },
      ],
    },
  },
  { name: 'no disks and no networks', spec: { template: 'small', disks: [], networks: [], bootOrder: [] } },
  { name: 'the cluster itself', spec: { template: 'small', kubevirtConfigRef: 'local' } },
  { name: 'not running', spec: { template: 'small', running: false }, stored: { template: 'small', running: false } },
  {
    name: 'sizes of every form',
    spec: {
      template: 'small',
      disks: ['1.5Gi', '20G', '1e9', '1048576', '0.5Ti'].map((size, n) => ({ name: `d${n}`, size })),
    },
  },
  { name: 'as many processors as there may be', spec: cpu({ cores: 71, threads: 5, sockets: 2 }) },
  {
    name: 'the pod network beside another one',
    spec: nic({ name: 'a' }, { name: 'b', networkName: 'b' }),
    stored: {
      template: 'small',
      running: true,
      networks: [
        { name: 'a', model: 'virtio' },
        { name: 'b', networkName: 'b', model: 'virtio' },
      ],
    },
  },
  {
    name: 'two interfaces on one network',
    spec: nic({ name: 'a', networkName: 'a' }, { name: 'b', networkName: 'a' }),
  },
  { name: 'hardware addresses in any case', spec: nic({ name: 'a', macAddress: '0A:bc:DE:00:00:01' }) },
  {
    name: 'user data in the Machine and in a Secret',
    spec: { template: 'small', cloudInit: { userData: '#cloud-config', secretRef: { name: 'a' } } },
    stored: {
      template: 'small',
      running: true,
      cloudInit: { userData: '#cloud-config', secretRef: { name: 'a', key: 'userdata' } },
    },
  },
  { name: 'user data as long as it may be', spec: { template: 'small', cloudInit: { userData: 'x'.repeat(524_288) } } },
  {
    name: 'an image with the scheme that the importer knows',
    spec: source({ containerDisk: { image: 'docker://registry.example.com:5000/a/b:1.2' } }),
  },
  {
    name: 'an image with a digest',
    spec: source({ containerDisk: { image: `registry.example.com/a/b@sha256:${'0'.repeat(64)}` } }),
  },
  {
    name: 'an address with a port and a query',
    spec: source({ http: { url: 'http://images.example.com:8080/a?b=c@d' } }),
  },
  { name: 'a claim of another namespace', spec: source({ pvc: { name: 'a.b', namespace: 'c' } }) },
  { name: 'EFI without secure boot', spec: { template: 'small', domain: { firmware: { bootloader: { efi: true } } } } },
  {
    name: 'BIOS said',
    spec: { template: 'small', domain: { firmware: { bootloader: { efi: false, secureBoot: false } } } },
  },
  { name: 'a board that KubeVirt may refuse', spec: { template: 'small', domain: { machine: { type: 'pc-i440fx' } } } },
];

export const badMachines: readonly BadSpec[] = [
  { name: 'no spec at all', spec: undefined, says: ['spec: Required value'] },
  {
    name: 'an empty spec',
    spec: {},
    says: [
      'spec.disks: Required value: at least one disk is required without a template: add a disk with name and size, or set a template (small, medium, large)',
      'spec.resources: Required value: cpu.cores is required without a template: set the number of cores, or a template (small, medium, large)',
      'spec.resources: Required value: memory.size is required without a template: set a size such as 4Gi, or a template (small, medium, large)',
    ],
  },
  {
    name: 'no template, and no cores',
    spec: { ...whole, resources: { memory: { size: '4Gi' } } },
    says: [
      'spec.resources: Required value: cpu.cores is required without a template: set the number of cores, or a template (small, medium, large)',
    ],
  },
  {
    name: 'no template, and no memory',
    spec: { ...whole, resources: { cpu: { cores: 2 } } },
    says: [
      'spec.resources: Required value: memory.size is required without a template: set a size such as 4Gi, or a template (small, medium, large)',
    ],
  },
  {
    name: 'no template, and no disk',
    spec: { ...whole, disks: [] },
    says: [
      'spec.disks: Required value: at least one disk is required without a template: add a disk with name and size, or set a template (small, medium, large)',
    ],
  },
  {
    name: 'no template, and a disk without size',
    spec: { ...whole, disks: [{ name: 'root' }] },
    says: [
      'spec.disks: Required value: size is required, unless the disk has existingClaim or is the disk "root" of a template: set a size such as 20Gi',
    ],
  },
  {
    name: 'a disk without size that the template does not have',
    spec: { template: 'small', disks: [{ name: 'data' }] },
    says: [
      'spec.disks: Required value: size is required, unless the disk has existingClaim or is the disk "root" of a template: set a size such as 20Gi',
    ],
  },
  {
    name: 'a template that is empty',
    spec: { template: '' },
    says: ['spec.template: Invalid value: "": spec.template in body should be at least 1 chars long'],
  },
  {
    name: 'a template that is a number',
    spec: { template: 4 },
    says: ['spec.template: Invalid value: "integer": spec.template in body must be of type string: "integer"'],
  },
  {
    name: 'a template of 64 characters',
    spec: { template: 'x'.repeat(64) },
    says: ['spec.template: Too long: may not be more than 63 bytes'],
  },
  {
    name: 'template and instanceType that differ',
    spec: { template: 'small', instanceType: 'large' },
    says: [
      'spec.instanceType: Invalid value: spec.template is small and spec.instanceType is large: they have the same meaning, set only one of them',
    ],
  },
  {
    name: 'an instanceType that is empty',
    spec: { instanceType: '' },
    says: ['spec.instanceType: Invalid value: "": spec.instanceType in body should be at least 1 chars long'],
  },
  {
    name: 'a field that there is not',
    spec: { template: 'small', provider: 'x' },
    says: [
      'Machine in version "v1alpha1" cannot be handled as a Machine: strict decoding error: unknown field "spec.provider"',
    ],
  },
  {
    name: 'a field that there is not, deep down',
    spec: { template: 'small', disks: [{ name: 'data', size: '1Gi', colour: 'red' }] },
    says: [
      'Machine in version "v1alpha1" cannot be handled as a Machine: strict decoding error: unknown field "spec.disks[0].colour"',
    ],
  },
  {
    name: 'running that is a word',
    spec: { template: 'small', running: 'yes' },
    says: ['spec.running: Invalid value: "string": spec.running in body must be of type boolean: "string"'],
  },
  {
    name: 'a cluster with a name that none can have',
    spec: { template: 'small', kubevirtConfigRef: 'East_1' },
    says: [
      'spec.kubevirtConfigRef: Invalid value: "East_1": "East_1" is not a valid object name: use lowercase letters, digits, dashes and dots, with a letter or digit at both ends and around each dot',
    ],
  },
  {
    name: 'a cluster with a name of 64 characters',
    spec: { template: 'small', kubevirtConfigRef: 'e'.repeat(64) },
    says: ['spec.kubevirtConfigRef: Too long: may not be more than 63 bytes'],
  },
  {
    name: 'no cores',
    spec: cpu({ cores: 0 }),
    says: [
      'spec.resources.cpu.cores: Invalid value: 0: spec.resources.cpu.cores in body should be greater than or equal to 1',
    ],
  },
  {
    name: 'fewer than no cores',
    spec: cpu({ cores: -1 }),
    says: [
      'spec.resources.cpu.cores: Invalid value: -1: spec.resources.cpu.cores in body should be greater than or equal to 1',
    ],
  },
  {
    name: 'half a core',
    spec: cpu({ cores: 1.5 }),
    says: [
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.resources.cpu.cores',
      'spec.resources.cpu.cores: Invalid value: "float64": spec.resources.cpu.cores in body must be of type int32: "float64"',
    ],
  },
  {
    name: 'cores as text',
    spec: cpu({ cores: '4' }),
    says: [
      'spec.resources.cpu.cores: Invalid value: "string": spec.resources.cpu.cores in body must be of type integer: "string"',
    ],
  },
  {
    name: 'too many cores',
    spec: cpu({ cores: 513 }),
    says: [
      'spec.resources.cpu.cores: Invalid value: 513: spec.resources.cpu.cores in body should be less than or equal to 512',
    ],
  },
  {
    name: 'no threads',
    spec: cpu({ threads: 0 }),
    says: [
      'spec.resources.cpu.threads: Invalid value: 0: spec.resources.cpu.threads in body should be greater than or equal to 1',
    ],
  },
  {
    name: 'too many threads',
    spec: cpu({ threads: 9 }),
    says: [
      'spec.resources.cpu.threads: Invalid value: 9: spec.resources.cpu.threads in body should be less than or equal to 8',
    ],
  },
  {
    name: 'no sockets',
    spec: cpu({ sockets: 0 }),
    says: [
      'spec.resources.cpu.sockets: Invalid value: 0: spec.resources.cpu.sockets in body should be greater than or equal to 1',
    ],
  },
  {
    name: 'too many processors in all',
    spec: cpu({ cores: 512, threads: 2, sockets: 2 }),
    says: ['spec.resources.cpu: Invalid value: cores x threads x sockets exceeds 710: choose smaller values'],
  },
  {
    name: 'memory that is no size',
    spec: memory('lots'),
    says: [
      'spec.resources.memory.size: Invalid value: "lots": "lots" is not a valid size: use a number with a unit, such as 4Gi',
    ],
  },
  {
    name: 'memory with a unit that there is not',
    spec: memory('4GB'),
    says: [
      'spec.resources.memory.size: Invalid value: "4GB": "4GB" is not a valid size: use a number with a unit, such as 4Gi',
    ],
  },
  {
    name: 'memory with a blank',
    spec: memory('4 Gi'),
    says: [
      'spec.resources.memory.size: Invalid value: "4 Gi": "4 Gi" is not a valid size: use a number with a unit, such as 4Gi',
    ],
  },
  {
    name: 'memory that is empty',
    spec: memory(''),
    says: [
      'spec.resources.memory.size: Invalid value: "": "" is not a valid size: use a number with a unit, such as 4Gi',
      'spec.resources.memory.size: Invalid value: "": spec.resources.memory.size in body should be at least 1 chars long',
    ],
  },
  {
    name: 'memory as a number',
    spec: memory(4),
    says: [
      'spec.resources.memory.size: Invalid value: "integer": spec.resources.memory.size in body must be of type string: "integer"',
    ],
  },
  {
    name: 'no memory',
    spec: memory('0'),
    says: ['spec.resources.memory.size: Invalid value: "0": "0" is not from 1Mi to 64Ti: use a unit, such as 4Gi'],
  },
  {
    name: 'less than no memory',
    spec: memory('-4Gi'),
    says: [
      'spec.resources.memory.size: Invalid value: "-4Gi": "-4Gi" is not from 1Mi to 64Ti: use a unit, such as 4Gi',
    ],
  },
  {
    name: 'memory without a unit',
    spec: memory('4096'),
    says: [
      'spec.resources.memory.size: Invalid value: "4096": "4096" is not from 1Mi to 64Ti: use a unit, such as 4Gi',
    ],
  },
  {
    name: 'memory in thousandths',
    spec: memory('512m'),
    says: [
      'spec.resources.memory.size: Invalid value: "512m": "512m" is not from 1Mi to 64Ti: use a unit, such as 4Gi',
    ],
  },
  {
    name: 'more memory than there is',
    spec: memory('65Ti'),
    says: [
      'spec.resources.memory.size: Invalid value: "65Ti": "65Ti" is not from 1Mi to 64Ti: use a unit, such as 4Gi',
    ],
  },
  {
    name: 'a disk without a name',
    spec: { template: 'small', disks: [{ size: '10Gi' }] },
    says: ['spec.disks[0].name: Required value'],
  },
  {
    name: 'two disks of one name',
    spec: {
      template: 'small',
      disks: [
        { name: 'a', size: '1Gi' },
        { name: 'a', size: '2Gi' },
      ],
    },
    says: ['spec.disks[1]: Duplicate value: {"name":"a"}'],
  },
  {
    name: 'a disk with capitals',
    spec: disk({ name: 'Data' }),
    says: [
      'spec.disks[0].name: Invalid value: "Data": "Data" is not a valid name: use only lowercase letters, digits and dashes, with a letter or digit at both ends',
    ],
  },
  {
    name: 'a disk with a dot',
    spec: disk({ name: 'my.data' }),
    says: [
      'spec.disks[0].name: Invalid value: "my.data": "my.data" is not a valid name: use only lowercase letters, digits and dashes, with a letter or digit at both ends',
    ],
  },
  {
    name: 'a disk with a dash at its end',
    spec: disk({ name: 'data-' }),
    says: [
      'spec.disks[0].name: Invalid value: "data-": "data-" is not a valid name: use only lowercase letters, digits and dashes, with a letter or digit at both ends',
    ],
  },
  {
    name: 'a disk with a name of 64 characters',
    spec: disk({ name: 'd'.repeat(64) }),
    says: ['spec.disks[0].name: Too long: may not be more than 63 bytes'],
  },
  {
    name: 'a disk with the name of the cloud-init disk',
    spec: disk({ name: 'cloudinitdisk' }),
    says: [
      'spec.disks[0].name: Invalid value: "cloudinitdisk": "cloudinitdisk" is reserved for the disk with the cloud-init data: choose another name',
    ],
  },
  {
    name: 'a disk with a size that is none',
    spec: disk({ size: 'big' }),
    says: [
      'spec.disks[0].size: Invalid value: "big": "big" is not a valid size: use a number with a unit, such as 20Gi',
    ],
  },
  {
    name: 'a disk without room',
    spec: disk({ size: '0Gi' }),
    says: ['spec.disks[0].size: Invalid value: "0Gi": "0Gi" is not from 1Mi to 1Pi: use a unit, such as 20Gi'],
  },
  {
    name: 'a disk with less than no room',
    spec: disk({ size: '-1Gi' }),
    says: ['spec.disks[0].size: Invalid value: "-1Gi": "-1Gi" is not from 1Mi to 1Pi: use a unit, such as 20Gi'],
  },
  {
    name: 'a disk without a unit',
    spec: disk({ size: '100' }),
    says: ['spec.disks[0].size: Invalid value: "100": "100" is not from 1Mi to 1Pi: use a unit, such as 20Gi'],
  },
  {
    name: 'a disk that is too large',
    spec: disk({ size: '2Pi' }),
    says: ['spec.disks[0].size: Invalid value: "2Pi": "2Pi" is not from 1Mi to 1Pi: use a unit, such as 20Gi'],
  },
  {
    name: 'a claim that is there already, and a size',
    spec: disk({ existingClaim: 'legacy' }),
    says: [
      'spec.disks[0].existingClaim: Invalid value: an existing claim is used unchanged: leave out size, storageClass, accessMode, volumeMode and source, or leave out existingClaim',
    ],
  },
  {
    name: 'a claim with a name that none can have',
    spec: { template: 'small', disks: [{ name: 'data', existingClaim: 'Legacy' }] },
    says: [
      'spec.disks[0].existingClaim: Invalid value: "Legacy": "Legacy" is not a valid object name: use lowercase letters, digits, dashes and dots, with a letter or digit at both ends and around each dot',
    ],
  },
  {
    name: '33 disks',
    spec: { template: 'small', disks: Array.from({ length: 33 }, (_, n) => ({ name: `d${n}`, size: '1Gi' })) },
    says: ['spec.disks: Too many: 33: must have at most 32 items'],
  },
  {
    name: 'a class with a name that none can have',
    spec: disk({ storageClass: 'Fast SSD' }),
    says: [
      'spec.disks[0].storageClass: Invalid value: "Fast SSD": "Fast SSD" is not a valid object name: use lowercase letters, digits, dashes and dots, with a letter or digit at both ends and around each dot',
    ],
  },
  {
    name: 'an access mode that there is not',
    spec: disk({ accessMode: 'ReadWriteOncePod' }),
    says: [
      'spec.disks[0].accessMode: Unsupported value: "ReadWriteOncePod": supported values: "ReadWriteOnce", "ReadWriteMany", "ReadOnlyMany"',
    ],
  },
  {
    name: 'a volume mode that there is not',
    spec: disk({ volumeMode: 'File' }),
    says: ['spec.disks[0].volumeMode: Unsupported value: "File": supported values: "Filesystem", "Block"'],
  },
  {
    name: 'a source that says nothing',
    spec: source({}),
    says: ['spec.disks[0].source: Invalid value: set exactly one of containerDisk, http, pvc and dataSource'],
  },
  {
    name: 'two sources',
    spec: source({ http: { url: 'https://images.example.com/a' }, pvc: { name: 'a' } }),
    says: ['spec.disks[0].source: Invalid value: set exactly one of containerDisk, http, pvc and dataSource'],
  },
  {
    name: 'a source that there is not',
    spec: source({ s3: { url: 's3://bucket/a' } }),
    says: [
      'Machine in version "v1alpha1" cannot be handled as a Machine: strict decoding error: unknown field "spec.disks[0].source.s3"',
    ],
  },
  {
    name: 'an image with another scheme',
    spec: source({ containerDisk: { image: 'https://registry.example.com/a' } }),
    says: [
      'spec.disks[0].source.containerDisk.image: Invalid value: "https://registry.example.com/a": not an image reference: use the form registry.example.com/disks/debian:12',
    ],
  },
  {
    name: 'an image with a blank',
    spec: source({ containerDisk: { image: 'registry.example.com/a b' } }),
    says: [
      'spec.disks[0].source.containerDisk.image: Invalid value: "registry.example.com/a b": not an image reference: use the form registry.example.com/disks/debian:12',
    ],
  },
  {
    name: 'no image',
    spec: source({ containerDisk: {} }),
    says: ['spec.disks[0].source.containerDisk.image: Required value'],
  },
  {
    name: 'an address with another scheme',
    spec: source({ http: { url: 'ftp://images.example.com/a' } }),
    says: [
      'spec.disks[0].source.http.url: Invalid value: "ftp://images.example.com/a": not a valid URL of a web server: use one that begins with https:// or http://',
    ],
  },
  {
    name: 'an address of a file',
    spec: source({ http: { url: 'file:///etc/passwd' } }),
    says: [
      'spec.disks[0].source.http.url: Invalid value: "file:///etc/passwd": not a valid URL of a web server: use one that begins with https:// or http://',
    ],
  },
  {
    name: 'an address without a host',
    spec: source({ http: { url: 'https:///a' } }),
    says: [
      'spec.disks[0].source.http.url: Invalid value: "https:///a": not a valid URL of a web server: use one that begins with https:// or http://',
    ],
  },
  {
    name: 'an address with a blank',
    spec: source({ http: { url: 'https://images.example.com/a b' } }),
    says: [
      'spec.disks[0].source.http.url: Invalid value: "https://images.example.com/a b": not a valid URL of a web server: use one that begins with https:// or http://',
    ],
  },
  {
    name: 'an address with a password',
    spec: source({ http: { url: 'https://me:secret@images.example.com/a' } }),
    says: [
      'spec.disks[0].source.http.url: Invalid value: "https://me:secret@images.example.com/a": a URL with a user or password is rejected, since everyone who can read the Machine can read it: leave them out',
    ],
  },
  {
    name: 'a claim with a name that none can have',
    spec: source({ pvc: { name: '-a' } }),
    says: [
      'spec.disks[0].source.pvc.name: Invalid value: "-a": "-a" is not a valid object name: use lowercase letters, digits, dashes and dots, with a letter or digit at both ends and around each dot',
    ],
  },
  {
    name: 'a claim in a namespace that cannot be',
    spec: source({ pvc: { name: 'a', namespace: 'a.b' } }),
    says: [
      'spec.disks[0].source.pvc.namespace: Invalid value: "a.b": "a.b" is not a valid namespace name: use lowercase letters, digits and dashes, with a letter or digit at both ends',
    ],
  },
  {
    name: 'a DataSource without a name',
    spec: source({ dataSource: { namespace: 'a' } }),
    says: ['spec.disks[0].source.dataSource.name: Required value'],
  },
  {
    name: 'two networks of one name',
    spec: nic({ name: 'a' }, { name: 'a', networkName: 'b' }),
    says: ['spec.networks[1]: Duplicate value: {"name":"a"}'],
  },
  {
    name: 'two networks on the pod network',
    spec: nic({ name: 'a' }, { name: 'b' }),
    says: [
      'spec.networks: Invalid value: at most one interface can use the pod network (no networkName): set networkName on the others',
    ],
  },
  {
    name: 'a network without a name',
    spec: nic({ networkName: 'a' }),
    says: ['spec.networks[0].name: Required value'],
  },
  {
    name: 'a network with an underscore',
    spec: nic({ name: 'eth_0' }),
    says: [
      'spec.networks[0].name: Invalid value: "eth_0": "eth_0" is not a valid name: use only lowercase letters, digits and dashes, with a letter or digit at both ends',
    ],
  },
  {
    name: 'a network with a name of 64 characters',
    spec: nic({ name: 'n'.repeat(64) }),
    says: ['spec.networks[0].name: Too long: may not be more than 63 bytes'],
  },
  {
    name: 'a NetworkConfiguration with a name that none can have',
    spec: nic({ name: 'a', networkName: 'Prod' }),
    says: [
      'spec.networks[0].networkName: Invalid value: "Prod": "Prod" is not a valid object name: use lowercase letters, digits, dashes and dots, with a letter or digit at both ends and around each dot',
    ],
  },
  {
    name: 'a model that there is not',
    spec: nic({ name: 'a', model: 'vmxnet3' }),
    says: ['spec.networks[0].model: Unsupported value: "vmxnet3": supported values: "virtio", "e1000", "rtl8139"'],
  },
  {
    name: '17 networks',
    spec: nic(...Array.from({ length: 17 }, (_, n) => ({ name: `n${n}`, networkName: 'a' }))),
    says: ['spec.networks: Too many: 17: must have at most 16 items'],
  },
  {
    name: 'a hardware address that is too short',
    spec: nic({ name: 'a', macAddress: '52:54:00:12:34' }),
    says: [
      'spec.networks[0].macAddress: Invalid value: "52:54:00:12:34": "52:54:00:12:34" is not a valid MAC address: use six pairs of hexadecimal digits with colons, the first pair even and the others not all zero, such as 52:54:00:12:34:56',
    ],
  },
  {
    name: 'a hardware address with letters that are no digits',
    spec: nic({ name: 'a', macAddress: '52:54:00:12:34:5g' }),
    says: [
      'spec.networks[0].macAddress: Invalid value: "52:54:00:12:34:5g": "52:54:00:12:34:5g" is not a valid MAC address: use six pairs of hexadecimal digits with colons, the first pair even and the others not all zero, such as 52:54:00:12:34:56',
    ],
  },
  {
    name: 'a hardware address with dashes',
    spec: nic({ name: 'a', macAddress: '52-54-00-12-34-56' }),
    says: [
      'spec.networks[0].macAddress: Invalid value: "52-54-00-12-34-56": "52-54-00-12-34-56" is not a valid MAC address: use six pairs of hexadecimal digits with colons, the first pair even and the others not all zero, such as 52:54:00:12:34:56',
    ],
  },
  {
    name: 'a hardware address of a group',
    spec: nic({ name: 'a', macAddress: '53:54:00:12:34:56' }),
    says: [
      'spec.networks[0].macAddress: Invalid value: "53:54:00:12:34:56": "53:54:00:12:34:56" is not a valid MAC address: use six pairs of hexadecimal digits with colons, the first pair even and the others not all zero, such as 52:54:00:12:34:56',
    ],
  },
  {
    name: 'the hardware address of all',
    spec: nic({ name: 'a', macAddress: 'ff:ff:ff:ff:ff:ff' }),
    says: [
      'spec.networks[0].macAddress: Invalid value: "ff:ff:ff:ff:ff:ff": "ff:ff:ff:ff:ff:ff" is not a valid MAC address: use six pairs of hexadecimal digits with colons, the first pair even and the others not all zero, such as 52:54:00:12:34:56',
    ],
  },
  {
    name: 'the hardware address of none',
    spec: nic({ name: 'a', macAddress: '00:00:00:00:00:00' }),
    says: [
      'spec.networks[0].macAddress: Invalid value: "00:00:00:00:00:00": "00:00:00:00:00:00" is not a valid MAC address: use six pairs of hexadecimal digits with colons, the first pair even and the others not all zero, such as 52:54:00:12:34:56',
    ],
  },
  {
    name: "the hardware address of KubeVirt's bridge",
    spec: nic({ name: 'a', macAddress: '02:00:00:00:00:00' }),
    says: [
      'spec.networks[0].macAddress: Invalid value: "02:00:00:00:00:00": "02:00:00:00:00:00" is not a valid MAC address: use six pairs of hexadecimal digits with colons, the first pair even and the others not all zero, such as 52:54:00:12:34:56',
    ],
  },
  {
    name: 'one hardware address twice',
    spec: nic(
      { name: 'a', macAddress: '52:54:00:12:34:ab' },
      { name: 'b', networkName: 'b', macAddress: '52:54:00:12:34:AB' },
    ),
    says: [
      'spec.networks: Invalid value: the same macAddress is used twice: change one, or leave it out to have one generated',
    ],
  },
  {
    name: 'a boot device that there is not',
    spec: { template: 'small', bootOrder: ['floppy'] },
    says: ['spec.bootOrder[0]: Unsupported value: "floppy": supported values: "disk", "network", "cdrom"'],
  },
  {
    name: 'a boot device twice',
    spec: { template: 'small', bootOrder: ['disk', 'disk'] },
    says: ['spec.bootOrder[1]: Duplicate value: "disk"'],
  },
  {
    name: 'cloud-init that says nothing',
    spec: { template: 'small', cloudInit: {} },
    says: [
      'spec.cloudInit: Invalid value: cloudInit is empty: set userData, networkData or secretRef, or leave cloudInit out',
    ],
  },
  {
    name: 'user data that is too long',
    spec: { template: 'small', cloudInit: { userData: 'x'.repeat(524_289) } },
    says: ['spec.cloudInit.userData: Too long: may not be more than 524288 bytes'],
  },
  {
    name: 'network data that is too long',
    spec: { template: 'small', cloudInit: { networkData: 'x'.repeat(131_073) } },
    says: ['spec.cloudInit.networkData: Too long: may not be more than 131072 bytes'],
  },
  {
    name: 'a Secret without a name',
    spec: { template: 'small', cloudInit: { secretRef: { key: 'a' } } },
    says: ['spec.cloudInit.secretRef.name: Required value'],
  },
  {
    name: 'a Secret with a name that none can have',
    spec: { template: 'small', cloudInit: { secretRef: { name: 'My Secret' } } },
    says: [
      'spec.cloudInit.secretRef.name: Invalid value: "My Secret": "My Secret" is not a valid object name: use lowercase letters, digits, dashes and dots, with a letter or digit at both ends and around each dot',
    ],
  },
  {
    name: 'a key that no Secret can have',
    spec: { template: 'small', cloudInit: { secretRef: { name: 'a', key: 'user data' } } },
    says: [
      'spec.cloudInit.secretRef.key: Invalid value: "user data": "user data" is not a valid key of a Secret: use letters, digits, dashes, dots and underscores',
    ],
  },
  {
    name: 'secure boot without EFI',
    spec: { template: 'small', domain: { firmware: { bootloader: { secureBoot: true } } } },
    says: [
      'spec.domain.firmware.bootloader.secureBoot: Invalid value: secureBoot requires EFI: set efi to true, or leave secureBoot out',
    ],
  },
  {
    name: 'secure boot with BIOS',
    spec: { template: 'small', domain: { firmware: { bootloader: { efi: false, secureBoot: true } } } },
    says: [
      'spec.domain.firmware.bootloader.secureBoot: Invalid value: secureBoot requires EFI: set efi to true, or leave secureBoot out',
    ],
  },
  {
    name: 'a board with a name that none can have',
    spec: { template: 'small', domain: { machine: { type: 'PC q35' } } },
    says: [
      'spec.domain.machine.type: Invalid value: "PC q35": "PC q35" is not a valid machine type: use one such as q35, or leave it out',
    ],
  },
  {
    name: 'a feature that is a word',
    spec: { template: 'small', domain: { features: { acpi: 'on' } } },
    says: [
      'spec.domain.features.acpi: Invalid value: "string": spec.domain.features.acpi in body must be of type boolean: "string"',
    ],
  },
];

export const badNetworkConfigurations: readonly BadSpec[] = [
  { name: 'no spec at all', spec: undefined, says: ['spec: Required value'] },
  {
    name: 'a VLAN below 0',
    spec: { vlan: -1 },
    says: ['spec.vlan: Invalid value: -1: spec.vlan in body should be greater than or equal to 0'],
  },
  {
    name: 'a VLAN above 4094',
    spec: { vlan: 4095 },
    says: ['spec.vlan: Invalid value: 4095: spec.vlan in body should be less than or equal to 4094'],
  },
  {
    name: 'a VLAN as text',
    spec: { vlan: '100' },
    says: ['spec.vlan: Invalid value: "string": spec.vlan in body must be of type integer: "string"'],
  },
  {
    name: 'a bridge without a name',
    spec: { bridge: '' },
    says: [
      'spec.bridge: Invalid value: "": "" is not a valid Linux interface name: use only letters, digits, "_", "-" and ".", such as br0',
      'spec.bridge: Invalid value: "": spec.bridge in body should be at least 1 chars long',
    ],
  },
  {
    name: 'a bridge with a name of 16 characters',
    spec: { bridge: 'b'.repeat(16) },
    says: ['spec.bridge: Too long: may not be more than 15 bytes'],
  },
  {
    name: 'a bridge with a slash',
    spec: { bridge: 'br/0' },
    says: [
      'spec.bridge: Invalid value: "br/0": "br/0" is not a valid Linux interface name: use only letters, digits, "_", "-" and ".", such as br0',
    ],
  },
  {
    name: 'a bridge with a blank',
    spec: { bridge: 'br 0' },
    says: [
      'spec.bridge: Invalid value: "br 0": "br 0" is not a valid Linux interface name: use only letters, digits, "_", "-" and ".", such as br0',
    ],
  },
  {
    name: 'a bridge that is a parent folder',
    spec: { bridge: '..' },
    says: [
      'spec.bridge: Invalid value: "..": ".." is not a valid Linux interface name: use only letters, digits, "_", "-" and ".", such as br0',
    ],
  },
  {
    name: 'packets that are too small',
    spec: { mtu: 100 },
    says: ['spec.mtu: Invalid value: 100: spec.mtu in body should be greater than or equal to 576'],
  },
  {
    name: 'packets that are too large',
    spec: { mtu: 65_536 },
    says: ['spec.mtu: Invalid value: 65536: spec.mtu in body should be less than or equal to 65535'],
  },
  {
    name: 'a description that is too long',
    spec: { description: 'd'.repeat(1025) },
    says: ['spec.description: Too long: may not be more than 1024 bytes'],
  },
  {
    name: 'a field that there is not',
    spec: { subnet: '10.0.0.0/8' },
    says: [
      'NetworkConfiguration in version "v1alpha1" cannot be handled as a NetworkConfiguration: strict decoding error: unknown field "spec.subnet"',
    ],
  },
];
