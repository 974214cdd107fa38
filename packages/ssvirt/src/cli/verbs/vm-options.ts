/** Options for creating a VM, directly or from a catalog item; the names are those of the API. */
import type { Schemas } from '@ssvirt/api-client/client';
import { defined } from '@ssvirt/base/values/defined';
import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { diskMegabytes, megabytes, wholeNumber } from './amounts.ts';

export interface VmOptions {
  readonly description?: string;
  readonly cpus?: number;
  readonly memory?: number;
  readonly instancetype?: string;
  readonly preference?: string;
  readonly diskSize?: number;
  readonly network?: readonly string[];
  readonly sshKeyFile?: readonly string[];
  readonly userData?: string;
  readonly networkData?: string;
  readonly powerOn: boolean;
}

export function withVmOptions(command: Command): Command {
  return command
    .option('--description <TEXT>', 'free text')
    .addOption(new Option('--cpus <N>', 'the number of vCPUs').argParser(wholeNumber))
    .addOption(new Option('--memory <AMOUNT>', 'memory, such as 4Gi or 4096 (MB)').argParser(megabytes))
    .option('--instancetype <NAME>', 'instead of --cpus and --memory (listed by "ssvirt vdc instance-types")')
    .option('--preference <NAME>', 'devices for the guest (listed by "ssvirt vdc preferences")')
    .addOption(new Option('--disk-size <AMOUNT>', 'the size of the boot disk, such as 20Gi').argParser(diskMegabytes))
    .addOption(
      repeated(
        '--network <NAME[=NETWORK]>',
        'a network card; with a NetworkAttachmentDefinition unless it is on the pod network',
      ),
    )
    .addOption(repeated('--ssh-key-file <FILE>', 'public keys that may log in, one per line'))
    .option('--user-data <FILE>', 'cloud-init user data, - for standard input')
    .option('--network-data <FILE>', 'cloud-init network data')
    .option('--no-power-on', 'do not power it on');
}

export function repeated(flags: string, description: string): Option {
  return new Option(flags, `${description}; may be repeated`).argParser(
    (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
  );
}

/** What a VM and a vApp of a catalog item are created with. */
type VmFields = Pick<
  Schemas['NewVm'] & Schemas['Instantiation'],
  | 'description'
  | 'cpus'
  | 'memoryMb'
  | 'instancetype'
  | 'preference'
  | 'diskSizeGb'
  | 'networks'
  | 'sshKeys'
  | 'cloudInit'
  | 'powerOn'
>;

export function vmBody(options: VmOptions): VmFields {
  const { description, cpus, memory, instancetype, preference, diskSize, network, sshKeyFile, powerOn } = options;
  return defined({
    description,
    cpus,
    memoryMb: memory,
    instancetype,
    preference,
    diskSizeGb: diskSize === undefined ? undefined : wholeGb(diskSize),
    networks: network?.map(networkOf),
    sshKeys: sshKeyFile?.flatMap(keysIn),
    cloudInit: cloudInitOf(options),
    powerOn: powerOn ? undefined : false,
  });
}

function wholeGb(mb: number): number {
  if (mb % 1024 === 0) return mb / 1024;
  throw new CliFailure('--disk-size: the size of a boot disk is whole GB, such as 20Gi.', exitCodes.usage);
}

function networkOf(text: string): NonNullable<VmFields['networks']>[number] {
  const [name = '', networkName] = text.split('=');
  return networkName === undefined ? { name, kind: 'pod' } : { name, kind: 'multus', networkName };
}

function cloudInitOf({ userData, networkData }: VmOptions): VmFields['cloudInit'] {
  if (userData === undefined && networkData === undefined) return undefined;
  return defined({
    userData: userData === undefined ? undefined : fileText(userData),
    networkData: networkData === undefined ? undefined : fileText(networkData),
  });
}

function keysIn(file: string): string[] {
  const lines = fileText(file)
    .split('\n')
    .map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

export function fileText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new CliFailure(
      `cannot read ${file}: ${(error as NodeJS.ErrnoException).code ?? 'unreadable'}.`,
      exitCodes.usage,
    );
  }
}
