/** Whether orders can use a template: it has no faults, and none comes out where it is tried with values that it takes. */
import type { OrderTemplateSpec, TemplateParameter } from '../template.ts';
import type { TemplateFault } from './fault.ts';
import { readValue, type ParameterValue } from './parameter-values.ts';
import { fill } from './render.ts';
import { templateFaults } from './template-faults.ts';

const someOrder = {
  name: 'order',
  namespace: 'orders',
  tenantNamespace: 'tenant',
  uid: '',
  marks: { labels: {}, annotations: {} },
} as const;

export function acceptanceFaults(template: OrderTemplateSpec): readonly TemplateFault[] {
  const faults = templateFaults(template);
  if (faults.length > 0) return faults;
  const values = triedValues(template.parameters ?? []);
  if (values === undefined) return [];
  const filled = fill(someOrder, template, values);
  return 'faults' in filled ? filled.faults : [];
}

/** Undefined where a value cannot be thought of: then it shows at the first order. */
function triedValues(parameters: readonly TemplateParameter[]): ReadonlyMap<string, ParameterValue> | undefined {
  const values = new Map<string, ParameterValue>();
  for (const parameter of parameters) {
    const text = parameter.default ?? parameter.enum?.[0] ?? usual(parameter);
    const read = readValue(parameter, text, text, false);
    if ('problem' in read) return undefined;
    values.set(parameter.name, read.value);
  }
  return values;
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
