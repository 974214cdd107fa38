/** `ssvirt order render`: prints the objects that orders would become, without creating them. */
import { stringify } from 'yaml';
import type { KubeLike } from '../../kubevirt/tenant-vm/kube-like.ts';
import type { ExitCode } from '../output/exit-code.ts';
import { note, say } from '../output/streams.ts';
import { withCluster } from './asked.ts';
import { judge, templateClass, type Judging } from './check-order.ts';
import type { ShownOrder } from './shown-order.ts';
import { renderOrder, withoutSecrets } from './rendered.ts';
import type { ClusterChoice } from '../cluster/choice.ts';
import type { OrderSettings } from './settings.ts';
import { inputOf, type SourceOptions } from './source.ts';
import { orderContextOf } from './context.ts';
import { judgedShape } from './validate.ts';

export interface RenderOptions extends SourceOptions {
  readonly output: 'yaml' | 'json';
  readonly showSecrets: boolean;
  readonly settings: OrderSettings;
  readonly choice?: ClusterChoice | undefined;
}

export async function render(options: RenderOptions): Promise<ExitCode> {
  const { settings, choice, output, showSecrets } = options;
  const input = await inputOf(options);
  const objects: KubeLike[] = [];
  let isWhole = true;
  const renderAll = async (judgingOf: (order: ShownOrder) => Promise<Judging>): Promise<void> => {
    for (const order of input.orders) {
      const made = await rendered(order, judgingOf);
      isWhole &&= made !== undefined;
      objects.push(...(made ?? []));
    }
  };
  const judging: Judging = { settings, templates: input.templates };
  if (choice === undefined) await renderAll(() => Promise.resolve(judging));
  else
    await withCluster(choice, (asking) =>
      renderAll(async (order) => ({ ...judging, context: await orderContextOf(asking, order) })),
    );
  const shown = (showSecrets ? objects : objects.map(withoutSecrets)).map(envelopeFirst);
  say(
    output === 'json'
      ? `${JSON.stringify(listOf(shown), null, 2)}\n`
      : shown.map((one) => `---\n${stringify(one, { lineWidth: 0, aliasDuplicateObjects: false })}`).join(''),
  );
  return isWhole ? 0 : 1;
}

/** Puts the fields in the usual order for readers. */
function envelopeFirst({ apiVersion, kind, metadata, ...rest }: KubeLike): KubeLike {
  return { apiVersion, kind, metadata, ...rest };
}

function listOf(items: readonly KubeLike[]): object {
  return { apiVersion: 'v1', kind: 'List', items };
}

/** Resolves to undefined if the order was rejected; the reason is printed. */
async function rendered(
  order: unknown,
  judgingOf: (order: ShownOrder) => Promise<Judging>,
): Promise<readonly KubeLike[] | undefined> {
  const misshapen = judgedShape(order);
  if (misshapen !== undefined) {
    for (const { message } of misshapen.problems) note(`${misshapen.name}: refused: ${message}`);
    return undefined;
  }
  const known = order as ShownOrder;
  const judging = await judgingOf(known);
  const { name = '' } = known.metadata;
  const template = templateClass(known.spec.templateID, judging);
  if (template === 'unknown') {
    note(
      `${name}: refused: the template "${known.spec.templateID}" is neither built in nor an OrderTemplate ${judging.context === undefined ? 'in this file: to look in a cluster, give --cluster' : 'in this file or cluster'}`,
    );
    return undefined;
  }
  const { problems, provisionedBy } = judge(known, judging);
  for (const { message } of problems) note(`${name}: refused: ${message}`);
  if (problems.length > 0) return undefined;
  if (provisionedBy === 'aap')
    note(
      `${name}: its annotation, its template or the settings here assign it to AAP: this is what the controller would create`,
    );
  const result = renderOrder(known, judging);
  if ('problem' in result) {
    note(`${name}: refused: ${result.problem}`);
    return undefined;
  }
  for (const line of result.notes) note(`${name}: ${line}`);
  return result.objects;
}
