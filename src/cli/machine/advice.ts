/** What is wrong with a Machine and what to do: sentences, and the commands to begin with. */
import { isConditionTrue } from '../../kube/reconcile/conditions.ts';
import { vmName } from '../../virt/declared-machine/names.ts';
import { annotations, conditions, finalizer } from '../../virt/declared-machine/resource.ts';
import { asSentence, silenceMs, withEnd, type Advice } from '../cluster/advice.ts';
import { absenceText } from '../cluster/nearby.ts';
import { ago } from '../output/ago.ts';
import { machines, type Machine } from './kinds.ts';
import type { MachineCase } from './machine-case.ts';
import { nextFor, type Next } from './next-steps.ts';
import { isBehind, ready } from './shown.ts';

export interface MachineAdvice extends Advice {
  /** Commands to run next. */
  readonly next: readonly string[];
}

/** Reasons of `Ready` that pass by themselves, as long as nothing else hinders the machine. */
const passing = new Set(['Creating', 'Starting', 'Stopping', 'Replacing', 'PVCPending', 'NamespaceTerminating']);

/** Clocks differ; a Lease that is older than this is nobody's. */
const deadLeaseMs = 120_000;

export function machineAdvice(seen: MachineCase): MachineAdvice {
  const { machine, near, unread, namespace, name } = seen;
  if (machine === undefined) {
    const sentence =
      near === undefined
        ? `you may not read ${unread.join(', ')}: ask for the right, or use another context`
        : absenceText({ word: 'Machine', type: machines, namespace, name }, near);
    return { verdict: 'wrong', sentences: [asSentence(sentence)], next: ['ssvirt machine list -A'] };
  }
  const told = judged(seen, machine);
  const aside = asides(seen, machine);
  return { ...told, sentences: [...told.sentences, ...aside].map(asSentence), next: [...new Set(told.next)] };
}

function judged(seen: MachineCase, machine: Machine): MachineAdvice {
  const next = (reason: string): readonly string[] => nextFor(reason, nextOf(seen, machine));
  const paused = machine.metadata.annotations?.[annotations.paused];
  if (paused !== undefined && paused !== 'false')
    return {
      verdict: 'well',
      sentences: [
        `the annotation ${annotations.paused} is "${paused}": the operator leaves the Machine alone until it is taken away`,
      ],
      next: next('Paused by annotation'),
    };
  const silence = silenceOf(seen, machine);
  if (machine.metadata.deletionTimestamp !== undefined) return onDeletion(seen, machine, silence, next);
  const told = ready(machine);
  if (silence !== undefined) return { verdict: 'wrong', sentences: [silence], next: next('Silence') };
  if (told === undefined)
    return {
      verdict: 'underway',
      sentences: ['it was created a moment ago; the operator has not looked at it yet'],
      next: next('Waiting'),
    };
  if (told.status === 'True') return onReady(seen, machine, next);
  const sentence = `${told.reason}: ${withEnd(told.message)}`;
  const { vm } = seen.member?.found ?? {};
  if (passing.has(told.reason) && vm?.fault === undefined)
    return {
      verdict: 'underway',
      sentences: [`${sentence} It is so since ${ago(told.lastTransitionTime, seen.now)}`],
      next: next('Waiting'),
    };
  const more = vm?.fault === undefined || told.message.includes(vm.fault) ? [] : [vm.fault];
  return { verdict: 'wrong', sentences: [sentence, ...more], next: next(told.reason) };
}

function nextOf({ member, configs }: MachineCase, machine: Machine): Next {
  const { name = '', namespace = '' } = machine.metadata;
  const { message = '' } = ready(machine) ?? {};
  return { name, namespace, vm: vmName(name), cluster: member?.name, configs: configs.map((one) => one.name), message };
}

function silenceOf({ now, leader }: MachineCase, machine: Machine): string | undefined {
  const { metadata, status } = machine;
  const age = now - Date.parse(metadata.creationTimestamp ?? '');
  const isUnseen = status?.phase === undefined && age > silenceMs;
  const isDead = leader !== undefined && now - Date.parse(leader.renewedAt) > deadLeaseMs;
  if (!isUnseen && !isBehind(machine) && !isDead) return undefined;
  const what = isUnseen
    ? 'no operator has said anything of this Machine yet'
    : isBehind(machine)
      ? 'the operator has not seen the last change of this Machine yet'
      : 'nobody looks after this Machine: what its status says may be old';
  const led =
    leader === undefined
      ? 'No Lease says that an operator runs'
      : `${leader.holder} leads, and renewed its Lease ${ago(leader.renewedAt, now)}`;
  return `${what}. ${led}: see that "ssvirt machine-operator" runs, and look into its log`;
}

function onReady(seen: MachineCase, machine: Machine, next: (reason: string) => readonly string[]): MachineAdvice {
  const { member } = seen;
  if (member?.found !== undefined && member.found.vm === undefined && member.found.unread.length === 0)
    return {
      verdict: 'wrong',
      sentences: [
        `its status says Ready, and cluster "${member.name}" has no VirtualMachine "${vmName(machine.metadata.name ?? '')}": nobody has told the Machine yet; see that "ssvirt machine-operator" runs`,
      ],
      next: next('Silence'),
    };
  const restart = isConditionTrue(machine.status?.conditions, conditions.restartRequired)
    ? ['a change takes effect when the virtual machine is restarted; the operator restarts nothing by itself']
    : [];
  return {
    verdict: 'well',
    sentences: ['nothing is wrong: all is as declared', ...restart],
    next: restart.length === 0 ? [] : next('RestartRequired'),
  };
}

/** What is said beside the verdict. */
function asides({ member }: MachineCase, _machine: Machine): readonly string[] {
  return member?.unreached === undefined
    ? []
    : [`its cluster "${member.name}" could not be looked at from here: ${member.unreached}`];
}

function onDeletion(
  seen: MachineCase,
  machine: Machine,
  silence: string | undefined,
  next: (reason: string) => readonly string[],
): MachineAdvice {
  const { now, member } = seen;
  const { deletionTimestamp = '', finalizers = [] } = machine.metadata;
  const told = ready(machine);
  const children = member?.found?.children ?? [];
  const held = children.filter(({ says, whose }) => whose === "the Machine's" && says?.startsWith('held by') === true);
  const strange = finalizers.filter((one) => one !== finalizer);
  const isStuck = told?.reason === 'ClusterUnavailable' || member?.unreached !== undefined;
  const lasts = now - Date.parse(deletionTimestamp) > 10 * silenceMs;
  const sentences = [
    `its deletion began ${ago(deletionTimestamp, now)}`,
    ...(silence === undefined ? [] : [silence]),
    ...(told === undefined || told.status === 'True' ? [] : [`${told.reason}: ${told.message}`]),
    ...held.map(
      ({ kind, name, says = '' }) =>
        `${kind} "${name}" is being deleted and ${says}: whoever put that there has to let it go`,
    ),
    ...strange.map((one) => `the finalizer ${one} is nobody's here: whoever put it there has to take it off`),
  ];
  const isWrong = isStuck || lasts || held.length > 0 || strange.length > 0 || silence !== undefined;
  return {
    verdict: isWrong ? 'wrong' : 'underway',
    sentences,
    next: next(isStuck ? 'Deletion without cluster' : 'Deletion'),
  };
}
