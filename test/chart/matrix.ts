/** Values as users would set them, each with the kinds that they must add to the usual ones, or remove. */
import type { Values } from './helm.ts';

export interface MatrixCase {
  readonly values: Values;
  /** `Kind name` of objects that exist because of it. */
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}

const everyProcess = ['apiServer', 'vmController', 'machineOperator', 'cloudkitOperator'] as const;
const only = (...names: readonly (typeof everyProcess)[number][]): Values =>
  Object.fromEntries(everyProcess.map((name) => [name, { enabled: names.includes(name) }]));

export const matrix: Readonly<Record<string, MatrixCase>> = {
  'nothing said': {
    values: {},
    has: [
      'Deployment ssvirt-api-server',
      'Deployment ssvirt-cloudkit-operator',
      'NetworkPolicy ssvirt-api-server',
      'NetworkPolicy ssvirt-vm-controller',
      'Secret ssvirt-initial-admin',
      'ValidatingAdmissionPolicy ssvirt-secrets',
      'ValidatingAdmissionPolicyBinding ssvirt-rolebindings',
    ],
    hasNot: [
      'Ingress ssvirt-api-server',
      'PrometheusRule ssvirt',
      // Secrets are never readable by everyone.
      'ClusterRoleBinding ssvirt-api-server-vdc',
      'ClusterRoleBinding ssvirt-api-server-templates',
      'ClusterRoleBinding ssvirt-machine-operator-secrets',
      'ClusterRoleBinding ssvirt-cloudkit-operator-secrets',
      'ClusterRoleBinding ssvirt-api-server-0.1.0',
    ],
  },
  'the API server alone': {
    values: only('apiServer'),
    has: ['Deployment ssvirt-api-server', 'Role ssvirt-api-server-fleet', 'Namespace kubevirt-configs'],
    hasNot: [
      'Deployment ssvirt-vm-controller',
      'ServiceAccount ssvirt-vm-controller',
      'ClusterRole ssvirt-machine-operator',
    ],
  },
  'the vm-controller alone': {
    values: only('vmController'),
    has: ['Deployment ssvirt-vm-controller'],
    hasNot: ['Deployment ssvirt-api-server', 'Secret ssvirt-initial-admin', 'Secret ssvirt-api-server-tls'],
  },
  'the machine-operator alone': {
    values: { ...only('machineOperator'), database: { secret: { name: '' } } },
    has: ['Deployment ssvirt-machine-operator', 'ClusterRole ssvirt-machine-operator-secrets'],
    hasNot: ['Deployment ssvirt-vm-controller'],
  },
  'the cloudkit-operator alone, with AAP': {
    values: {
      cloudkitOperator: { aap: { secretName: 'aap', caKey: 'ca.crt' } },
      apiServer: { enabled: false },
      vmController: { enabled: false },
      machineOperator: { enabled: false },
      config: {
        cloudkit: { controllerMode: false, aap: { createUrl: 'https://aap.example.org/create', timeout: '20s' } },
      },
    },
    has: ['Deployment ssvirt-cloudkit-operator'],
    hasNot: ['Namespace kubevirt-configs'],
  },
  'no rights, definitions or namespace of the chart': {
    values: { rbac: { create: false }, crds: { install: false }, fleet: { createNamespace: false } },
    hasNot: [
      'ClusterRole ssvirt-api-server',
      'CustomResourceDefinition machines.vitistack.io',
      'Namespace kubevirt-configs',
      'ServiceAccount ssvirt-api-server',
    ],
  },
  'bindings left out': {
    values: { rbac: { withoutBindings: ['ssvirt-vm-controller', 'ssvirt-machine-operator'] } },
    has: ['ClusterRole ssvirt-vm-controller', 'ClusterRole ssvirt-machine-operator'],
    hasNot: ['ClusterRoleBinding ssvirt-vm-controller', 'ClusterRoleBinding ssvirt-machine-operator'],
  },
  'policies left out': {
    values: { rbac: { policies: false } },
    has: ['ClusterRole ssvirt-api-server'],
    hasNot: ['ValidatingAdmissionPolicy ssvirt-secrets', 'ValidatingAdmissionPolicyBinding ssvirt-secrets'],
  },
  'all that is watched, and open metrics': {
    values: {
      metrics: {
        open: true,
        serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
        prometheusRule: { enabled: true, runbookUrl: 'https://example.org/runbooks/' },
        dashboards: { enabled: true },
      },
    },
    has: ['ServiceMonitor ssvirt-api-server', 'PrometheusRule ssvirt', 'ConfigMap ssvirt-dashboard-fleet'],
    hasNot: ['ClusterRole ssvirt-api-server-metrics', 'ClusterRoleBinding ssvirt-machine-operator-metrics'],
  },
  'metrics for one reader': {
    values: {
      metrics: {
        readerServiceAccount: { name: 'prometheus-k8s', namespace: 'monitoring' },
        serviceMonitor: { enabled: true },
      },
    },
    has: ['ClusterRole ssvirt-metrics-reader', 'ClusterRoleBinding ssvirt-metrics-reader'],
  },
  'OpenShift, with a Route': {
    values: { apiServer: { route: { enabled: true, host: 'cloud.example.org' }, tls: { mode: 'secret' } } },
    has: ['Route ssvirt-api-server'],
    hasNot: ['Secret ssvirt-api-server-tls'],
  },
  'a Route that encrypts again': {
    values: {
      apiServer: {
        route: {
          enabled: true,
          termination: 'reencrypt',
          destinationCACertificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
        },
      },
    },
    has: ['Route ssvirt-api-server'],
  },
  'an Ingress, and cert-manager': {
    values: {
      apiServer: {
        publicUrl: 'https://cloud.example.org',
        ingress: { enabled: true, host: 'cloud.example.org', className: 'nginx', tlsSecretName: 'cloud-tls' },
        tls: { mode: 'certManager', issuerRef: { name: 'letsencrypt' } },
      },
    },
    has: ['Ingress ssvirt-api-server', 'Certificate ssvirt-api-server'],
    hasNot: ['Secret ssvirt-api-server-tls'],
  },
  'a Prometheus that brings a token of a Secret': {
    values: { metrics: { serviceMonitor: { enabled: true, credentials: { name: 'prometheus-token' } } } },
    has: ['ServiceMonitor ssvirt-api-server'],
  },
  'a load balancer, and network policies': {
    values: {
      apiServer: {
        service: { type: 'LoadBalancer', port: 8443, nodePort: 30443, annotations: { 'example.org/pool': 'a' } },
      },
      networkPolicy: {
        enabled: true,
        apiFrom: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
        metricsFrom: [{ namespaceSelector: {} }],
      },
    },
    has: ['NetworkPolicy ssvirt-api-server', 'NetworkPolicy ssvirt-cloudkit-operator'],
  },
  'a URL with a password in a Secret, and a Job for migrations': {
    values: {
      database: {
        url: 'postgres://ssvirt@db.example.org:5432/ssvirt?sslmode=verify-full&sslrootcert=/secrets/database/ca.crt',
        secret: { passwordKey: 'password' },
        migrationJob: { enabled: true },
      },
      config: { database: { maxConnections: 50, retention: { tasks: '168h' } } },
    },
    has: ['Job ssvirt-database-migrate'],
  },
  'pods placed, labelled and given more': {
    values: {
      commonLabels: { team: 'cloud' },
      imagePullSecrets: [{ name: 'registry' }],
      image: { repository: 'registry.example.org/ssvirt', digest: `sha256:${'0'.repeat(64)}` },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      tolerations: [{ key: 'infra', operator: 'Exists', effect: 'NoSchedule' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'infra', operator: 'Exists' }] }],
          },
        },
      },
      topologySpreadConstraints: [
        { maxSkew: 2, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
      priorityClassName: 'system-cluster-critical',
      podDisruptionBudget: { enabled: true, maxUnavailable: '50%' },
      apiServer: {
        replicaCount: 5,
        nodeSelector: { api: 'yes' },
        resources: { requests: { cpu: 0.5, memory: '1Gi' }, limits: { memory: '1Gi' } },
      },
      vmController: {
        replicaCount: 2,
        podAnnotations: { 'example.org/note': 'here' },
        extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/extra/ca.crt' }],
        extraVolumes: [{ name: 'extra', configMap: { name: 'authorities' } }],
        extraVolumeMounts: [{ name: 'extra', mountPath: '/extra' }],
      },
    },
  },
  'everything off that can be': {
    values: {
      ...only('apiServer'),
      podDisruptionBudget: { enabled: false },
      apiServer: { initialAdmin: { enabled: false }, tls: { mode: 'secret' }, service: { type: 'NodePort' } },
    },
    hasNot: ['PodDisruptionBudget ssvirt-api-server', 'Secret ssvirt-initial-admin'],
  },
  'other namespaces, and settings of every section': {
    values: {
      fleet: { namespace: 'my-clusters' },
      config: {
        log: { level: 'debug', format: 'text' },
        api: { siteName: 'east', loginFailures: 3, templateNamespaces: ['a', 'b'], consoles: { perUser: 2 } },
        controller: { resyncPeriod: 0, batchWindow: '50ms' },
        operator: { defaultKubevirtConfig: 'east', reconcileInterval: '1m30s' },
        cloudkit: { rolloutPercentage: 25, nativeTemplates: ['a.b'] },
      },
    },
    has: ['Namespace my-clusters'],
    hasNot: ['Namespace kubevirt-configs'],
  },
};

export interface BadCase {
  readonly values: Values;
  /** What the refusal has to name: the path, and the rule or value. */
  readonly says: RegExp;
}

export const badValues: Readonly<Record<string, BadCase>> = {
  'a key that there is not': { values: { replicaCounts: 2 }, says: /replicaCounts/ },
  'a key that there is not, deep down': {
    values: { apiServer: { tls: { modes: 'x' } } },
    says: /apiServer[/.]tls.*modes/s,
  },
  'a number that is text': {
    values: { apiServer: { replicaCount: 'two' } },
    says: /apiServer[/.]replicaCount.*integer/s,
  },
  'a negative number': {
    values: { vmController: { replicaCount: -1 } },
    says: /vmController[/.]replicaCount.*minimum/s,
  },
  'a mode that there is not': {
    values: { apiServer: { tls: { mode: 'letsencrypt' } } },
    says: /apiServer[/.]tls[/.]mode.*selfSigned/s,
  },
  'a switch that is text': { values: { metrics: { open: 'yes' } }, says: /metrics[/.]open.*boolean/s },
  'a password in the URL of the database': {
    values: { database: { url: 'postgres://u:secret@db/ssvirt' } },
    says: /database[/.]url/,
  },
  'a URL that is none': { values: { database: { url: 'db.example.org' } }, says: /database[/.]url/ },
  'an image without a name': { values: { image: { repository: '' } }, says: /image[/.]repository/ },
  'a name that Kubernetes would refuse': {
    values: { database: { secret: { name: 'My_Secret' } } },
    says: /database[/.]secret[/.]name/,
  },
  'no URL of the API': {
    values: { apiServer: { publicUrl: '' } },
    says: /apiServer\.publicUrl is empty.*set apiServer\.publicUrl to the URL of the API for clients/s,
  },
  'a public URL without TLS': {
    values: { apiServer: { publicUrl: 'http://cloud.example.org' } },
    says: /apiServer[/.]publicUrl/,
  },
  'a setting that there is not': {
    values: { config: { api: { sessionTimeout: '30m' } } },
    says: /config[/.]api.*sessionTimeout/s,
  },
  'a setting of the wrong kind': {
    values: { config: { controller: { maxRetries: 'many' } } },
    says: /config[/.]controller[/.]maxRetries.*integer/s,
  },
  'a duration without a unit': {
    values: { config: { operator: { reconcileInterval: '30' } } },
    says: /config[/.]operator[/.]reconcileInterval/,
  },
  'a setting that the chart writes itself': {
    values: { config: { api: { listen: ':1' } } },
    says: /config[/.]api.*listen/s,
  },
  'memory that is no amount': {
    values: { machineOperator: { resources: { limits: { memory: '512 MB' } } } },
    says: /machineOperator[/.]resources[/.]limits[/.]memory/,
  },
  'no database at all': {
    values: { database: { secret: { name: '' } } },
    says: /database\.url and database\.secret\.name are both empty/,
  },
  'cert-manager without an issuer': {
    values: { apiServer: { tls: { mode: 'certManager' } } },
    says: /apiServer\.tls\.issuerRef\.name is empty/,
  },
  'an Ingress without a host': {
    values: { apiServer: { ingress: { enabled: true } } },
    says: /apiServer\.ingress\.host is empty/,
  },
  'a reader without a namespace': {
    values: { metrics: { readerServiceAccount: { name: 'prometheus' } } },
    says: /metrics\.readerServiceAccount\.namespace is empty/,
  },
};
