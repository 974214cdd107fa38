/** The operations on VMs and vApps during which a replica is struck. */
import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '../../../../packages/ssvirt/src/db/schema/schema.ts';
import type { Told } from '../../../processes/api-server.ts';
import type { Vdc } from '../harness.ts';
import type { Replica } from '../replica.ts';
import { foreignLabel } from './agreement.ts';
import type { Item, MachineCrashHarness } from './harness.ts';
import { configMaps } from './kinds.ts';

/** The object of an operation, by a name that occurs in everything created for it. */
export interface Subject {
  readonly name: string;
  readonly vdc: Vdc;
  /** The ids of an object that existed before. */
  readonly vapp?: string;
  readonly vm?: string;
}

/** What the rows show afterwards. */
export interface Kept {
  /** Rows of VMs that are not deleted. */
  readonly vms: readonly {
    readonly desired_power: string;
    readonly cpu_count: number | null;
    readonly memory_mb: number | null;
    readonly spec: JsonObject;
  }[];
  readonly vapps: number;
}

export interface EndedTask {
  readonly operation: string;
  readonly status: string;
  readonly message: string | null;
}

export interface Operation {
  /** Creates what must exist before. */
  readonly before?: (harness: MachineCrashHarness, replica: Replica, subject: Subject) => Promise<Told>;
  readonly ask: (harness: MachineCrashHarness, replica: Replica, subject: Subject) => Promise<Told>;
  /** Whether the rows show the effect of an acknowledged operation. */
  readonly isKept: (kept: Kept) => boolean;
  /** How a task on it may end; successfully by default. */
  readonly mayEnd?: (task: EndedTask) => boolean;
  /** The cluster refuses to create VMs meanwhile. */
  readonly isRefused?: true;
}

const key = sshKey();
/** Powered off for operations that are not about power: the boot is the cluster's work, and takes time. */
const small = { image: 'containerdisks/fedora:42', cpus: 1, memoryMb: 128, powerOn: false };
const told = { cloudInit: { userData: '#cloud-config\n{}\n' }, sshKeys: [key], disks: [{ name: 'data', sizeMb: 64 }] };

const urn = (kind: 'vdc' | 'vapp' | 'vm', id = ''): string => `urn:vcloud:${kind}:${id}`;

type Act = Operation['ask'];

const create =
  (more: object): Act =>
  (harness, replica, { name, vdc }) =>
    harness.ask(replica, 'POST', `vdcs/${urn('vdc', vdc.id)}/vms`, { body: { name, ...small, ...more } });

const instantiate =
  (item: Item, parameters: Readonly<Record<string, string>>): Act =>
  (harness, replica, { name, vdc }) =>
    harness.ask(replica, 'POST', `vdcs/${urn('vdc', vdc.id)}/actions/instantiateTemplate`, {
      body: {
        name,
        catalogItem: { id: harness.item(item) },
        parameters: { NAME: name, ...parameters },
        powerOn: false,
      },
    });

const power =
  (word: string): Act =>
  (harness, replica, { vm }) =>
    harness.ask(replica, 'POST', `vms/${urn('vm', vm)}/actions/${word}`);

const deleteVapp: Act = (harness, replica, { vapp }) =>
  harness.ask(replica, 'DELETE', `vapps/${urn('vapp', vapp)}?force=true`);

/** Creates a vApp, and in it a VM with everything that a VM may have. */
const fill: Act = async (harness, replica, { name, vdc }) => {
  const made = await harness.ask(replica, 'POST', `vdcs/${urn('vdc', vdc.id)}/vapps`, { body: { name } });
  if (made.status >= 300) return made;
  const body = { name, ...small, ...told, powerOn: true };
  return harness.ask(replica, 'POST', `vapps/${String(made.body['id'])}/vms`, { body });
};

/** Creates an object with the name that the template needs. */
const taken: Act = async (harness, _replica, { name, vdc: { namespace } }) => {
  await harness.cluster.client.create(configMaps, { metadata: { namespace, name, labels: { [foreignLabel]: '' } } });
  return { status: 202, headers: {}, body: {} };
};

const template = instantiate('template', { WORD: 'a word that nobody is to read' });
const isMade = ({ vms, vapps }: Kept): boolean => vapps === 1 && vms.length === 1;
const isGone = ({ vms, vapps }: Kept): boolean => vapps === 0 && vms.length === 0;
const hasPower =
  (wanted: string) =>
  ({ vms: [vm] }: Kept): boolean =>
    vm?.desired_power === wanted;
const disksOf = ({ vms: [vm] }: Kept): readonly { readonly name: string }[] =>
  (vm?.spec['disks'] ?? []) as readonly { readonly name: string }[];
const isRefusal = ({ status, message }: EndedTask): boolean =>
  status === 'error' && /refuses|fault of the sandbox|already exists/.test(message ?? '');

const [off, on] = [create({}), create({ powerOn: true })];

export const operations = {
  create: { ask: create(told), isKept: isMade },
  instantiate: { ask: template, isKept: isMade },
  'create of a machine template': { ask: instantiate('machineTemplate', { MEMORY: '128Mi' }), isKept: isMade },
  'power on': { before: off, ask: power('powerOn'), isKept: hasPower('on') },
  'power off': { before: on, ask: power('powerOff'), isKept: hasPower('off') },
  shutdown: { before: on, ask: power('shutdown'), isKept: hasPower('off') },
  reset: {
    before: on,
    ask: power('reset'),
    isKept: isMade,
    mayEnd: ({ status, message }) => status === 'success' || /the outcome is unknown/.test(message ?? ''),
  },
  resize: {
    before: off,
    ask: (harness, replica, { vm }) =>
      harness.ask(replica, 'PUT', `vms/${urn('vm', vm)}`, { body: { cpus: 2, memoryMb: 256 } }),
    isKept: ({ vms: [vm] }) => vm?.cpu_count === 2 && vm.memory_mb === 256,
  },
  'add a disk': {
    before: off,
    ask: (harness, replica, { vm }) =>
      harness.ask(replica, 'POST', `vms/${urn('vm', vm)}/disks`, { body: { name: 'more', sizeMb: 64 } }),
    isKept: (kept) => disksOf(kept).some(({ name }) => name === 'more'),
  },
  'delete of a vApp': { before: fill, ask: deleteVapp, isKept: isGone },
  'delete of what a template made': { before: template, ask: deleteVapp, isKept: isGone },
  'create that is refused': { ask: create(told), isKept: isGone, mayEnd: isRefusal, isRefused: true },
  'instantiate that is refused': { before: taken, ask: template, isKept: isGone, mayEnd: isRefusal },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as readonly OperationName[];

export function operationOf(name: OperationName): Operation {
  return operations[name];
}

function sshKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const part = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from('ssh-ed25519')), part(raw)]).toString('base64')} test`;
}
