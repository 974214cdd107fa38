/** Rewrites kube-scheduler's message about a pod that it cannot place, for people. */
import { because, fault, type Fault } from './faults.ts';

/** What would have to change for a node to accept the VM. */
type Want =
  /** The VM requests less, or the node has more. */
  | 'size'
  /** The node has more. */
  | 'capacity'
  /** The VM requests another kind of node. */
  | 'match'
  /** Only an administrator knows. */
  | 'node';

interface Phrase {
  readonly form: RegExp;
  readonly want: Want;
  /** The default is kube-scheduler's own phrase. */
  readonly says?: string;
}

/** Without the number of nodes in front. Other phrases are shown unchanged. */
const phrases: readonly Phrase[] = [
  { form: /^Insufficient (cpu|memory|ephemeral-storage|hugepages-\S+)$/, want: 'size', says: 'with too little $1' },
  { form: /^Insufficient (\S+)$/, want: 'capacity', says: 'without a free $1' },
  { form: /^Too many pods$/, want: 'capacity', says: 'with as many machines as it may run' },
  { form: /^node\(s\) were unschedulable$/, want: 'node', says: 'closed to new machines' },
  // kube-scheduler has used three forms of this phrase.
  { form: /^node\(s\) didn't match (Pod's )?node (affinity\/)?selector/, want: 'match' },
];

const advice: Readonly<Record<Want, string>> = {
  size: 'Make it smaller, or ask an administrator for more capacity.',
  capacity: 'Ask an administrator for more capacity.',
  match:
    'It needs a node that runs KubeVirt and has its machine type, CPU model, architecture, node selector and affinity: change these, or ask an administrator for such a node.',
  node: 'Ask an administrator for a node that may run it.',
};

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s). preemption: …` */
export function unschedulable(message: string): Fault {
  const [, said] = /^0\/\d+ nodes are available: (.+)$/.exec(message) ?? [];
  if (said === undefined) return fault('UNSCHEDULABLE', `No node can run it${because(message)}.`);
  const reasons = reasonsIn(said);
  const wants = new Set(reasons.map(({ want }) => want));
  // A node that lacks room has passed all other checks, so room is what is missing; a node that is closed may match or
  // not.
  const want = (['size', 'capacity', 'match', 'node'] as const).find((one) => wants.has(one)) ?? 'node';
  const hasRoomMissing = want === 'size' || want === 'capacity';
  const isAllRoom = hasRoomMissing && !wants.has('match') && !wants.has('node');
  const lead = isAllRoom ? 'No node has room for it' : 'No node can run it';
  const why = reasons.map(({ text }) => text).join(', ');
  return fault(hasRoomMissing ? 'NO_ROOM' : 'UNSCHEDULABLE', `${lead}: ${why}. ${advice[want]}`);
}

interface Reason {
  readonly want: Want;
  readonly text: string;
}

/**
 * The reasons end at the first full stop; the text behind it is about preemption and resource claims. A taint may be
 * followed by a comma.
 */
function reasonsIn(said: string): readonly Reason[] {
  const [reasons = ''] = said.split(/\.(?: |$)/);
  return reasons.split(/, (?=\d+ )/).map(reasonOf);
}

function reasonOf(text: string): Reason {
  const [, count = '', rest = text] = /^(\d+) (.+)$/.exec(text) ?? [];
  const phrase = phrases.find(({ form }) => form.test(rest));
  if (phrase === undefined) return { want: 'node', text };
  const { form, want, says } = phrase;
  return { want, text: says === undefined ? text : `${count} ${rest.replace(form, says)}` };
}
