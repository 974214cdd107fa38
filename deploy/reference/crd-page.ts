/** Writes one page for each of our kinds: every field, its limits, and every validation rule with its message. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { code, fieldsOf, fieldTable, row, type Field, type Rule, type Schema } from './schema.ts';

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly Version[];
  };
}

interface Version {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly additionalPrinterColumns?: readonly {
    readonly name: string;
    readonly jsonPath: string;
    readonly description?: string;
    readonly priority?: number;
  }[];
}

/** The page that explains each kind. */
const guides: Readonly<Record<string, string>> = {
  'kubevirtconfigs.vitistack.io': '[the fleet](../operator/fleet.md)',
  'machines.vitistack.io':
    '[Machines and networks: the fields](../operator/machine-api.md) and [the machine-operator](../operator/machine-operator.md)',
  'networkconfigurations.vitistack.io': '[Machines and networks: the fields](../operator/machine-api.md)',
  'ordertemplates.cloudkit.openshift.io':
    '[Orders and their templates: the fields](../operator/order-api.md) and [the cloudkit-operator](../operator/cloudkit-operator.md#templates-of-your-own)',
  'virtualmachines.cloudkit.openshift.io':
    '[Orders and their templates: the fields](../operator/order-api.md) and [the cloudkit-operator](../operator/cloudkit-operator.md)',
};

export function readDefinition(file: string): Definition {
  return parse(readFileSync(file, 'utf8')) as Definition;
}

export function crdPage(definition: Definition): string {
  const { metadata, spec } = definition;
  const { kind, plural, shortNames = [], categories = [] } = spec.names;
  const guide = guides[metadata.name];
  if (guide === undefined)
    throw new Error(`deploy/reference/crd-page.ts: add the page that explains ${metadata.name} to the table of guides`);
  return [
    `# ${kind} (${spec.group})\n`,
    '<!-- Written by `make docs` from the definition. -->\n',
    `${spec.versions.map(({ schema }) => schema.openAPIV3Schema.description ?? '').join('\n\n')}\n`,
    `For its behavior, see ${guide}. The CustomResourceDefinition is in [\`deploy/crds\`](../../deploy/crds/${metadata.name}.yaml).\n`,
    table([
      ['name for kubectl', [`${plural}.${spec.group}`, ...shortNames].map(code).join(', ')],
      ['scope', spec.scope === 'Namespaced' ? 'namespaced' : 'cluster'],
      ...(categories.length === 0 ? [] : [['categories', categories.map(code).join(', ')] as const]),
    ]),
    ...spec.versions.flatMap((version) => sections(spec.group, version)),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string {
  return `${row('', '')}${row('---', '---')}${rows.map(([name, value]) => row(name, value)).join('')}`;
}

function sections(group: string, version: Version): readonly string[] {
  const { properties = {}, required = [] } = version.schema.openAPIV3Schema;
  const part = (name: 'spec' | 'status'): readonly Field[] => fieldsOf(properties[name] ?? {}, name);
  const spec = required.includes('spec') ? ' It is required.' : '';
  return [
    `## ${version.name}: spec\n\n\`apiVersion: ${group}/${version.name}\`.${spec}\n`,
    fieldTable(part('spec')),
    `## ${version.name}: status\n\nWritten by the operator.\n`,
    fieldTable(part('status')),
    `## ${version.name}: rules\n\nThe API server rejects an object that violates one of them. \`oldSelf\` is the object before the change.\n`,
    ruleTable(version.schema.openAPIV3Schema),
    `## ${version.name}: columns of kubectl get\n`,
    columnTable(version),
  ];
}

function ruleTable(schema: Schema): string {
  const all = [{ path: '', schema, required: true }, ...fieldsOf(schema)];
  const rules = all.flatMap(({ path, schema: { 'x-kubernetes-validations': own = [] } }) =>
    own.map((rule) => [path, rule] as const),
  );
  if (rules.length === 0) return 'None besides the limits of the fields.\n';
  const rows = rules.map(([path, rule]) =>
    row(path === '' ? 'the object' : code(path), words(rule), code(squeezed(rule))),
  );
  return `${row('of', 'message', 'rule')}${row('---', '---', '---')}${rows.join('')}`;
}

function words({ message, messageExpression }: Rule): string {
  return message ?? messageExpression ?? '';
}

function squeezed({ rule }: Rule): string {
  return rule.replaceAll(/\s+/g, ' ').trim();
}

function columnTable({ additionalPrinterColumns = [] }: Version): string {
  const rows = additionalPrinterColumns.map(({ name, jsonPath, description = '', priority = 0 }) =>
    row(
      name,
      code(jsonPath),
      `${description}${priority > 0 ? `${description === '' ? '' : '; '}with \`-o wide\`` : ''}`,
    ),
  );
  return `${row('column', 'from', 'meaning')}${row('---', '---', '---')}${rows.join('')}`;
}
