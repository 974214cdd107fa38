/** Small definitions for kinds of other products, with the fields that the chart writes. Any other field is refused. */
import type { Unstructured } from '../../packages/kube/src/object.ts';

type Json = { readonly [name: string]: unknown };

const string: Json = { type: 'string' };
const integer: Json = { type: 'integer' };
const object = (properties: Json): Json => ({ type: 'object', properties });
const list = (items: Json): Json => ({ type: 'array', items });
const texts: Json = { type: 'object', additionalProperties: string };

function definition(group: string, version: string, kind: string, plural: string, spec: Json): Unstructured {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, a stand-in' } },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: object({ spec }) } }],
    },
  };
}

export const standIns: readonly Unstructured[] = [
  definition(
    'monitoring.coreos.com',
    'v1',
    'ServiceMonitor',
    'servicemonitors',
    object({
      jobLabel: string,
      selector: object({ matchLabels: texts }),
      endpoints: list(
        object({
          port: string,
          path: string,
          interval: string,
          scheme: string,
          tlsConfig: object({ insecureSkipVerify: { type: 'boolean' } }),
          bearerTokenFile: string,
          authorization: object({ type: string, credentials: object({ name: string, key: string }) }),
        }),
      ),
    }),
  ),
  definition(
    'monitoring.coreos.com',
    'v1',
    'PrometheusRule',
    'prometheusrules',
    object({
      groups: list(
        object({
          name: string,
          rules: list(object({ alert: string, expr: string, for: string, labels: texts, annotations: texts })),
        }),
      ),
    }),
  ),
  definition(
    'route.openshift.io',
    'v1',
    'Route',
    'routes',
    object({
      host: string,
      to: object({ kind: string, name: string, weight: integer }),
      port: object({ targetPort: string }),
      tls: object({ termination: string, insecureEdgeTerminationPolicy: string, destinationCACertificate: string }),
    }),
  ),
  definition(
    'cert-manager.io',
    'v1',
    'Certificate',
    'certificates',
    object({
      secretName: string,
      dnsNames: list(string),
      usages: list(string),
      privateKey: object({ algorithm: string, size: integer, rotationPolicy: string }),
      issuerRef: object({ name: string, kind: string, group: string }),
    }),
  ),
];
