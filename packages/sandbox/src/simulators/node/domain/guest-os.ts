/** The operating system that the guest agent reports: guessed from the preference, the image or the name of a disk. */
import type { JsonObject } from '../../../values/json.ts';
import type { VirtualMachineInstance } from '../../kubevirt/objects.ts';

interface System {
  readonly hint: RegExp;
  readonly info: JsonObject;
}

const os = (
  id: string,
  name: string,
  version: string,
  pretty: string,
  kernel: string,
  versionId: string = version,
): JsonObject => ({
  id,
  kernelRelease: kernel,
  kernelVersion: '#1 SMP',
  machine: 'x86_64',
  name,
  prettyName: pretty,
  version,
  versionId,
});

const fedora = os(
  'fedora',
  'Fedora Linux',
  '40 (Cloud Edition)',
  'Fedora Linux 40 (Cloud Edition)',
  '6.8.5-301.fc40.x86_64',
  '40',
);

const systems: readonly System[] = [
  { hint: /fedora/, info: fedora },
  { hint: /cirros/, info: os('cirros', 'CirrOS', '0.6.3', 'CirrOS 0.6.3', '5.15.0-117-generic') },
  { hint: /alpine/, info: os('alpine', 'Alpine Linux', '3.22.1', 'Alpine Linux v3.22', '6.12.40-0-virt') },
  {
    hint: /ubuntu/,
    info: os('ubuntu', 'Ubuntu', '24.04.3 LTS (Noble Numbat)', 'Ubuntu 24.04.3 LTS', '6.8.0-79-generic', '24.04'),
  },
  {
    hint: /debian/,
    info: os('debian', 'Debian GNU/Linux', '13 (trixie)', 'Debian GNU/Linux 13 (trixie)', '6.12.41+deb13-amd64', '13'),
  },
  {
    hint: /centos/,
    info: os('centos', 'CentOS Stream', '10 (Coughlan)', 'CentOS Stream 10 (Coughlan)', '6.12.0-55.el10.x86_64', '10'),
  },
  {
    hint: /rhel|redhat|red-hat/,
    info: os(
      'rhel',
      'Red Hat Enterprise Linux',
      '9.6 (Plow)',
      'Red Hat Enterprise Linux 9.6 (Plow)',
      '5.14.0-570.12.1.el9_6.x86_64',
      '9.6',
    ),
  },
  {
    hint: /suse|sles/,
    info: os('opensuse-leap', 'openSUSE Leap', '15.6', 'openSUSE Leap 15.6', '6.4.0-150600.23-default'),
  },
  {
    hint: /windows|win\d/,
    info: os(
      'mswindows',
      'Microsoft Windows',
      'Microsoft Windows Server 2022',
      'Windows Server 2022 Standard',
      '20348',
      '2022',
    ),
  },
];

export function guestOs(vmi: VirtualMachineInstance): JsonObject {
  const { annotations = {}, name = '' } = vmi.metadata;
  const hints = [
    annotations['kubevirt.io/cluster-preference-name'],
    annotations['kubevirt.io/preference-name'],
    ...(vmi.spec.volumes ?? []).flatMap((volume) => [volume.containerDisk?.image, volume.dataVolume?.name]),
    annotations['vm.kubevirt.io/os'],
    name,
  ];
  for (const hint of hints) {
    const text = hint?.toLowerCase() ?? '';
    const found = systems.find((system) => system.hint.test(text));
    if (found !== undefined) return found.info;
  }
  return fedora;
}
