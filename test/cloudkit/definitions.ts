/** The definitions and the samples of orders, from deploy/. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import { group } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';

export const deploy = join(import.meta.dirname, '../../deploy');
export const samplesFolder = join(deploy, 'samples/orders');
export const plurals = ['virtualmachines', 'ordertemplates'] as const;

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly 'x-kubernetes-validations'?: readonly { readonly message?: string }[];
}

interface Definition {
  readonly spec: {
    readonly names: { readonly shortNames?: readonly string[] };
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

export function definitionOf(plural: (typeof plurals)[number]): Unstructured & Definition {
  return parse(readFileSync(join(deploy, 'crds', `${plural}.${group}.yaml`), 'utf8')) as Unstructured & Definition;
}

/**
 * Every field with its path, such as `virtualmachines.spec.templateID`, except those that the server describes itself.
 */
export function allFields(): readonly (readonly [string, Schema])[] {
  return plurals.flatMap((plural) =>
    definitionOf(plural).spec.versions.flatMap(({ schema }) => fieldsOf(schema.openAPIV3Schema, plural)),
  );
}

function fieldsOf(schema: Schema, path: string): readonly (readonly [string, Schema])[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    name === 'metadata' && !path.includes('.') ? [] : fieldsOf(field, `${path}.${name}`),
  );
  return [[path, schema], ...below, ...(schema.items === undefined ? [] : fieldsOf(schema.items, `${path}[]`))];
}

export interface SampleFile {
  readonly file: string;
  readonly objects: readonly (KubeObject & Unstructured)[];
}

/** In the order in which kubectl applies them. */
export function samples(): readonly SampleFile[] {
  return readdirSync(samplesFolder)
    .toSorted()
    .map((file) => ({
      file,
      objects: parseAllDocuments(readFileSync(join(samplesFolder, file), 'utf8')).map(
        (document) => document.toJS() as KubeObject & Unstructured,
      ),
    }));
}
