/**
 * Writes the plain manifests for users without Helm: the chart with its defaults, except that the user creates every
 * Secret. `node deploy/chart/manifests.ts [HELM]` writes deploy/manifests.
 */
import { defined } from '@ssvirt/base/values/defined';
import { execFile } from 'node:child_process';
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';

const chart = join(import.meta.dirname, 'ssvirt');
const manifests = resolve(import.meta.dirname, '../manifests');

/** Avoid random values, so that the rendering is reproducible, and labels that claim Helm manages the objects. */
const settings = [
  'apiServer.tls.mode=secret',
  'apiServer.initialAdmin.generate=false',
  // To be replaced by the user.
  'apiServer.publicUrl=https://ssvirt.example.org',
];
const ofHelm = /^(helm\.sh\/chart|app\.kubernetes\.io\/(managed-by|instance)|helm\.sh\/resource-policy)$/;

/** Without a cluster, Helm does not know that this API is available. */
export const policies = 'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy';

interface Rendered {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly template?: { readonly metadata?: Rendered['metadata'] } };
}

/** Names the file of an object; files are applied in name order. */
function fileOf({ kind, metadata }: Rendered): string {
  if (kind === 'Namespace') return '00-namespaces.yaml';
  if (kind === 'CustomResourceDefinition') return '10-definitions.yaml';
  if (/^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind)) return '20-rights.yaml';
  if (kind.startsWith('ValidatingAdmissionPolicy')) return '25-policies.yaml';
  if (kind === 'ConfigMap') return '30-config.yaml';
  const [process = ''] = /(api-server|vm-controller|machine-operator|cloudkit-operator)/.exec(metadata.name) ?? [];
  return `40-${process}.yaml`;
}

/** `renderManifests` returns the text of each file by its name. */
export async function renderManifests(helm: string): Promise<ReadonlyMap<string, string>> {
  const args = [
    'template',
    'ssvirt',
    chart,
    '--namespace',
    'ssvirt-system',
    '--api-versions',
    policies,
    ...settings.flatMap((one) => ['--set', one]),
  ];
  const { stdout } = await promisify(execFile)(helm, args, { maxBuffer: 1 << 26 });
  const own = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ssvirt-system' } };
  const objects = parseAllDocuments(stdout)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
  const files = new Map<string, unknown[]>();
  for (const object of [own, ...objects.map(withoutHelm)]) {
    const file = fileOf(object);
    files.set(file, [...(files.get(file) ?? []), object]);
  }
  return new Map(
    [...files].map(([file, all]) => [file, textOf(all)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function withoutHelm(object: Rendered): Rendered {
  const { spec } = object;
  const template = spec?.template;
  return {
    ...object,
    metadata: bare(object.metadata),
    ...(template?.metadata === undefined
      ? {}
      : { spec: { ...spec, template: { ...template, metadata: bare(template.metadata) } } }),
  };
}

function bare({ labels, annotations, ...rest }: Rendered['metadata']): Rendered['metadata'] {
  const kept = (all: Readonly<Record<string, string>> = {}): [Readonly<Record<string, string>>] | [] => {
    const entries = Object.entries(all).filter(([name]) => !ofHelm.test(name));
    return entries.length === 0 ? [] : [Object.fromEntries(entries)];
  };
  const [keptLabels] = kept(labels);
  const [keptAnnotations] = kept(annotations);
  return {
    ...rest,
    ...defined({ labels: keptLabels, annotations: keptAnnotations }),
  };
}

function textOf(objects: readonly unknown[]): string {
  const head = '# Rendered from deploy/chart/ssvirt by `make manifests`: change it there.\n';
  return head + objects.map((object) => stringify(object, { lineWidth: 0 })).join('---\n');
}

if (process.argv[1] !== undefined && relative(process.argv[1], import.meta.filename) === '') {
  const files = await renderManifests(process.argv[2] ?? 'helm');
  // Keeps files that users build on.
  for (const old of globSync('*.yaml', { cwd: manifests })) rmSync(join(manifests, old));
  for (const [name, text] of files) writeFileSync(join(manifests, name), text);
}
