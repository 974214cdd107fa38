/**
 * Which power operation is possible in which state of a machine, and what to say where it is not. The API server asks it about the state that it shows, who
 * works on the cluster about the one that it finds there: nobody decides this anywhere else.
 *
 * - Off is hard. It is also how a guest is ended that does not obey a shutdown, so it is no repetition while a machine is being stopped.
 * - Powering on resumes a suspended machine, as in VCD.
 * - A failed machine can be tried again, or given up.
 * - Where the state is not known (a node does not answer), or the machine is not made yet, on and off are still possible: they say what is wanted, which
 *   is written down and becomes true when it can. The other operations need a guest that hears them.
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
  /** `already`: it is so, or is about to be, and nothing has to be done. */
  | { readonly allowed: true; readonly already: boolean }
  /** A sentence for who has asked. */
  | { readonly allowed: false; readonly reason: string };

const act = { allowed: true, already: false } as const;
const isSo = { allowed: true, already: true } as const;

/** Why not, and what to do instead; what cannot be done stands before it. */
const off = 'it is powered off: power it on first';
const offNow = 'it is powered off, not suspended: power it on instead';
const start = 'it is starting: wait until it runs';
const stop = 'it is being stopped: wait until it is off, then power it on';
const susp = 'it is suspended, and its guest hears nothing: resume it first, or power it off';
const fail = 'it has failed: power it on to try again, or power it off';
const lost = 'its state is not known now: only powering it on or off can be asked for';
const none = 'it is not made yet: only powering it on or off can be asked for';
const dying = 'it is being deleted';
const dead = 'it has been deleted';

type Cell = typeof act | typeof isSo | string;
type Row = readonly [Cell, Cell, Cell, Cell, Cell, Cell, Cell];

// oxfmt-ignore
const table: Readonly<Record<PowerStatus, Row>> = {
  //              powerOn  powerOff  shutdown  reset   reboot  suspend  resume
  POWERED_ON:    [isSo,    act,      act,      act,    act,    act,     isSo],
  POWERED_OFF:   [act,     isSo,     isSo,     off,    off,    off,     offNow],
  POWERING_ON:   [isSo,    act,      act,      start,  start,  start,   start],
  POWERING_OFF:  [act,     act,      isSo,     stop,   stop,   stop,    stop],
  SUSPENDED:     [act,     act,      susp,     susp,   susp,   isSo,    act],
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
 * A state that nobody knows counts as UNKNOWN. From one that is stale nothing is concluded, neither that nothing has to be done nor that it cannot be done:
 * who works on the cluster decides by what it finds there. That a machine is deleted is not for the cluster to say.
 */
export function powerDecision(operation: PowerOperation, status: string, isStale = false): PowerDecision {
  if (isStale && status !== 'DELETING' && status !== 'DELETED') return act;
  const row = table[isPowerStatus(status) ? status : 'UNKNOWN'];
  const cell = row[powerOperations.indexOf(operation)] ?? lost;
  return typeof cell === 'string'
    ? { allowed: false, reason: `The machine cannot be ${done[operation]}: ${cell}.` }
    : cell;
}

function isPowerStatus(status: string): status is PowerStatus {
  return Object.hasOwn(table, status);
}
