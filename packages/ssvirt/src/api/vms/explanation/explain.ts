/** Explains the state of a VM from what its user may see of it: what is wrong, why, and what to do. */
import { remedyOf } from '../../../kubevirt/status/remedies.ts';
import type { FindingShape, VmExplanationShape } from './schemas.ts';

/** What the user may see of a VM. A provider also sees `placement` and `syncFailures`. */
export type VisibleVm = Pick<VmExplanationShape, 'vm' | 'vapp' | 'vdc' | 'tasks' | 'syncFailures'>;
export type Conclusion = Pick<VmExplanationShape, 'verdict' | 'summary' | 'findings' | 'next'>;

type ShownVm = VisibleVm['vm'];
type ShownTask = VisibleVm['tasks'][number];

interface Meaning {
  readonly verdict: Conclusion['verdict'];
  readonly text: string;
  /** `VM` stands for its id. */
  readonly next?: string;
}

const meanings: Readonly<Record<ShownVm['status'], Meaning>> = {
  POWERED_ON: { verdict: 'well', text: 'it is running' },
  POWERED_OFF: { verdict: 'well', text: 'it is off, and it is meant to be', next: 'ssvirt vm power-on VM' },
  POWERING_ON: { verdict: 'underway', text: 'it is starting', next: 'ssvirt vm get VM --watch' },
  POWERING_OFF: { verdict: 'underway', text: 'it is stopping', next: 'ssvirt vm get VM --watch' },
  SUSPENDED: { verdict: 'well', text: 'it is suspended', next: 'ssvirt vm resume VM' },
  FAILED: { verdict: 'wrong', text: 'it cannot start; it starts by itself when the cause is fixed' },
  UNKNOWN: { verdict: 'wrong', text: 'its state is unknown, since its node does not answer: tell the provider' },
  DELETING: { verdict: 'underway', text: 'it is being deleted', next: 'ssvirt vm get VM --watch' },
  DELETED: { verdict: 'wrong', text: 'it no longer exists in its cluster, and can only be read' },
  UNRESOLVED: { verdict: 'underway', text: 'it does not exist in its cluster yet', next: 'ssvirt vm get VM --watch' },
};

/** The longest time that a healthy cluster needs to show a newly created object. */
const patienceMs = 120_000;
const failed: ReadonlySet<string> = new Set(['error', 'aborted']);
const open: ReadonlySet<string> = new Set(['queued', 'preRunning', 'running']);

export function explain(seen: VisibleVm, now: Date): Conclusion {
  const { vm } = seen;
  const meaning = meanings[vm.status];
  const findings = [...troubles(seen, now), ...seen.tasks.filter(isOpen).map(openTask), ...notes(seen)];
  const verdict = verdictOf(meaning.verdict, findings);
  const status = vm.stale ? `${vm.status} was the last known status.` : `${vm.status}: ${meaning.text}.`;
  return {
    verdict,
    summary: verdict === 'well' ? `${status} Nothing is wrong.` : status,
    findings,
    next: nextCommands(seen, meaning),
  };
}

function verdictOf(ofStatus: Conclusion['verdict'], findings: readonly FindingShape[]): Conclusion['verdict'] {
  const has = (severity: FindingShape['severity']): boolean => findings.some((one) => one.severity === severity);
  if (has('wrong')) return 'wrong';
  return has('underway') && ofStatus === 'well' ? 'underway' : ofStatus;
}

function finding(
  severity: FindingShape['severity'],
  reason: string,
  what: string,
  { why = null, remedy = null }: Partial<Pick<FindingShape, 'why' | 'remedy'>> = {},
): FindingShape {
  return { severity, reason, what, why, remedy };
}

function troubles({ vm, vdc, tasks, syncFailures = [] }: VisibleVm, now: Date): FindingShape[] {
  const [last] = tasks;
  const isProvider = vm.placement !== undefined;
  const age = now.getTime() - Date.parse(vm.createdAt);
  const isLost = vm.status === 'UNRESOLVED' && age > patienceMs && !tasks.some(isOpen);
  return [
    ...(vm.stale ? [staleStatus(vm)] : []),
    ...(vm.fault === null || vm.status === 'POWERING_ON' ? [] : [faultOf('wrong', vm.fault, isProvider)]),
    ...(last !== undefined && failed.has(last.status) ? [failedTask(last)] : []),
    ...(isLost
      ? [
          finding('wrong', 'NOT_CREATED', 'It does not exist in its cluster, and no task is creating it.', {
            remedy: isProvider
              ? 'Check the vm-controller: GET /health/controller.'
              : 'Tell the provider, who should check the vm-controller.',
          }),
        ]
      : []),
    ...(vdc?.isEnabled === false
      ? [
          finding(
            'wrong',
            'VDC_DISABLED',
            `Its virtual data center "${vdc.name}" is disabled: nothing new starts in it.`,
            { remedy: isProvider ? 'Enable it if that is not intended.' : 'Ask the provider to enable it.' },
          ),
        ]
      : []),
    ...syncFailures.map(({ errorType, message, attempts }) =>
      finding(
        'wrong',
        'STATE_NOT_WRITTEN',
        `Its state could not be written to the database, after ${attempts} attempts (${errorType}).`,
        { why: message, remedy: 'Fix the cause, and retry the sync failure.' },
      ),
    ),
  ];
}

/** What is unknown, since when, and who must fix it. */
function staleStatus({ staleReason, placement }: ShownVm): FindingShape {
  const { reason, message } = staleReason ?? {
    reason: 'ClusterSilent',
    message: 'Its cluster cannot be read at the moment.',
  };
  const remedy = placement === undefined ? 'Tell the provider if this lasts.' : staleRemedies[reason];
  return finding('wrong', reason, 'The status is the last known one and may be out of date.', {
    why: message,
    remedy: remedy ?? null,
  });
}

const staleRemedies: Readonly<Record<string, string>> = {
  ControllerSilent: 'Check the pods and the log of ssvirt-vm-controller, and GET /health/controller.',
  ClusterSilent: 'Check "ssvirt fleet status --check" and the log of ssvirt-vm-controller.',
  ClusterUnknown: 'Check the KubevirtConfigs with "ssvirt fleet status".',
  ClusterChanged: 'Check "ssvirt fleet status", and accept the cluster if it is the right one.',
  WriteFailed: 'Check "ssvirt sync-failure list".',
  NamespaceForbidden: 'Grant the vm-controller its permissions there.',
};

function faultOf(
  severity: FindingShape['severity'],
  { reason, message }: NonNullable<ShownVm['fault']>,
  isProvider: boolean,
): FindingShape {
  return finding(severity, reason, message, { remedy: remedyOf(reason, isProvider ? 'provider' : 'tenant') });
}

function isOpen({ status }: ShownTask): boolean {
  return open.has(status);
}

/** Names the step that failed: the steps before it are done. */
function failedTask({ operation, step, error, status }: ShownTask): FindingShape {
  const where = step === '' ? '' : ` at the step "${step}"`;
  return finding('wrong', 'TASK_FAILED', `The last task, "${operation}", failed${where}.`, {
    why: error?.message ?? `It was ${status}.`,
  });
}

function openTask({ operation, step, progress, message }: ShownTask): FindingShape {
  const where = [`${progress} %`, ...(step === '' ? [] : [`at "${step}"`])].join(', ');
  const what = `A task is in progress: "${operation}" (${where}).`;
  return finding('underway', 'TASK_IN_PROGRESS', what, { why: message === '' ? null : message });
}

function notes({ vm, vapp }: VisibleVm): FindingShape[] {
  const isProvider = vm.placement !== undefined;
  return [
    ...(vm.fault !== null && vm.status === 'POWERING_ON' ? [faultOf('note', vm.fault, isProvider)] : []),
    ...(vm.busy ? [finding('note', 'DISK_BUSY', 'One of its disks is still being filled.')] : []),
    ...(vm.restartRequired
      ? [finding('note', 'RESTART_REQUIRED', 'A change takes effect after a power-off and power-on.')]
      : pendingSize(vm)),
    ...(vapp === undefined || vapp.fault === null
      ? []
      : [
          finding(
            'note',
            'VAPP_FAULT',
            vm.standalone ? 'Its own vApp has a fault.' : `Its vApp "${vapp.name}" has a fault.`,
            { why: vapp.fault },
          ),
        ]),
  ];
}

/** KubeVirt resizes a running VM by migrating it to another node, if the provider allows it. */
function pendingSize({ status, cpus, memoryMb, observed }: ShownVm): FindingShape[] {
  const has = { cpus: observed.cpus ?? cpus, memoryMb: observed.memoryMb ?? memoryMb };
  const isThere = (cpus === null || has.cpus === cpus) && (memoryMb === null || has.memoryMb === memoryMb);
  if (status !== 'POWERED_ON' || isThere) return [];
  const what = `It was requested with ${sizeText({ cpus, memoryMb })} and has ${sizeText(has)} so far.`;
  return [
    finding('note', 'RESIZE_PENDING', what, {
      why: 'The rest is added when the cluster moves it to another node.',
      remedy: 'If that does not happen soon, power it off and on again.',
    }),
  ];
}

function sizeText({ cpus, memoryMb }: Pick<ShownVm, 'cpus' | 'memoryMb'>): string {
  return `${cpus ?? 'some'} vCPUs and ${memoryMb ?? 'some'} MB`;
}

function nextCommands({ vm, tasks, syncFailures = [] }: VisibleVm, { next }: Meaning): string[] {
  const [last] = tasks;
  const at = vm.placement;
  return [
    ...(last !== undefined && (failed.has(last.status) || isOpen(last)) ? [`ssvirt task get ${last.id}`] : []),
    ...(next === undefined ? [] : [next.replace('VM', vm.id)]),
    ...(at !== undefined && (vm.fault !== null || vm.status === 'FAILED')
      ? [`kubectl describe vm,vmi -n ${at.namespace}   # in cluster "${at.cluster}"`]
      : []),
    ...(syncFailures.length > 0 ? ['ssvirt sync-failure list'] : []),
  ];
}
