/**
 * Which power operation is possible in which state of a VM, and the message if it is not. The API server asks for the
 * state that it shows; the worker in the cluster asks for the state that it finds there. No other code decides this.
 *
 * - An operation is possible in the state that it leads to: only the cluster knows whether the VM is still in it. There
 *   nothing is sent, and the task succeeds as soon as the state is confirmed.
 * - Power off is hard. It also ends a guest that does not obey a shutdown.
 * - Power on resumes a suspended VM, as in VCD.
 * - A failed VM can be tried again, or given up.
 * - If the state is unknown (a node does not answer), or if the VM is not created yet, power on and power off are still
 *   possible: they record the desired state, which is reached when possible. The other operations need a guest that
 *   reacts.
 */

export const powerOperations = ['powerOn', 'powerOff', 'shutdown', 'reset', 'reboot', 'suspend', 'resume'] as const;
export type PowerOperation = (typeof powerOperations)[number];

export const powerStatuses = [
  'POWERED_ON',
  'POWERED_OFF',
  'POWERING_ON',
  'POWERING_OFF',
  'SUSPENDED',
  'FAILED',
  'UNKNOWN',
  'UNRESOLVED',
  'DELETING',
  'DELETED',
] as const;
export type PowerStatus = (typeof powerStatuses)[number];

export type PowerDecision =
  | { readonly allowed: true }
  /** A sentence for the user. */
  | { readonly allowed: false; readonly reason: string };

const act = { allowed: true } as const;

/** Why it is impossible, and what to do instead; the message begins with the operation. */
const off = 'it is powered off: power it on first';
const offNow = 'it is powered off, not suspended: power it on instead';
const start = 'it is starting: wait until it runs';
const stop = 'it is being stopped: wait until it is off, then power it on';
const susp = 'it is suspended, so its guest does not respond: resume it first, or power it off';
const fail = 'it has failed: power it on to try again, or power it off';
const lost = 'its state is not known now: only power on and power off are possible';
const none = 'it does not exist yet: only power on and power off are possible';
const dying = 'it is being deleted';
const dead = 'it has been deleted';

type Cell = typeof act | string;
type Row = readonly [Cell, Cell, Cell, Cell, Cell, Cell, Cell];

// oxfmt-ignore
const table: Readonly<Record<PowerStatus, Row>> = {
  //              powerOn  powerOff  shutdown  reset   reboot  suspend  resume
  POWERED_ON:    [act,     act,      act,      act,    act,    act,     act],
  POWERED_OFF:   [act,     act,      act,      off,    off,    off,     offNow],
  POWERING_ON:   [act,     act,      act,      start,  start,  start,   start],
  POWERING_OFF:  [act,     act,      act,      stop,   stop,   stop,    stop],
  SUSPENDED:     [act,     act,      susp,     susp,   susp,   act,     act],
  FAILED:        [act,     act,      fail,     fail,   fail,   fail,    fail],
  UNKNOWN:       [act,     act,      lost,     lost,   lost,   lost,    lost],
  UNRESOLVED:    [act,     act,      none,     none,   none,   none,    none],
  DELETING:      [dying,   dying,    dying,    dying,  dying,  dying,   dying],
  DELETED:       [dead,    dead,     dead,     dead,   dead,   dead,    dead],
};

/** As in "The machine cannot be reset". */
const done: Readonly<Record<PowerOperation, string>> = {
  powerOn: 'powered on',
  powerOff: 'powered off',
  shutdown: 'shut down',
  reset: 'reset',
  reboot: 'rebooted',
  suspend: 'suspended',
  resume: 'resumed',
};

/**
 * An unrecognized state counts as UNKNOWN. A stale state does not prove that an operation is impossible: the worker in
 * the cluster decides by what it finds there. A deletion does not depend on the cluster, so it counts even if the state
 * is stale.
 */
export function powerDecision(operation: PowerOperation, status: string, isStale = false): PowerDecision {
  if (isStale && status !== 'DELETING' && status !== 'DELETED') return act;
  const row = table[isPowerStatus(status) ? status : 'UNKNOWN'];
  const cell = row[powerOperations.indexOf(operation)] ?? lost;
  return typeof cell === 'string'
    ? { allowed: false, reason: `The machine cannot be ${done[operation]}: ${cell}.` }
    : cell;
}

export type PowerDecisions = Readonly<Record<PowerOperation, PowerDecision>>;

const decisions = new Map<string, PowerDecisions>();

/** `powerDecisions` returns the decisions on all operations. */
export function powerDecisions(status: string, isStale: boolean): PowerDecisions {
  const key = `${isPowerStatus(status) ? status : 'UNKNOWN'} ${isStale}`;
  const known =
    decisions.get(key) ??
    (Object.fromEntries(
      powerOperations.map((operation) => [operation, powerDecision(operation, status, isStale)]),
    ) as PowerDecisions);
  decisions.set(key, known);
  return known;
}

function isPowerStatus(status: string): status is PowerStatus {
  return Object.hasOwn(table, status);
}
