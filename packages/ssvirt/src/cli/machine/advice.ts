/** What is wrong with a Machine and what to do: sentences, and the commands to start with. */
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import { vmName } from '../../kubevirt/machine/names.ts';
import { annotations, conditions, finalizer, restartRequested } from '../../kubevirt/machine/resource.ts';
import { asSentence, silenceMs, withEnd, type Advice } from '../cluster/advice.ts';
import { isLeaderDead, leadershipText } from '../cluster/leader.ts';
import { absenceText } from '../cluster/nearby.ts';
import { ago } from '../output/ago.ts';
import { machines, type ShownMachine } from './shown-machine.ts';
import type { MachineCase } from './machine-case.ts';
import { nextFor, type Next } from './next-steps.ts';
import { isBehind, ready } from './shown.ts';

export interface MachineAdvice extends Advice {
  /** The next commands to run. */
  readonly next: readonly string[];
}

/** Reasons of `Ready` that pass by themselves, as long as nothing else blocks the VM. */
const passing = new Set(['Creating', 'Starting', 'Stopping', 'Replacing', 'PVCPending', 'NamespaceTerminating']);

export function machineAdvice(seen: MachineCase): MachineAdvice {
  const { machine, near, unread, namespace, name } = seen;
  if (machine === undefined) {
    const sentence =
      near === undefined
        ? `you have no permission to read ${unread.join(', ')}: ask for it, or use another context`
        : absenceText({ word: 'Machine', type: machines, namespace, name }, near);
    return { verdict: 'wrong', sentences: [asSentence(sentence)], next: ['ssvirt machine list -A'] };
  }
  const advice = judged(seen, machine);
  const doubts = doubtsOn(seen);
  const isUnproven = doubts.length > 0 && advice.verdict === 'well';
  const next = isUnproven ? [...nextFor('ClusterUnavailable', nextOf(seen, machine)), ...advice.next] : advice.next;
  return {
    verdict: isUnproven ? 'wrong' : advice.verdict,
    sentences: [...advice.sentences, ...doubts].map(asSentence),
    next: [...new Set(next)],
  };
}

function judged(seen: MachineCase, machine: ShownMachine): MachineAdvice {
  const next = (reason: string): readonly string[] => nextFor(reason, nextOf(seen, machine));
  const paused = machine.metadata.annotations?.[annotations.paused];
  if (paused !== undefined && paused !== 'false') return onPause(seen, paused, next);
  const silence = silenceOf(seen, machine);
  if (machine.metadata.deletionTimestamp !== undefined) return onDeletion(seen, machine, silence, next);
  const condition = ready(machine);
  if (silence !== undefined) return { verdict: 'wrong', sentences: [silence], next: next('Silence') };
  if (condition === undefined)
    return {
      verdict: 'underway',
      sentences: ['it was just created; the operator has not processed it yet'],
      next: next('Waiting'),
    };
  if (condition.status === 'True') return onReady(seen, machine, next);
  const sentence = `${condition.reason}: ${withEnd(condition.message)}`;
  const { vm } = seen.member?.found ?? {};
  if (passing.has(condition.reason) && vm?.fault === undefined)
    return {
      verdict: 'underway',
      sentences: [`${sentence} This has been the case since ${ago(condition.lastTransitionTime, seen.now)}`],
      next: next('Waiting'),
    };
  const more = vm?.fault === undefined || condition.message.includes(vm.fault) ? [] : [vm.fault];
  return { verdict: 'wrong', sentences: [sentence, ...more], next: next(condition.reason) };
}

function nextOf({ member, configs }: MachineCase, machine: ShownMachine): Next {
  const { name = '', namespace = '' } = machine.metadata;
  const { message = '' } = ready(machine) ?? {};
  return { name, namespace, vm: vmName(name), cluster: member?.name, configs: configs.map((one) => one.name), message };
}

function silenceOf(seen: MachineCase, machine: ShownMachine): string | undefined {
  const { now, leader } = seen;
  const { metadata, status } = machine;
  const age = now - Date.parse(metadata.creationTimestamp ?? '');
  const isUnseen = status?.phase === undefined && age > silenceMs;
  if (!isUnseen && !isBehind(machine) && !isLeaderDead(leader, now)) return undefined;
  const what = isUnseen
    ? 'no operator has written a status for this Machine yet'
    : isBehind(machine)
      ? 'the operator has not processed the last change of this Machine yet'
      : 'no operator is running, so the status of this Machine may be out of date';
  return withLeader(what, seen);
}

function withLeader(what: string, { leader, now }: MachineCase): string {
  return `${what}. ${leadershipText(leader, now)}: check that "ssvirt machine-operator" is running, and read its log`;
}

/** The status and the last change of a paused Machine are not news; a missing operator is. */
function onPause(seen: MachineCase, paused: string, next: (reason: string) => readonly string[]): MachineAdvice {
  const { leader, now } = seen;
  const isDead = isLeaderDead(leader, now);
  return {
    verdict: isDead ? 'wrong' : 'well',
    sentences: [
      `the annotation ${annotations.paused} is "${paused}": the operator ignores the Machine until the annotation is removed`,
      ...(isDead ? [withLeader('no operator is running', seen)] : []),
    ],
    next: [...next('Paused by annotation'), ...(isDead ? next('Silence') : [])],
  };
}

function onReady(seen: MachineCase, machine: ShownMachine, next: (reason: string) => readonly string[]): MachineAdvice {
  const { member } = seen;
  if (member?.found !== undefined && member.found.vm === undefined && member.found.unread.length === 0)
    return {
      verdict: 'wrong',
      sentences: [
        `its status is Ready, but cluster "${member.name}" has no VirtualMachine "${vmName(machine.metadata.name ?? '')}", and the operator has not noticed: check that "ssvirt machine-operator" is running`,
      ],
      next: next('Silence'),
    };
  const matches =
    member?.unreached === undefined
      ? 'nothing is wrong: everything matches the Machine'
      : 'the operator reports that everything matches the Machine, and that cannot be checked';
  const { status, reason, message = '' } = findCondition(machine.status?.conditions, conditions.restartRequired) ?? {};
  if (status !== 'True') return { verdict: 'well', sentences: [matches], next: [] };
  const isUnderWay = reason === restartRequested;
  return {
    verdict: isUnderWay ? 'underway' : 'well',
    sentences: [isUnderWay ? 'it is being restarted' : 'it runs, but not with the last change', message],
    next: next(isUnderWay ? 'Waiting' : 'RestartRequired'),
  };
}

/** Why a good status proves nothing. */
function doubtsOn({ member }: MachineCase): readonly string[] {
  return member?.unreached === undefined
    ? []
    : [`its cluster "${member.name}" cannot be reached from here: ${member.unreached}`];
}

function onDeletion(
  seen: MachineCase,
  machine: ShownMachine,
  silence: string | undefined,
  next: (reason: string) => readonly string[],
): MachineAdvice {
  const { now, member } = seen;
  const { deletionTimestamp = '', finalizers = [] } = machine.metadata;
  const condition = ready(machine);
  const children = member?.found?.children ?? [];
  const held = children.filter(({ says, whose }) => whose === "the Machine's" && says?.startsWith('held by') === true);
  const strange = finalizers.filter((one) => one !== finalizer);
  const isStuck = condition?.reason === 'ClusterUnavailable' || member?.unreached !== undefined;
  const lasts = now - Date.parse(deletionTimestamp) > 10 * silenceMs;
  const sentences = [
    `its deletion started ${ago(deletionTimestamp, now)}`,
    ...(silence === undefined ? [] : [silence]),
    ...(condition === undefined || condition.status === 'True' ? [] : [`${condition.reason}: ${condition.message}`]),
    ...held.map(
      ({ kind, name, says = '' }) =>
        `${kind} "${name}" is being deleted and ${says}: the owner of that finalizer must remove it`,
    ),
    ...strange.map((one) => `the finalizer ${one} does not belong to ssvirt: its owner must remove it`),
  ];
  const isWrong = isStuck || lasts || held.length > 0 || strange.length > 0 || silence !== undefined;
  return {
    verdict: isWrong ? 'wrong' : 'underway',
    sentences,
    next: next(isStuck ? 'Deletion without cluster' : 'Deletion'),
  };
}
