/** `ssvirt order diff`: compares what the controller would create for an order with what exists. */
import { apiVersionOf } from '@ssvirt/kube/resource-type';
import { childNames } from '../../kubevirt/order/child-names.ts';
import { labels } from '../../kubevirt/order/resource.ts';
import { aapMarks } from '../../kubevirt/order/aap/aap-marks.ts';
import { tenantOf } from '../../kubevirt/order/tenant.ts';
import type { ExitCode } from '../output/exit-code.ts';
import { say } from '../output/streams.ts';
import { withCluster } from './asked.ts';
import { asLive, childDiff, extraChild, isDifferent, type ChildDiff } from './child-diff.ts';
import type { Looked } from './command.ts';
import { InputError } from './input.ts';
import { templateClass, type Judging } from './check-order.ts';
import { claims, configMaps, dataVolumes, secrets, services, virtualMachines } from '../../fleet/kinds.ts';
import { identityOf, type ShownOrder } from './shown-order.ts';
import { orderNamed } from './order-named.ts';
import { renderOrder } from './rendered.ts';
import { ClusterReader, type ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import { orderContextOf } from './context.ts';

export interface DiffOptions extends Looked {
  readonly name: string;
  /** Whether to show known differences too. */
  readonly documented: boolean;
}

const kinds = [secrets, configMaps, services, claims, dataVolumes, virtualMachines];

export async function diff({ choice, settings, name, namespace, output, documented }: DiffOptions): Promise<ExitCode> {
  const children = await withCluster(choice, async (client) => {
    const asking = { ...client, withSecrets: true };
    const order = await orderNamed(asking, namespace, name);
    const context = await orderContextOf(asking, order);
    return compared(asking, order, { settings, templates: [], context });
  });
  const isSame = !children.some(isDifferent);
  say(
    output === 'json'
      ? `${JSON.stringify({ same: isSame, namespace, name, children }, null, 2)}\n`
      : diffText(children, documented),
  );
  return isSame ? 0 : 1;
}

async function compared(
  asking: ClusterReaderOptions,
  order: ShownOrder,
  judging: Judging,
): Promise<readonly ChildDiff[]> {
  const { templateID } = order.spec;
  if (templateClass(templateID, judging) === 'unknown')
    throw new InputError(
      `the template "${templateID}" is neither built in nor an OrderTemplate of the cluster: only AAP knows what it creates`,
    );
  const made = renderOrder(order, judging);
  if ('problem' in made) throw new InputError(`the order is refused, so no object would be created: ${made.problem}`);
  const whose = { identity: identityOf(order), isAaps: aapMarks(order) };
  const look = new ClusterReader(asking);
  const diffs: ChildDiff[] = [];
  for (const desired of made.objects) {
    const { name, namespace } = desired.metadata;
    const type = kinds.find((one) => one.kind === desired.kind && apiVersionOf(one) === desired.apiVersion);
    const found = type === undefined ? undefined : await look.at(type, { namespace, name });
    const claim = desired.kind === dataVolumes.kind ? await look.at(claims, { namespace, name }) : undefined;
    diffs.push(childDiff(asLive(desired, found, claim), found, { ...whose, claim }));
  }
  const [unread] = look.unread;
  if (unread !== undefined)
    throw new InputError(`you have no permission to read ${unread}, so no comparison is possible`);
  return [...diffs, ...(await extras(asking, order, diffs))];
}

/** Objects with the order's label that the controller would not create. The claim of its disk belongs to CDI. */
async function extras(
  asking: ClusterReaderOptions,
  order: ShownOrder,
  known: readonly ChildDiff[],
): Promise<readonly ChildDiff[]> {
  const { name = '' } = order.metadata;
  const disks = new Set([
    childNames({ name }).dataVolume,
    ...known.filter(({ kind }) => kind === 'DataVolume').map((one) => one.name),
  ]);
  const isKnown = (kind: string, found: string): boolean =>
    known.some((one) => one.kind === kind && one.name === found) || (kind === claims.kind && disks.has(found));
  const look = new ClusterReader(asking);
  const found: ChildDiff[] = [];
  for (const type of kinds)
    for (const label of [labels.order, labels.instance])
      for (const { metadata } of await look.labelled(type, tenantOf(order), `${label}=${name}`)) {
        const one = metadata.name ?? '';
        if (!isKnown(type.kind, one) && !found.some((other) => other.kind === type.kind && other.name === one))
          found.push(extraChild(type.kind, one));
      }
  return found;
}

export function diffText(children: readonly ChildDiff[], withDocumented: boolean): string {
  return children.map((child) => childText(child, withDocumented)).join('');
}

function childText({ kind, name, state, differences, documented, note }: ChildDiff, withDocumented: boolean): string {
  const known =
    documented.length === 0
      ? ''
      : ` (${documented.length} known ${documented.length === 1 ? 'difference' : 'differences'})`;
  const head = `${state.padEnd(8)}${kind} ${name}${known}${note === undefined ? '' : ` (${note})`}`;
  const shown = (value: string | undefined): string => value ?? '(nothing)';
  const lines = [
    ...differences.map(({ path, ours, theirs }) => `  ${path}: expected ${shown(ours)}, found ${shown(theirs)}`),
    ...(withDocumented || state === 'missing' ? documented : []).map(({ path, ours, theirs, why }) =>
      path === '' ? `  known: ${why}` : `  known: ${path}: expected ${shown(ours)}, found ${shown(theirs)}: ${why}`,
    ),
  ];
  return `${[head, ...lines].join('\n')}\n`;
}
