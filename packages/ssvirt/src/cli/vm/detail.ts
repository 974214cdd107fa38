/** One page about a VM: `ssvirt vm get`. */
import type { Schemas } from '@ssvirt/api-client/client';
import type { ApiClient } from '../api/client.ts';
import { tasks } from '../api/entity-kinds.ts';
import { listOf } from '../api/pages.ts';
import { factSection, page } from '../cluster/page.ts';
import { ago } from '../output/ago.ts';

type Vm = Schemas['Vm'];
type Task = Pick<Schemas['Task'], 'operation' | 'status' | 'startTime' | 'user' | 'error' | 'message'>;

export async function vmDetail(client: ApiClient, vm: Vm): Promise<string> {
  const [task] = await listOf(client, tasks.list, { filter: `owner.id==${vm.id}`, limit: 1 });
  return detailPage(vm, task, Date.now());
}

export function detailPage(vm: Vm, task: Task | undefined, now: number): string {
  const { hostName, guestOs, placement, owner } = vm;
  return page([
    factSection(`Virtual machine ${vm.name}`, [
      ['status', vm.stale ? `${vm.status} (stale)` : vm.status],
      ['stale', vm.staleReason?.message],
      ['reason', vm.fault === null ? undefined : `${vm.fault.reason}: ${vm.fault.message}`],
      ['pending restart', restartText(vm)],
      ['busy', vm.busy ? 'a disk is still being filled' : undefined],
      ['size', sizeText(vm)],
      ['disks', orNone(vm.disks.map(diskText))],
      ['network cards', orNone(vm.networks.map(networkText))],
      ['addresses', orNone(vm.ipAddresses)],
      ['host name', hostName ?? undefined],
      ['guest', guestOs ?? undefined],
      ['VDC', vm.vdc.name],
      ['vApp', vm.standalone ? 'none' : vm.vapp.name],
      ['owner', owner?.name ?? 'unknown'],
      [
        'placed on',
        placement &&
          `cluster ${placement.cluster}, namespace ${placement.namespace}${placement.node === null ? '' : `, node ${placement.node}`}`,
      ],
      ['created', ago(vm.createdAt, now)],
      ['last task', task === undefined ? 'none on record' : taskText(task, now)],
      ['description', vm.description === '' ? undefined : vm.description],
      ['id', vm.id],
    ]),
  ]);
}

/** What a power-off and power-on will change, as far as the API knows. */
function restartText({ restartRequired, cpus, memoryMb, observed }: Vm): string | undefined {
  if (!restartRequired) return undefined;
  const changes = [
    ...changed('CPUs', observed.cpus, cpus, ''),
    ...changed('memory', observed.memoryMb, memoryMb, ' MB'),
  ];
  const what = changes.length === 0 ? 'a change' : changes.join(', ');
  return `${what}: takes effect after a power-off and power-on`;
}

function changed(what: string, now: number | null, then: number | null, unit: string): readonly string[] {
  return now === null || then === null || now === then ? [] : [`${what} from ${now}${unit} to ${then}${unit}`];
}

function sizeText({ instancetype, cpus, memoryMb }: Vm): string {
  const size = `${cpus ?? '?'} CPUs, ${memoryMb ?? '?'} MB`;
  return instancetype === undefined ? size : `${instancetype}: ${size}`;
}

function diskText({ name, sizeMb, boot }: Vm['disks'][number]): string {
  return `${name}${sizeMb === null ? '' : ` ${sizeMb} MB`}${boot ? ' (boot)' : ''}`;
}

function networkText({ name, networkName }: Vm['networks'][number]): string {
  return networkName === undefined ? name : `${name} (${networkName})`;
}

function orNone(all: readonly string[]): string {
  return all.length === 0 ? 'none known' : all.join(', ');
}

function taskText({ operation, status, startTime, user, error, message }: Task, now: number): string {
  const by = user === null ? '' : ` by ${user.name}`;
  const why = error?.message ?? message;
  return `${operation}: ${status}, started ${ago(startTime, now)}${by}${why === '' ? '' : `: ${why}`}`;
}
