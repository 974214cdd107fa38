/** One page about an order, for a person. */
import { annotations } from '../../kubevirt/order/resource.ts';
import { adviceHead, type Advice } from '../cluster/advice.ts';
import { leaderText } from '../cluster/leader.ts';
import { conditionSection, eventSection, factSection, page, sentenceSection, unreadSection } from '../cluster/page.ts';
import { ago, span } from '../output/ago.ts';
import { columns } from '../output/columns.ts';
import type { ShownOrder } from './shown-order.ts';
import type { OrderCase } from './order-case.ts';

export function debugPage(seen: OrderCase, advice: Advice): string {
  const { order, events, unread, now } = seen;
  const sections = order === undefined ? [] : [orderSection(seen, order), childSection(seen)];
  const happened =
    order === undefined ? [] : [conditionSection(order.status?.conditions ?? [], now), eventSection(events, now)];
  return page([...sections, ...happened, unreadSection(unread), sentenceSection(adviceHead(advice), advice.sentences)]);
}

function orderSection(seen: OrderCase, order: ShownOrder): readonly string[] {
  const { metadata, spec, status } = order;
  const { judged, machine, disk, now } = seen;
  const age = now - Date.parse(metadata.creationTimestamp ?? '');
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['template', spec.templateID],
    ['phase', status?.phase ?? 'none yet'],
    ['provisioned by', provisioner(order, judged?.provisionedBy)],
    [
      'version',
      `${status?.desiredConfigVersion ?? 'none yet'} desired, ${status?.reconciledConfigVersion ?? 'none'} reconciled`,
    ],
    ['AAP webhook calls', webhook(order, now)],
    ['namespace', binding(seen)],
    ['machine', machineLine(machine)],
    [
      'disk',
      disk === undefined
        ? undefined
        : [
            disk.phase ?? 'no DataVolume',
            disk.progress,
            disk.restarts === undefined ? undefined : `${disk.restarts} restarts`,
            disk.claim === undefined ? undefined : `claim ${disk.claim}`,
          ]
            .filter((one) => one !== undefined)
            .join(', '),
    ],
    ['address', status?.loadBalancerAddress],
    [
      'deleted',
      metadata.deletionTimestamp === undefined
        ? undefined
        : `${ago(metadata.deletionTimestamp, now)}, held by ${(metadata.finalizers ?? []).join(', ')}`,
    ],
    ['age', Number.isNaN(age) ? undefined : span(age)],
    ['operator', leaderText(seen.leader, now)],
  ];
  return factSection(`Order ${seen.namespace}/${seen.name}`, rows);
}

function provisioner({ metadata, status }: ShownOrder, wouldBe: string | undefined): string {
  const managedBy = metadata.annotations?.[annotations.managedBy];
  const said = managedBy === undefined ? 'the order does not say' : `the order says "${managedBy}"`;
  const state = metadata.annotations?.[annotations.managementState];
  const managed = state === undefined ? '' : `; management-state "${state}"`;
  const fallback =
    status?.fallbackConfigVersion === undefined ? '' : `; fell back to AAP for version ${status.fallbackConfigVersion}`;
  return `${status?.provisionedBy ?? (wouldBe === undefined ? 'undecided' : `undecided, ${wouldBe} by the settings here`)} (${said})${managed}${fallback}`;
}

function webhook({ status }: ShownOrder, now: number): string | undefined {
  const call = status?.webhook;
  if (call === undefined) return undefined;
  const outcome =
    call.lastError === undefined
      ? `accepted ${ago(call.acceptedTime ?? call.lastAttemptTime, now)}`
      : `not accepted: ${call.lastError}`;
  return `${call.action} of version ${call.configVersion}, ${call.attempts} in a row, last ${ago(call.lastAttemptTime, now)}, ${outcome}`;
}

function binding({ namespace, tenantNamespace = '', tenant, unread }: OrderCase): string {
  if (tenantNamespace === namespace) return `${tenantNamespace}, the order's own`;
  if (unread.includes('namespaces')) return `${tenantNamespace}, whose binding may not be read`;
  if (tenant === undefined) return `${tenantNamespace}, which does not exist`;
  if (tenant.project === namespace) return `${tenantNamespace}, bound to ${namespace} by its label`;
  return tenant.orderNamespaces?.includes(namespace) === true
    ? `${tenantNamespace}, bound to ${namespace} by its annotation`
    : `${tenantNamespace}, not bound to ${namespace}`;
}

function machineLine(machine: OrderCase['machine']): string | undefined {
  if (machine === undefined || (machine.printableStatus === undefined && machine.phase === undefined)) return undefined;
  const { printableStatus, ready, phase, node, addresses } = machine;
  const parts = [
    printableStatus ?? 'no status yet',
    ready ? 'ready' : 'not ready',
    phase === undefined ? 'no instance' : `instance ${phase}`,
    node === undefined ? undefined : `on ${node}`,
    ...addresses.slice(0, 3),
  ];
  return parts.filter((one) => one !== undefined).join(', ');
}

function childSection({ children, tenantNamespace = '' }: OrderCase): readonly string[] {
  if (children.length === 0) return [`Objects in ${tenantNamespace}: none`];
  const rows = children.map(({ kind, name, state, whose, says }) => [kind, name, state, whose ?? '-', says ?? '']);
  return [`Objects in ${tenantNamespace}`, ...columns([['KIND', 'NAME', 'STATE', 'WHOSE', ''], ...rows])];
}
