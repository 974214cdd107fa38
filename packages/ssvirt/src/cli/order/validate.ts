/** `ssvirt order validate`: checks whether orders would be accepted, and lists all their problems. */
import { defined } from '@ssvirt/base/values/defined';
import { fields, text } from '../../kubevirt/facts/reading.ts';
import { acceptanceFaults } from '../../kubevirt/order/custom/acceptance.ts';
import type { ExitCode } from '../output/exit-code.ts';
import { note, say } from '../output/streams.ts';
import { withCluster } from './asked.ts';
import type { Input } from './input.ts';
import { judge, type Judged, type Judging } from './check-order.ts';
import { invalid, ofProblem } from './finding.ts';
import type { ShownOrder, ShownOrderTemplate } from './shown-order.ts';
import type { ClusterChoice } from '../cluster/choice.ts';
import type { OrderSettings } from './settings.ts';
import { shapeProblems, shapeWarnings } from './shape.ts';
import { inputOf, type SourceOptions } from './source.ts';
import type { ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import { orderContextOf } from './context.ts';

export interface ValidateOptions extends SourceOptions {
  readonly output: 'text' | 'json';
  readonly settings: OrderSettings;
  /** Absent if no cluster is to be queried. */
  readonly choice?: ClusterChoice | undefined;
}

export async function validate(options: ValidateOptions): Promise<ExitCode> {
  const input = await inputOf(options);
  for (const other of input.others) note(`ignored, since it is not an order: ${other}`);
  const orders = await judgedBy(input, options);
  const templates = input.templates.map((template) => judgeTemplate(template, options.settings));
  const ok = [...orders, ...templates].every((one) => one.ok);
  say(
    options.output === 'json'
      ? `${JSON.stringify({ ok, orders, ...(templates.length === 0 ? {} : { templates }) }, null, 2)}\n`
      : `${templates.map(templateText).join('')}${judgedText(orders)}`,
  );
  return ok ? 0 : 1;
}

/** `judgeTemplate` checks whether orders could use a template from the file. */
export function judgeTemplate({ metadata, spec }: ShownOrderTemplate, settings: OrderSettings): Judged {
  const { templateID } = spec;
  const isTaken = [...settings.nativeTemplates, ...settings.floatingIpTemplates].includes(templateID);
  const problems = [
    ...(isTaken
      ? [
          invalid(
            'spec.templateID',
            templateID,
            'one that is not built in',
            'Choose another: orders would use the built-in template',
          ),
        ]
      : []),
    ...acceptanceFaults(spec, settings.imageNamespaces).map(({ message }) =>
      ofProblem({ reason: 'InvalidTemplate', message }, 'spec', templateID),
    ),
  ];
  return { name: metadata.name ?? '', templateID, ok: problems.length === 0, problems, warnings: [] };
}

function templateText({ name, templateID, ok, problems }: Judged): string {
  const lines = problems.map(({ message }) => `  InvalidTemplate: ${message}\n`);
  return `OrderTemplate ${name}: ${ok ? `ok, template ${templateID ?? ''}` : 'refused'}\n${lines.join('')}`;
}

async function judgedBy(input: Input, { settings, choice }: ValidateOptions): Promise<readonly Judged[]> {
  const judging = { settings, templates: input.templates };
  if (choice === undefined)
    return input.orders.map((order) => judgedShape(order) ?? judgeWhole(order as ShownOrder, judging));
  return withCluster(choice, (asking) => inCluster(asking, input, judging));
}

async function inCluster(asking: ClusterReaderOptions, input: Input, judging: Judging): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const order of input.orders)
    judged.push(
      judgedShape(order) ??
        judgeWhole(order as ShownOrder, {
          ...judging,
          context: await orderContextOf(asking, order as ShownOrder),
        }),
    );
  return judged;
}

function judgeWhole(order: ShownOrder, judging: Judging): Judged {
  const judged = judge(order, judging);
  return { ...judged, warnings: [...shapeWarnings(order), ...judged.warnings] };
}

/** An order that any API server would reject is not checked further; returns undefined if its shape is valid. */
export function judgedShape(order: unknown): Judged | undefined {
  const problems = shapeProblems(order);
  if (problems.length === 0) return undefined;
  const { name, namespace } = fields(fields(order)['metadata']);
  const place = text(namespace);
  return {
    name: text(name) ?? '(no name)',
    ...defined({ namespace: place }),
    ok: false,
    problems,
    warnings: shapeWarnings(order),
  };
}

export function judgedText(judged: readonly Judged[]): string {
  return judged.map(orderText).join('');
}

function orderText({
  name,
  namespace,
  templateID,
  ok,
  provisionedBy,
  problems,
  warnings,
  parameters,
  storageClass,
}: Judged): string {
  const where = namespace === undefined ? name : `${namespace}/${name}`;
  const by =
    provisionedBy === undefined ? '' : `, provisioned by ${provisionedBy === 'aap' ? 'AAP' : 'the controller'}`;
  const head = ok ? `${where}: ok, template ${templateID ?? ''}${by}` : `${where}: refused`;
  const shown = Object.entries(parameters ?? {}).map(([key, value]) => `  ${key}: ${String(value)}`);
  const lines = [
    head,
    ...(ok ? shown : []),
    ...(ok && storageClass !== undefined ? [`  storage class: ${storageClass}`] : []),
    ...problems.map(({ reason, field, message }) => `  ${reason} ${field}: ${message}`),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}
