/** Whether orders can use a template: it has no faults, and rendering it with valid sample values finds none. */
import type { OrderTemplateSpec, TemplateParameter } from '../parameters/template.ts';
import type { TemplateFault } from './fault.ts';
import { Filling } from './filling.ts';
import { readValue, type ParameterValue } from './parameter-values.ts';
import { fill } from './render.ts';
import { ruleFaults } from './rule-faults.ts';
import { templateFaults } from './template-faults.ts';

const someOrder = {
  name: 'order',
  namespace: 'orders',
  tenantNamespace: 'tenant',
  uid: '',
  marks: { labels: {}, annotations: {} },
} as const;

export function acceptanceFaults(
  template: OrderTemplateSpec,
  imageNamespaces: readonly string[],
): readonly TemplateFault[] {
  const faults = templateFaults(template);
  if (faults.length > 0) return faults;
  const { values, open } = triedValues(template.parameters ?? []);
  if (open.size > 0) {
    const filling = new Filling(someOrder, template, values);
    return ruleFaults(filling.drafts() ?? [], filling, imageNamespaces, open).faults;
  }
  const filled = fill(someOrder, template, values, imageNamespaces);
  return 'faults' in filled ? filled.faults : [];
}

interface TriedValues {
  readonly values: ReadonlyMap<string, ParameterValue>;
  /** Parameters for which no sample value was found: faults that depend on them only show with the first order. */
  readonly open: ReadonlySet<string>;
}

function triedValues(parameters: readonly TemplateParameter[]): TriedValues {
  const values = new Map<string, ParameterValue>();
  const open = new Set<string>();
  for (const parameter of parameters) {
    const text = parameter.default ?? parameter.enum?.[0] ?? usual(parameter);
    const read = readValue(parameter, text, text, false);
    if ('problem' in read) open.add(parameter.name);
    else values.set(parameter.name, read.value);
  }
  return { values, open };
}

function usual({ type = 'string', minimum, maximum }: TemplateParameter): string {
  switch (type) {
    case 'string':
      return 'x';
    case 'integer':
      return String(minimum ?? maximum ?? 1);
    case 'boolean':
      return 'true';
    case 'quantity':
      return '1Gi';
  }
}
