/** `System` holds the operating systems of the samples. */

export interface System {
  /** The name of the boot source, and the prefix of its templates' names. */
  readonly name: string;
  readonly displayName: string;
  /** The identifier in libosinfo. */
  readonly os: string;
  readonly image: string;
  readonly preference: string;
  readonly instancetype: string;
  readonly size: string;
  readonly isWindows?: boolean;
}

const IMAGES = 'containerdisks';

export const systems: readonly System[] = [
  {
    name: 'fedora',
    displayName: 'Fedora',
    os: 'fedora42',
    image: `${IMAGES}/fedora:42`,
    preference: 'fedora',
    instancetype: 'u1.medium',
    size: '10Gi',
  },
  {
    name: 'centos-stream9',
    displayName: 'CentOS Stream 9',
    os: 'centos-stream9',
    image: `${IMAGES}/centos-stream:9`,
    preference: 'centos.stream9',
    instancetype: 'u1.medium',
    size: '10Gi',
  },
  {
    name: 'debian',
    displayName: 'Debian 12',
    os: 'debian12',
    image: `${IMAGES}/debian:12`,
    preference: 'debian',
    instancetype: 'u1.small',
    size: '10Gi',
  },
  {
    name: 'ubuntu',
    displayName: 'Ubuntu 24.04',
    os: 'ubuntu24.04',
    image: `${IMAGES}/ubuntu:24.04`,
    preference: 'ubuntu',
    instancetype: 'u1.medium',
    size: '10Gi',
  },
  {
    name: 'rhel9',
    displayName: 'Red Hat Enterprise Linux 9',
    os: 'rhel9.6',
    image: `${IMAGES}/rhel:9`,
    preference: 'rhel.9',
    instancetype: 'u1.medium',
    size: '10Gi',
  },
  {
    name: 'windows2k22',
    displayName: 'Microsoft Windows Server 2022',
    os: 'win2k22',
    image: `${IMAGES}/windows:2k22`,
    preference: 'windows.2k22.virtio',
    instancetype: 'u1.large',
    size: '30Gi',
    isWindows: true,
  },
];

export function systemNamed(name: string): System {
  const found = systems.find((system) => system.name === name);
  if (found === undefined) throw new TypeError(`there is no sample of "${name}"`);
  return found;
}
