/** One page about a Machine, for a person. */
import { annotations } from '../../kubevirt/machine/resource.ts';
import { adviceHead } from '../cluster/advice.ts';
import type { SeenEvent } from '../cluster/events.ts';
import { leaderText } from '../cluster/leader.ts';
import {
  conditionSection,
  eventSection,
  factSection,
  page,
  sentenceSection,
  unreadSection,
  type PageSection,
} from '../cluster/page.ts';
import { ago, span } from '../output/ago.ts';
import { columns } from '../output/columns.ts';
import type { MachineAdvice } from './advice.ts';
import type { ShownMachine } from './shown-machine.ts';
import { seenGeneration } from './shown.ts';
import type { MachineCase, SeenMember, SeenVm } from './machine-case.ts';

export function debugPage(seen: MachineCase, advice: MachineAdvice): string {
  const { machine, events, unread, now, member } = seen;
  const sections: readonly PageSection[] =
    machine === undefined
      ? []
      : [
          machineSection(seen, machine),
          memberSection(member, machine),
          conditionSection(machine.status?.conditions ?? [], now),
          eventSection(events, now),
        ];
  return page([
    ...sections,
    unreadSection([...unread, ...(member?.found?.unread ?? []).map((kind) => `${kind} of cluster "${member?.name}"`)]),
    sentenceSection(adviceHead(advice), advice.sentences),
    advice.next.length === 0 ? [] : sentenceSection('Next', advice.next),
  ]);
}

function machineSection(seen: MachineCase, machine: ShownMachine): PageSection {
  const { now, asked, member } = seen;
  const { metadata, status } = machine;
  const age = now - Date.parse(metadata.creationTimestamp ?? '');
  const { generation = 0, deletionTimestamp, finalizers = [] } = metadata;
  return factSection(`Machine ${seen.namespace}/${seen.name}`, [
    ['requested', asked === undefined ? undefined : 'words' in asked ? asked.words : `invalid: ${asked.problem}`],
    ['placed on', placementText(seen, machine)],
    ['phase', status?.phase ?? 'none yet'],
    ['in its cluster', vmText(member)],
    ['spec', `generation ${generation}, last processed ${seenGeneration(machine) ?? 'never'}`],
    ['changed', status?.lastUpdated === undefined ? undefined : ago(status.lastUpdated, now)],
    ['paused', metadata.annotations?.[annotations.paused]],
    [
      'deleted',
      deletionTimestamp === undefined
        ? undefined
        : `${ago(deletionTimestamp, now)}, held by ${finalizers.join(', ') || 'nothing'}`,
    ],
    ['age', Number.isNaN(age) ? undefined : span(age)],
    ['operator', leaderText(seen.leader, now)],
  ]);
}

/** `placementText` returns the cluster, and why it was chosen. */
export function placementText({ events, configs }: MachineCase, { spec, status }: ShownMachine): string {
  const at = status?.kubevirtConfigRef;
  if (at === undefined || at === '') {
    const known = configs.map(({ name, phase }) => `${name} (${phase})`);
    return known.length === 0 ? 'not yet; there is no KubevirtConfig' : `not yet; the clusters are ${known.join(', ')}`;
  }
  const config = configs.find(({ name }) => name === at);
  const how =
    config === undefined ? '' : ` (${config.phase}${config.message === undefined ? '' : `: ${config.message}`})`;
  return `${at}${how}, ${spec.kubevirtConfigRef === at ? reasonsOf['field'] : reasonOf(events)}`;
}

const reasonsOf: Readonly<Record<string, string>> = {
  field: 'named by spec.kubevirtConfigRef',
  annotation: `named by the annotation ${annotations.kubevirtConfig}`,
  default: "by the operator's DEFAULT_KUBEVIRT_CONFIG",
  single: 'the only cluster at the time',
  search: 'where its virtual machine was found',
};

/** The operator's reason from the Event `Placed`. Events are kept for about an hour. */
function reasonOf(events: readonly SeenEvent[]): string {
  const said = events.find(({ reason }) => reason === 'Placed')?.message;
  const by = said === undefined ? undefined : /\(by (\w+)\)/.exec(said)?.[1];
  return (
    (by === undefined ? undefined : reasonsOf[by]) ??
    `by the annotation ${annotations.kubevirtConfig}, or chosen by the operator: the Event with the reason has expired`
  );
}

function vmText(member: SeenMember | undefined): string | undefined {
  if (member === undefined) return undefined;
  if (member.found === undefined) return `not reached: ${member.unreached ?? ''}`;
  return member.found.vm === undefined ? 'no VirtualMachine' : stateText(member.found.vm);
}

function stateText({ printableStatus = 'no status yet', node, addresses, fault }: SeenVm): string {
  const parts = [printableStatus, node === undefined ? undefined : `on ${node}`, ...addresses.slice(0, 3), fault];
  return parts.filter((one) => one !== undefined).join(', ');
}

function memberSection(member: SeenMember | undefined, { metadata }: ShownMachine): PageSection {
  if (member?.found === undefined) return [];
  const head = `Objects in cluster "${member.name}", namespace "${metadata.namespace ?? ''}"`;
  const rows = member.found.children.map(({ kind, name, state, whose, says }) => [
    kind,
    name,
    state,
    whose ?? '-',
    says ?? '',
  ]);
  return rows.length === 0 ? [`${head}: none`] : [head, ...columns([['KIND', 'NAME', 'STATE', 'WHOSE', ''], ...rows])];
}
