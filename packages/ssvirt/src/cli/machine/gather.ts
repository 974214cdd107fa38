/**
 * Reads everything that explains a Machine from the supervisor and from its cluster. What the user may not read is
 * omitted and reported.
 */
import { defined } from '@ssvirt/base/values/defined';
import { kubevirtConfigs, localName, type KubevirtConfig } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { eventsOf, newestFirst, type SeenEvent } from '../cluster/events.ts';
import { leaderOf } from '../cluster/leader.ts';
import { ClusterReader, type ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import { nearby } from '../cluster/nearby.ts';
import { desiredText, resolvedOf } from './desired-state.ts';
import { foundIn } from './children.ts';
import { instances } from '../../fleet/kinds.ts';
import { machines, type ShownMachine } from './shown-machine.ts';
import type { FoundInMember, MachineCase, SeenConfig, SeenMember } from './machine-case.ts';
import { inMember } from './member.ts';

export interface MachineQuestion {
  readonly namespace: string;
  readonly name: string;
  /** The namespace of the KubevirtConfigs. */
  readonly configsNamespace: string;
  /** The namespace of the operator and its Lease. */
  readonly operatorNamespace: string;
}

const leaseName = 'ssvirt-machine-operator';

export async function gather(asking: ClusterReaderOptions, question: MachineQuestion): Promise<MachineCase> {
  const { namespace, name, configsNamespace, operatorNamespace } = question;
  const look = new ClusterReader(asking);
  const known = { namespace, name, now: Date.now(), configs: [], events: [] };
  const machine = await look.at(machines, { namespace, name });
  if (machine === undefined)
    return look.unread.size > 0
      ? { ...known, unread: [...look.unread] }
      : { ...known, unread: [], near: await nearby(asking, machines, namespace, name) };
  const resolution = resolvedOf(machine);
  const resolved = 'resolved' in resolution ? resolution.resolved : undefined;
  const [configs, leader, own, cluster] = await Promise.all([
    look.all(kubevirtConfigs, configsNamespace),
    leaderOf(look, operatorNamespace, leaseName),
    eventsOf(look, asking, { about: [{ namespace, name }], kinds: new Set([machines.kind]) }),
    memberOf(asking, look, machine, configsNamespace, (member) => lookedAt(member, machine, resolved)),
  ]);
  return {
    ...known,
    machine,
    asked:
      'problem' in resolution ? { problem: resolution.problem.message } : { words: desiredText(resolution.resolved) },
    configs: configs.map(seenConfig).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ...(cluster === undefined ? {} : { member: cluster.member }),
    events: newestFirst([...own, ...(cluster?.events ?? [])]),
    ...defined({ leader }),
    unread: [...look.unread].toSorted(),
  };
}

interface LookedAt {
  readonly found: FoundInMember;
  readonly events: readonly SeenEvent[];
}

interface SeenCluster {
  readonly member: SeenMember;
  readonly events: readonly SeenEvent[];
}

async function memberOf(
  asking: ClusterReaderOptions,
  look: ClusterReader,
  { status }: ShownMachine,
  namespace: string,
  doing: (asking: ClusterReaderOptions) => Promise<LookedAt>,
): Promise<SeenCluster | undefined> {
  const name = status?.kubevirtConfigRef;
  if (name === undefined || name === '') return undefined;
  const reached = await inMember(asking, look, { namespace, name }, doing);
  if ('unreached' in reached) return { member: { name, unreached: reached.unreached }, events: [] };
  const { found, events } = reached.found;
  return { member: { name, found }, events };
}

async function lookedAt(
  member: ClusterReaderOptions,
  machine: ShownMachine,
  resolved: Parameters<typeof foundIn>[2],
): Promise<LookedAt> {
  const found = await foundIn(member, machine, resolved);
  const { namespace = '' } = machine.metadata;
  const look = new ClusterReader(member);
  const events = await eventsOf(look, member, {
    about: found.children.map(({ name }) => ({ namespace, name })),
    kinds: new Set([instances.kind, ...found.children.map(({ kind }) => kind)]),
  });
  return { found: { ...found, unread: [...new Set([...found.unread, ...look.unread])] }, events };
}

function seenConfig({ metadata, status }: KubevirtConfig): SeenConfig {
  const { name = localName } = metadata;
  const phase = status?.phase ?? 'Pending';
  return { name, phase, ...(phase === 'Ready' || status?.message === undefined ? {} : { message: status.message }) };
}
