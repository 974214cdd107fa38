/**
 * The JSON schema of the chart's values: unknown keys and bad values are rejected with their path, before anything is
 * installed.
 */
import { configSchema, type Json } from './config-schema.ts';

const string: Json = { type: 'string' };
const boolean: Json = { type: 'boolean' };
const object = (properties: Json): Json => ({ type: 'object', additionalProperties: false, properties });
const oneOf = (...choices: readonly string[]): Json => ({ type: 'string', enum: choices });
/** Kubernetes checks these itself, and extends them in later versions. */
const asInKubernetes: Json = { type: 'object' };
const listAsInKubernetes: Json = { type: 'array', items: { type: 'object' } };
const texts: Json = { type: 'object', additionalProperties: { type: 'string' } };
const namePattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
/** The name of an object, such as a Secret. */
const name: Json = { type: 'string', pattern: `^${namePattern}(\\.${namePattern})*$`, maxLength: 253 };
const nameOrNone: Json = { type: 'string', pattern: `^(${namePattern}(\\.${namePattern})*)?$`, maxLength: 253 };
const namespace: Json = { type: 'string', pattern: `^${namePattern}$`, maxLength: 63 };
const dataKey: Json = { type: 'string', pattern: '^[-._a-zA-Z0-9]+$' };
const dataKeyOrNone: Json = { type: 'string', pattern: '^[-._a-zA-Z0-9]*$' };
const hostOrNone: Json = { type: 'string', pattern: `^(${namePattern}(\\.${namePattern})*)?$` };
const quantity: Json = { type: ['string', 'number'], pattern: '^\\d+(\\.\\d+)?(m|[kMGTPE]i?|Ki)?$' };
const amounts: Json = { type: 'object', additionalProperties: quantity };
const port: Json = { type: 'integer', minimum: 1, maximum: 65_535 };
const count: Json = { type: 'integer', minimum: 0, maximum: 100 };

const places = {
  nodeSelector: texts,
  tolerations: listAsInKubernetes,
  affinity: asInKubernetes,
  topologySpreadConstraints: listAsInKubernetes,
};

/** The values that every process has. */
const process = (own: Json): Json =>
  object({
    enabled: boolean,
    replicaCount: count,
    resources: object({ requests: amounts, limits: amounts, claims: listAsInKubernetes }),
    ...places,
    podAnnotations: texts,
    extraEnv: listAsInKubernetes,
    extraVolumes: listAsInKubernetes,
    extraVolumeMounts: listAsInKubernetes,
    ...own,
  });

const database = object({
  url: {
    description: 'The URL must not contain a password: Helm stores values where many users can read them.',
    type: 'string',
    pattern: '^(postgres(ql)?://([^:/@?#]*@)?[^@]+)?$',
  },
  secret: object({ name: nameOrNone, urlKey: dataKey, passwordKey: dataKeyOrNone }),
  migrationJob: object({
    enabled: boolean,
    secretName: name,
    activeDeadlineSeconds: { type: 'integer', minimum: 1 },
  }),
});

const apiServer = process({
  publicUrl: { type: 'string', pattern: '^(https://[^/?#]+)?$' },
  tls: object({
    mode: oneOf('selfSigned', 'secret', 'certManager'),
    secretName: name,
    extraNames: { type: 'array', items: { type: 'string', minLength: 1 } },
    days: { type: 'integer', minimum: 1, maximum: 36_500 },
    issuerRef: object({ name: nameOrNone, kind: string, group: string }),
  }),
  initialAdmin: object({
    enabled: boolean,
    username: { type: 'string', minLength: 1 },
    secretName: name,
    passwordKey: dataKey,
    generate: boolean,
  }),
  service: object({
    type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer'),
    port,
    nodePort: { type: ['integer', 'null'], minimum: 1, maximum: 65_535 },
    annotations: texts,
  }),
  ingress: object({
    enabled: boolean,
    className: nameOrNone,
    annotations: texts,
    host: hostOrNone,
    tlsSecretName: nameOrNone,
  }),
  route: object({
    enabled: boolean,
    host: hostOrNone,
    termination: oneOf('passthrough', 'reencrypt'),
    destinationCACertificate: string,
    annotations: texts,
  }),
});

const metrics = object({
  open: boolean,
  readerServiceAccount: object({ name: nameOrNone, namespace: nameOrNone }),
  serviceMonitor: object({
    enabled: boolean,
    interval: { type: 'string', pattern: '^\\d+(ms|s|m|h)$' },
    labels: texts,
    credentials: object({ name: nameOrNone, key: dataKey }),
  }),
  prometheusRule: object({
    enabled: boolean,
    labels: texts,
    runbookUrl: { type: 'string', pattern: '^(https?://.+)?$' },
  }),
  dashboards: object({ enabled: boolean, labels: texts }),
});

export function valuesSchema(): Json {
  return {
    $schema: 'https://json-schema.org/draft-07/schema#',
    title: 'The values of the chart ssvirt',
    ...object({
      // Helm passes these to every subchart.
      global: asInKubernetes,
      image: object({
        repository: { type: 'string', minLength: 1 },
        tag: string,
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
      }),
      imagePullSecrets: { type: 'array', items: { ...object({ name }), required: ['name'] } },
      commonLabels: texts,
      crds: object({ install: boolean }),
      rbac: object({ create: boolean, policies: boolean, withoutBindings: { type: 'array', items: name } }),
      fleet: object({ namespace, createNamespace: boolean }),
      config: configSchema(),
      database,
      apiServer,
      vmController: process({}),
      machineOperator: process({}),
      cloudkitOperator: process({ aap: object({ secretName: nameOrNone, tokenKey: dataKey, caKey: dataKeyOrNone }) }),
      ...places,
      priorityClassName: nameOrNone,
      podSecurityContext: asInKubernetes,
      securityContext: asInKubernetes,
      probes: object({ liveness: asInKubernetes, readiness: asInKubernetes, startup: asInKubernetes }),
      podDisruptionBudget: object({
        enabled: boolean,
        maxUnavailable: { type: ['integer', 'string'], minimum: 0, pattern: '^\\d+%$' },
      }),
      networkPolicy: object({ enabled: boolean, apiFrom: listAsInKubernetes, metricsFrom: listAsInKubernetes }),
      metrics,
    }),
  };
}
