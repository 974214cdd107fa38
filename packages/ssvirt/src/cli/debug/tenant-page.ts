/** One page about a tenant's VM, for a person. */
import type { Schemas } from '@ssvirt/api-client/client';
import { adviceHead, withEnd } from '../cluster/advice.ts';
import { factSection, page, sentenceSection, type PageSection } from '../cluster/page.ts';
import { ago } from '../output/ago.ts';
import { columns } from '../output/columns.ts';
import { plain } from '../output/plain.ts';

type Explanation = Schemas['VmExplanation'];

export function tenantPage(explained: Explanation, now: number): string {
  return page([
    machineSection(explained, now),
    taskSection(explained, now),
    failureSection(explained, now),
    findingSection(explained),
    explained.next.length === 0 ? [] : sentenceSection('Next', explained.next),
  ]);
}

/** What is wrong comes first, then what the status means. */
function findingSection({ verdict, summary, findings }: Explanation): PageSection {
  const isWrong = ({ severity }: Schemas['Finding']): boolean => severity === 'wrong';
  return [
    adviceHead({ verdict }),
    ...findings.filter(isWrong).flatMap((one) => findingLines(one, `${one.reason}: `)),
    `  ${plain(summary)}`,
    ...findings.filter((one) => !isWrong(one)).flatMap((one) => findingLines(one)),
  ];
}

function findingLines({ what, why, remedy }: Schemas['Finding'], prefix = ''): readonly string[] {
  const text = why === null ? what : `${what.replace(/\.$/, '')}: ${why}`;
  return [`  ${prefix}${plain(withEnd(text))}`, ...(remedy === null ? [] : [`    ${plain(remedy)}`])];
}

function machineSection({ vm, vapp, vdc }: Explanation, now: number): PageSection {
  const { placement } = vm;
  return factSection(`Virtual machine ${vm.name}`, [
    ['id', vm.id],
    ['status', statusText(vm)],
    ['vApp', vm.standalone ? undefined : `${vm.vapp.name}${vapp === undefined ? '' : `, ${statusText(vapp)}`}`],
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
    ['changed', ago(vm.updatedAt, now)],
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

function vdcText(name: string, vdc: Explanation['vdc']): string {
  if (vdc === undefined) return name;
  const status = statusText({ status: vdc.statusText, stale: vdc.stale });
  const parts = [name, status, vdc.isEnabled ? undefined : 'disabled', vdc.message];
  return parts.filter((one) => one !== undefined && one !== '').join(', ');
}

function sizeText({ instancetype, cpus, memoryMb }: Explanation['vm']): string {
  const size = `${cpus ?? '?'} CPUs, ${memoryMb ?? '?'} MB`;
  return instancetype === undefined ? size : `${instancetype}: ${size}`;
}

function diskText({ name, sizeMb, boot }: Explanation['vm']['disks'][number]): string {
  return `${name}${sizeMb === null ? '' : ` ${sizeMb} MB`}${boot ? ' (boot)' : ''}`;
}

function taskSection({ tasks }: Explanation, now: number): PageSection {
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
function failureSection({ syncFailures = [] }: Explanation, now: number): PageSection {
  if (syncFailures.length === 0) return [];
  const rows = syncFailures.map(({ lastFailedAt, errorType, attempts, message }) => [
    ago(lastFailedAt, now),
    errorType,
    `${attempts} times`,
    message,
  ]);
  return ['State that could not be written', ...columns([['WHEN', 'ERROR', 'TRIED', 'MESSAGE'], ...rows])];
}
