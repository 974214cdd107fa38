/** One page about a tenant's VM, for a person. */
import { adviceHead } from '../cluster/advice.ts';
import { factSection, page, sentenceSection, type PageSection } from '../cluster/page.ts';
import { ago } from '../output/ago.ts';
import { columns } from '../output/columns.ts';
import type { TenantAdvice } from './tenant-advice.ts';
import type { TenantCase } from './tenant-case.ts';

export function tenantPage(seen: TenantCase, advice: TenantAdvice): string {
  return page([
    machineSection(seen),
    taskSection(seen),
    failureSection(seen),
    sentenceSection(adviceHead(advice), advice.sentences),
    advice.next.length === 0 ? [] : sentenceSection('Next', advice.next),
  ]);
}

function machineSection({ vm, vapp, vdc, now }: TenantCase): PageSection {
  const { placement } = vm;
  return factSection(`Virtual machine ${vm.name}`, [
    ['id', vm.id],
    ['status', statusText(vm)],
    ['vApp', `${vm.vapp.name}${vapp === undefined ? '' : `, ${statusText(vapp)}`}`],
    ['VDC', vdcText(vm.vdc.name, vdc)],
    ['size', sizeText(vm)],
    ['disks', vm.disks.length === 0 ? 'none' : vm.disks.map(diskText).join(', ')],
    ['addresses', vm.ipAddresses.length === 0 ? undefined : vm.ipAddresses.join(', ')],
    ['guest', vm.guestOs ?? undefined],
    [
      'placed on',
      placement === undefined
        ? undefined
        : `cluster ${placement.cluster}, namespace ${placement.namespace}${placement.node === null ? '' : `, node ${placement.node}`}`,
    ],
    ['created', ago(vm.createdAt, now)],
    ['changed', vm.updatedAt === undefined ? undefined : ago(vm.updatedAt, now)],
  ]);
}

function statusText({
  status,
  stale = false,
}: {
  readonly status: string;
  readonly stale?: boolean | undefined;
}): string {
  return stale ? `${status} (stale)` : status;
}

function vdcText(name: string, vdc: TenantCase['vdc']): string {
  if (vdc === undefined) return name;
  const status = statusText({ status: vdc.statusText, stale: vdc.stale });
  const parts = [name, status, vdc.isEnabled ? undefined : 'disabled', vdc.message];
  return parts.filter((one) => one !== undefined && one !== '').join(', ');
}

function sizeText({ instancetype, cpus, memoryMb }: TenantCase['vm']): string {
  const size = `${cpus ?? '?'} CPUs, ${memoryMb ?? '?'} MB`;
  return instancetype === undefined ? size : `${instancetype}: ${size}`;
}

function diskText({ name, sizeMb, boot }: TenantCase['vm']['disks'][number]): string {
  return `${name}${sizeMb === null ? '' : ` ${sizeMb} MB`}${boot ? ' (boot)' : ''}`;
}

function taskSection({ tasks, now }: TenantCase): PageSection {
  if (tasks.length === 0) return ['Tasks: none on record'];
  const rows = tasks.map(({ startTime, operation, status, step, error, message, user }) => [
    ago(startTime, now),
    status,
    operation,
    step || '-',
    user?.name ?? '-',
    error?.message ?? message,
  ]);
  return ['Tasks, newest first', ...columns([['WHEN', 'STATUS', 'OPERATION', 'STEP', 'USER', ''], ...rows])];
}

/** Only the provider may read these; for other users the section is omitted. */
function failureSection({ syncFailures = [], now }: TenantCase): PageSection {
  if (syncFailures.length === 0) return [];
  const rows = syncFailures.map(({ lastFailedAt, errorType, attempts, message }) => [
    ago(lastFailedAt, now),
    errorType,
    `${attempts} times`,
    message,
  ]);
  return ['State that could not be written', ...columns([['WHEN', 'ERROR', 'TRIED', 'MESSAGE'], ...rows])];
}
