/** Builds a CustomResourceDefinition from the parts in which ours differ. */
import type { Schema } from '../../objects/schema/schema.ts';
import type { Definition } from '../install-definitions.ts';
import { fields, open, text } from './schema.ts';

export interface CrdColumn {
  readonly name: string;
  readonly type: 'string' | 'date' | 'boolean' | 'integer';
  readonly jsonPath: string;
  readonly description?: string;
  /** A column with a priority above 0 is shown only by `-o wide`. */
  readonly priority?: number;
}

export interface InstalledVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources?: { readonly status: Record<string, never> };
  readonly additionalPrinterColumns?: readonly CrdColumn[];
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
}

export interface InstalledDefinition extends Definition {
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: {
      readonly plural: string;
      readonly singular: string;
      readonly kind: string;
      readonly listKind: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly InstalledVersion[];
    readonly conversion: { readonly strategy: 'None' };
  };
}

export interface Outline {
  readonly group: string;
  /** The first version is the storage version. */
  readonly versions: readonly string[];
  /** A version that is served for old clients, with a deprecation warning and without a schema of its fields. */
  readonly deprecated?: { readonly version: string; readonly warning: string };
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  /** Shown by `kubectl get all`. */
  readonly inAll?: boolean;
  readonly clusterScoped?: boolean;
  readonly hasStatus?: boolean;
  readonly columns?: readonly CrdColumn[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly description: string;
  readonly spec: Schema;
  readonly status?: Schema;
}

export const KUBEVIRT_V1ALPHA3 = {
  version: 'v1alpha3',
  warning: 'kubevirt.io/v1alpha3 is now deprecated and will be removed in a future release.',
};

export const AGE: CrdColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
export const PHASE: CrdColumn = { name: 'Phase', type: 'string', jsonPath: '.status.phase' };

export const column = (
  name: string,
  type: CrdColumn['type'],
  jsonPath: string,
  more: Partial<CrdColumn> = {},
): CrdColumn => ({
  name,
  type,
  jsonPath,
  ...more,
});

export function define(outline: Outline): InstalledDefinition {
  const { group, kind, plural, singular = kind.toLowerCase(), shortNames, columns } = outline;
  const shared = {
    ...(outline.hasStatus === true ? { subresources: { status: {} } } : {}),
    ...(columns === undefined ? {} : { additionalPrinterColumns: columns }),
  };
  const openAPIV3Schema = wholeSchema(outline);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, ...(outline.labels === undefined ? {} : { labels: outline.labels }) },
    spec: {
      group,
      scope: outline.clusterScoped === true ? 'Cluster' : 'Namespaced',
      names: {
        plural,
        singular,
        kind,
        listKind: `${kind}List`,
        ...(shortNames === undefined ? {} : { shortNames }),
        ...(outline.inAll === true ? { categories: ['all'] } : {}),
      },
      conversion: { strategy: 'None' },
      versions: [
        ...outline.versions.map((name, i) => ({
          name,
          served: true,
          storage: i === 0,
          schema: { openAPIV3Schema },
          ...shared,
        })),
        ...deprecatedVersions(outline).map((version) => ({ ...version, ...shared })),
      ],
    },
  };
}

/** Fields that this version lets through are pruned by the schema of the storage version. */
function deprecatedVersions(outline: Outline): readonly InstalledVersion[] {
  const { deprecated, spec, status } = outline;
  if (deprecated === undefined) return [];
  const openAPIV3Schema = wholeSchema({
    ...outline,
    spec: open(spec.description ?? '', {}, spec.required === undefined ? {} : { required: spec.required }),
    ...(status === undefined ? {} : { status: open(status.description ?? '') }),
  });
  return [
    {
      name: deprecated.version,
      served: true,
      storage: false,
      deprecated: true,
      deprecationWarning: deprecated.warning,
      schema: { openAPIV3Schema },
    },
  ];
}

function wholeSchema({ kind, description, spec, status }: Outline): Schema {
  return fields(
    description,
    {
      apiVersion: text('The group and version of the API that this object is written for.'),
      kind: text(`The kind of this object: ${kind}.`),
      metadata: { type: 'object' },
      spec,
      ...(status === undefined ? {} : { status }),
    },
    { required: ['spec'] },
  );
}
