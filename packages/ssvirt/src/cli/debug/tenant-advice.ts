/** Explains the state of a tenant's VM: what is wrong, and what to do. */
import type { Schemas } from '@ssvirt/api-client/client';
import { asSentence, withEnd, type Advice } from '../cluster/advice.ts';
import type { TenantCase } from './tenant-case.ts';

export interface TenantAdvice extends Advice {
  readonly next: readonly string[];
}

interface Meaning {
  readonly verdict: Advice['verdict'];
  readonly says: string;
  /** `NAME` stands for the VM. */
  readonly next?: string;
}

const meanings: Readonly<Partial<Record<Schemas['Vm']['status'], Meaning>>> = {
  POWERED_ON: { verdict: 'well', says: 'it is running' },
  POWERED_OFF: { verdict: 'well', says: 'it is off, and it is meant to be', next: 'ssvirt vm power-on NAME' },
  POWERING_ON: { verdict: 'underway', says: 'it is starting', next: 'ssvirt vm get NAME --watch' },
  POWERING_OFF: { verdict: 'underway', says: 'it is stopping', next: 'ssvirt vm get NAME --watch' },
  SUSPENDED: { verdict: 'well', says: 'it is suspended', next: 'ssvirt vm resume NAME' },
  FAILED: { verdict: 'wrong', says: 'it cannot start; it starts by itself when the cause is fixed' },
  UNKNOWN: { verdict: 'wrong', says: 'its state is unknown, since its node does not answer: tell the provider' },
  DELETING: { verdict: 'underway', says: 'it is being deleted', next: 'ssvirt vm get NAME --watch' },
  UNRESOLVED: { verdict: 'underway', says: 'it does not exist in its cluster yet', next: 'ssvirt vm get NAME --watch' },
};

/** The longest time that a healthy cluster needs to show a newly created object. */
const patienceMs = 120_000;
const failed = new Set(['error', 'aborted']);
const open = new Set(['queued', 'preRunning', 'running']);

export function tenantAdvice(seen: TenantCase): TenantAdvice {
  const { vm, tasks } = seen;
  const meaning = meanings[vm.status] ?? { verdict: 'wrong', says: `its status is ${vm.status}` };
  const wrong = troublesOf(seen);
  const waits = tasks.filter(({ status }) => open.has(status)).map(waitingText);
  const verdict =
    wrong.length > 0 ? 'wrong' : waits.length > 0 && meaning.verdict === 'well' ? 'underway' : meaning.verdict;
  const state = vm.stale ? `${vm.status} was the last known status` : `${vm.status}: ${meaning.says}`;
  const sentences = [...wrong, state, ...waits, ...remarks(seen), ...(verdict === 'well' ? ['nothing is wrong'] : [])];
  return { verdict, sentences: sentences.map(asSentence), next: nextFor(seen, meaning) };
}

function troublesOf({ vm, vdc, tasks, syncFailures = [], now }: TenantCase): readonly string[] {
  const [last] = tasks;
  const isLost = vm.status === 'UNRESOLVED' && now - Date.parse(vm.createdAt) > patienceMs && !tasks.some(isOpen);
  return [
    ...staleText(vm),
    ...(vm.fault === null || vm.status === 'POWERING_ON' ? [] : [`${vm.fault.reason}: ${vm.fault.message}`]),
    ...(last !== undefined && failed.has(last.status) ? [failureText(last)] : []),
    ...(isLost
      ? [
          'it does not exist in its cluster, and no task is creating it: tell the provider, who should check the vm-controller',
        ]
      : []),
    ...(vdc?.isEnabled === false
      ? [`its virtual data center "${vdc.name}" is disabled: nothing new starts in it`]
      : []),
    ...syncFailures.map(
      ({ errorType, message, attempts }) =>
        `its state could not be written to the database, after ${attempts} attempts (${errorType}): ${message}`,
    ),
  ];
}

/** What is unknown, since when, and who must fix it. */
function staleText({ stale, staleReason, placement }: TenantCase['vm']): readonly string[] {
  if (!stale) return [];
  const why = staleReason?.message ?? 'Its cluster cannot be read at the moment.';
  const isProvider = placement !== undefined;
  const todo = isProvider
    ? (staleRemedies[staleReason?.reason ?? ''] ?? staleRemedies['ClusterSilent'])
    : 'tell the provider if this lasts';
  return [`${why} The page shows the last known state, which may be out of date: ${todo}`];
}

const staleRemedies: Readonly<Record<string, string>> = {
  ControllerSilent: 'check the pods and the log of ssvirt-vm-controller, and GET /health/controller',
  ClusterSilent: 'check "ssvirt fleet status --check" and the log of ssvirt-vm-controller',
  ClusterUnknown: 'check the KubevirtConfigs with "ssvirt fleet status"',
  ClusterChanged: 'check "ssvirt fleet status", and accept the cluster if it is the right one',
  WriteFailed: 'check "ssvirt sync-failure list"',
  NamespaceForbidden: 'grant the vm-controller its permissions there',
};

function isOpen({ status }: Schemas['Task']): boolean {
  return open.has(status);
}

/** Names the step that failed: the steps before it are done. */
export function failureText({ operation, step, error, status }: Schemas['Task']): string {
  const where = step === '' ? '' : ` at the step "${step}"`;
  const why = error === null ? `it was ${status}` : withEnd(error.message);
  return `the last task, "${operation}", failed${where}: ${why}`;
}

function waitingText({ operation, step, progress, message }: Schemas['Task']): string {
  const where = [`${progress} %`, ...(step === '' ? [] : [`at "${step}"`])].join(', ');
  return `a task is in progress: "${operation}" (${where})${message === '' ? '' : `: ${message}`}`;
}

function remarks({ vm, vapp }: TenantCase): readonly string[] {
  return [
    ...(vm.fault !== null && vm.status === 'POWERING_ON' ? [vm.fault.message] : []),
    ...(vm.busy ? ['one of its disks is still being filled'] : []),
    ...(vm.restartRequired ? ['a change takes effect after a power-off and power-on'] : sizeStillToCome(vm)),
    ...(vapp?.fault === null || vapp?.fault === undefined ? [] : [`its vApp "${vapp.name}": ${vapp.fault}`]),
  ];
}

/** KubeVirt resizes a running VM by migrating it to another node, if the provider allows it. */
function sizeStillToCome({ status, cpus, memoryMb, observed }: TenantCase['vm']): readonly string[] {
  const has = { cpus: observed?.cpus ?? cpus, memoryMb: observed?.memoryMb ?? memoryMb };
  const isThere = (cpus === null || has.cpus === cpus) && (memoryMb === null || has.memoryMb === memoryMb);
  if (status !== 'POWERED_ON' || isThere) return [];
  return [
    `it was requested with ${sizeText({ cpus, memoryMb })} and has ${sizeText(has)} so far: the rest is added when the cluster moves it to another node; ` +
      'if that does not happen soon, power it off and on again',
  ];
}

function sizeText({ cpus, memoryMb }: Pick<TenantCase['vm'], 'cpus' | 'memoryMb'>): string {
  return `${cpus ?? 'some'} vCPUs and ${memoryMb ?? 'some'} MB`;
}

function nextFor({ vm, tasks, syncFailures = [] }: TenantCase, { next }: Meaning): readonly string[] {
  const [last] = tasks;
  const at = vm.placement;
  return [
    ...(last !== undefined && (failed.has(last.status) || isOpen(last)) ? [`ssvirt task get ${last.id}`] : []),
    ...(next === undefined ? [] : [next.replace('NAME', vm.id)]),
    ...(at !== undefined && (vm.fault !== null || vm.status === 'FAILED')
      ? [`kubectl describe vm,vmi -n ${at.namespace}   # in cluster "${at.cluster}"`]
      : []),
    ...(syncFailures.length > 0 ? ['ssvirt sync-failure list'] : []),
  ];
}
