/** What the state of a tenant's virtual machine means, what is wrong and what to do. */
import type { Task } from '../api/entities.ts';
import { asSentence, withEnd, type Advice } from '../cluster/advice.ts';
import type { TenantCase } from './tenant-case.ts';

export interface TenantAdvice extends Advice {
  readonly next: readonly string[];
}

interface Meaning {
  readonly verdict: Advice['verdict'];
  readonly says: string;
  /** `NAME` stands for the machine. */
  readonly next?: string;
}

const meanings: Readonly<Record<string, Meaning>> = {
  POWERED_ON: { verdict: 'well', says: 'it runs' },
  POWERED_OFF: { verdict: 'well', says: 'it is off, and nobody wants it to run', next: 'ssvirt vm power-on NAME' },
  POWERING_ON: { verdict: 'underway', says: 'it is to run and does not yet', next: 'ssvirt vm get NAME --watch' },
  POWERING_OFF: { verdict: 'underway', says: 'it is being stopped', next: 'ssvirt vm get NAME --watch' },
  SUSPENDED: { verdict: 'well', says: 'it is suspended, and stands still', next: 'ssvirt vm resume NAME' },
  FAILED: { verdict: 'wrong', says: 'it is to run and cannot; it goes on by itself when what hinders it is mended' },
  UNKNOWN: { verdict: 'wrong', says: 'nobody knows how it is, since its node does not answer: tell the provider' },
  DELETING: { verdict: 'underway', says: 'it is being deleted', next: 'ssvirt vm get NAME --watch' },
  UNRESOLVED: { verdict: 'underway', says: 'it is not in its cluster yet', next: 'ssvirt vm get NAME --watch' },
};

/** So long a cluster takes at most to show what was made in it, where all is well. */
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
  const state = vm.stale ? `${vm.status} was the last status that was seen` : `${vm.status}: ${meaning.says}`;
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
          'nobody has seen it in its cluster, and nothing is done about it: tell the provider, who looks at the vm-controller',
        ]
      : []),
    ...(vdc?.isEnabled === false
      ? [`its virtual data center "${vdc.name}" is disabled: nothing new is started in it`]
      : []),
    ...syncFailures.map(
      ({ errorType, message, attempts }) =>
        `its state could not be written down, which was tried ${attempts} times (${errorType}): ${message}`,
    ),
  ];
}

/** What is not known, since when, and whose it is to mend. */
function staleText({ stale, staleReason, placement }: TenantCase['vm']): readonly string[] {
  if (!stale) return [];
  const why = staleReason?.message ?? 'Its cluster cannot be read just now.';
  const isProvider = placement !== undefined;
  const todo = isProvider
    ? (staleRemedies[staleReason?.reason ?? ''] ?? staleRemedies['ClusterSilent'])
    : 'tell the provider where it lasts';
  return [`${why} What is shown is the last that is known, and may not be true now: ${todo}`];
}

const staleRemedies: Readonly<Record<string, string>> = {
  ControllerSilent: 'look at the pods and the log of ssvirt-vm-controller, and at GET /health/controller',
  ClusterSilent: 'look at "ssvirt fleet status --check", and at the log of ssvirt-vm-controller',
  ClusterUnknown: 'look at the KubevirtConfigs with "ssvirt fleet status"',
  ClusterChanged: 'look at "ssvirt fleet status", and accept the cluster if it is the right one',
  NamespaceForbidden: 'give the vm-controller its rights there',
};

function isOpen({ status }: Task): boolean {
  return open.has(status);
}

/** With the step that failed: what came before it is done. */
export function failureText({ operation, step, error, status }: Task): string {
  const where = step === '' ? '' : ` at the step "${step}"`;
  const why = error === null ? `it was ${status}` : withEnd(error.message);
  return `the last task, "${operation}", failed${where}: ${why}`;
}

function waitingText({ operation, step, progress, message }: Task): string {
  const where = [`${progress} %`, ...(step === '' ? [] : [`at "${step}"`])].join(', ');
  return `a task is under way: "${operation}" (${where})${message === '' ? '' : `: ${message}`}`;
}

function remarks({ vm, vapp }: TenantCase): readonly string[] {
  return [
    ...(vm.fault !== null && vm.status === 'POWERING_ON' ? [vm.fault.message] : []),
    ...(vm.busy === true ? ['a disk of it is still being filled'] : []),
    ...(vm.restartRequired ? ['a change takes effect when it is powered off and on again'] : sizeStillToCome(vm)),
    ...(vapp?.fault === null || vapp?.fault === undefined ? [] : [`its vApp "${vapp.name}": ${vapp.fault}`]),
  ];
}

/** KubeVirt gives more to a machine that runs by moving it to another node, where its provider lets it. */
function sizeStillToCome({ status, cpus, memoryMb, observed }: TenantCase['vm']): readonly string[] {
  const has = { cpus: observed?.cpus ?? cpus, memoryMb: observed?.memoryMb ?? memoryMb };
  const isThere = (cpus === null || has.cpus === cpus) && (memoryMb === null || has.memoryMb === memoryMb);
  if (status !== 'POWERED_ON' || isThere) return [];
  return [
    `it was asked for with ${sizeText({ cpus, memoryMb })}, and has ${sizeText(has)} so far: what is missing comes when the cluster moves it to another node; ` +
      'where that does not happen soon, power it off and on again',
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
