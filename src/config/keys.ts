/**
 * Every key of the configuration. A process adds its section here: the file, environment and flag forms, their checks
 * and the documentation follow. `make docs` writes docs/configuration.md anew.
 */
import { key, section, type Infer } from './schema.ts';
import {
  address,
  bool,
  databaseUrl,
  duration,
  factor,
  int,
  label,
  list,
  oneOf,
  path,
  quantity,
  secretFile,
  text,
  webUrl,
  wait,
} from './values.ts';

/** What the sandbox can simulate besides the API itself. */
export const simulatedParts = [
  'kubevirt',
  'nodes',
  'storage',
  'cdi',
  'templates',
  'load-balancers',
  'samples',
] as const;

export const schema = section('The configuration of ssvirt.', {
  log: section('What every process writes to its standard error.', {
    level: key(oneOf('debug', 'info', 'warn', 'error'), {
      default: 'info',
      doc: 'The least serious messages that are written.',
    }),
    format: key(oneOf('text', 'json'), {
      default: 'text',
      doc: 'Lines for people, or one JSON object a line for machines.',
    }),
  }),
  kube: section(
    'The cluster that a command such as `ssvirt sandbox fault` talks to.',
    {
      kubeconfig: key(path, {
        doc: 'The kubeconfig file that is read to reach the cluster.',
        aliases: [{ env: 'KUBECONFIG', process: 'cli' }],
      }),
    },
    'cli',
  ),
  api: section(
    'The REST API in the manner of VMware Cloud Director, `ssvirt api-server`.',
    {
      listen: key(address, { default: ':8443', doc: 'Where the API listens, by HTTPS only.' }),
      publicUrl: key(text, {
        doc: 'The URL by which callers reach it, such as `https://cloud.example.org`: it stands in links. Taken from the request unless said.',
      }),
      tls: section('The certificate that the API shows.', {
        certFile: key(path, {
          required: true,
          doc: 'The certificate in PEM, with those between it and the authority behind it; read again when it changes.',
        }),
        keyFile: key(path, { required: true, doc: 'Its key in PEM, without a password; read again when it changes.' }),
      }),
      siteName: key(text, { default: 'ssvirt', doc: 'The name of this site, as sessions show it.' }),
      sessionIdleTimeout: key(duration, { default: '30m', doc: 'A session that nobody used for so long has ended.' }),
      sessionMaxLifetime: key(duration, { default: '24h', doc: 'A session ends after this, whatever is done in it.' }),
      accessTokenLifetime: key(duration, {
        default: '1h',
        doc: 'How long the access token lives that an API token is exchanged for.',
      }),
      loginFailures: key(int(1, 1000), {
        default: '5',
        doc: 'After so many failures in a row a user name, and an address, has to wait before it may log in again.',
      }),
      consoles: section('The consoles of machines, which go through the API.', {
        ticketLifetime: key(duration, {
          default: '30s',
          doc: 'How long a ticket for a console can be used after it was given.',
        }),
        idleTimeout: key(duration, {
          default: '30m',
          doc: 'A console on which nothing was typed and nothing shown for so long is closed.',
        }),
        perUser: key(int(1, 1000), {
          default: '10',
          doc: 'How many a user may have open at once, in each API server.',
        }),
      }),
      maxConnections: key(int(100, 1_000_000), {
        default: '8000',
        doc: 'How many connections one process keeps open at most, each stream of events and each console being one; further ones are closed at once.',
      }),
      trustProxy: key(text, {
        doc: 'The addresses of proxies whose X-Forwarded-For is believed, such as `10.0.0.0/8`; none unless said.',
      }),
      initialAdmin: section('The first system administrator, who is made where there is none.', {
        username: key(text, { default: 'administrator', doc: 'The name, in the organization System.' }),
        passwordFile: key(secretFile, {
          doc: 'A file that holds the password, a mounted Secret say; without it nobody is made, and the log says so.',
        }),
      }),
      defaultCluster: key(text, {
        default: 'local',
        doc: 'The cluster of the fleet for virtual data centers that name none; `local` is the own one.',
      }),
      kubeconfig: key(path, {
        doc: 'The kubeconfig of the cluster that it runs in, with the KubevirtConfigs; without it that of the pod, or ~/.kube/config.',
        aliases: [{ env: 'KUBECONFIG', process: 'api-server' }],
      }),
      context: key(text, { doc: 'The context of the kubeconfig that is used; the current one unless said.' }),
      kubevirtConfigsNamespace: key(text, {
        default: 'kubevirt-configs',
        doc: 'The namespace of the KubevirtConfigs, which name the other clusters of the fleet.',
        aliases: [{ env: 'KUBEVIRT_CONFIGS_NAMESPACE', process: 'api-server' }],
      }),
      templateNamespaces: key(list(text), {
        default: 'openshift',
        doc: 'The namespaces of each cluster whose templates are offered; whoever may write there decides what every tenant sees.',
      }),
      imageNamespaces: key(list(text), {
        default: 'openshift-virtualization-os-images,kubevirt-os-images',
        doc: 'The namespaces of each cluster whose boot images (DataSources) are offered; disks are cloned from there into virtual data centers.',
      }),
      importNamespaces: key(list(text), {
        default: 'cdi,kubevirt,openshift-cnv,kubevirt-hyperconverged',
        doc: 'The namespaces in which CDI may run; like those of the images they reach into every virtual data center, or disks could not be filled.',
      }),
      metricsAddr: key(address, {
        default: ':8080',
        doc: 'Where metrics are served: over TLS, to those who may get /metrics in the cluster; without, to all on a loopback address.',
      }),
      openMetrics: key(bool, {
        default: 'false',
        doc: 'Whether anybody who reaches the address may read the metrics.',
      }),
    },
    'api-server',
  ),
  controller: section(
    'The controller that writes into the database what the clusters say of virtual machines, `ssvirt vm-controller`.',
    {
      enabled: key(bool, {
        default: 'true',
        doc: 'Whether it works at all; without it the process serves its health and does nothing else.',
        aliases: [{ env: 'CONTROLLER_ENABLED', process: 'vm-controller' }],
      }),
      kubeconfig: key(path, {
        doc: 'The kubeconfig of the cluster that it runs in, with the Lease and the KubevirtConfigs; without it that of the pod, or ~/.kube/config.',
        aliases: [{ env: 'KUBECONFIG', process: 'vm-controller' }],
      }),
      context: key(text, { doc: 'The context of the kubeconfig that is used; the current one unless said.' }),
      namespace: key(text, {
        default: 'ssvirt-system',
        doc: 'The namespace of the Lease.',
        aliases: [{ env: 'CONTROLLER_NAMESPACE', process: 'vm-controller' }],
      }),
      kubevirtConfigsNamespace: key(text, {
        default: 'kubevirt-configs',
        doc: 'The namespace of the KubevirtConfigs, which name the other clusters of the fleet.',
        aliases: [{ env: 'KUBEVIRT_CONFIGS_NAMESPACE', process: 'vm-controller' }],
      }),
      enableLeaderElection: key(bool, {
        default: 'true',
        doc: 'Whether a Lease decides who writes; switch it off only where there is surely one process.',
        aliases: [{ env: 'CONTROLLER_LEADER_ELECTION', process: 'vm-controller' }],
      }),
      maxConcurrentReconciles: key(int(1, 100), {
        default: '5',
        doc: 'How many virtual machines of a cluster are asked for at a time when they may have gone unseen; rows are written in batches and need no workers.',
        aliases: [{ env: 'CONTROLLER_MAX_CONCURRENT', process: 'vm-controller' }],
      }),
      baseDelay: key(wait, {
        default: '1s',
        doc: 'How long a row that could not be written waits for the next try; doubled with each failure in a row.',
        aliases: [{ env: 'CONTROLLER_BASE_DELAY', process: 'vm-controller' }],
      }),
      maxDelay: key(wait, {
        default: '5m',
        doc: 'The longest such wait.',
        aliases: [{ env: 'CONTROLLER_MAX_DELAY', process: 'vm-controller' }],
      }),
      maxRetries: key(int(0), {
        default: '10',
        doc: 'After so many failed retries of a row it is put into the sync failures; it is tried on.',
        aliases: [{ env: 'CONTROLLER_MAX_RETRIES', process: 'vm-controller' }],
      }),
      resyncPeriod: key(duration, {
        default: '10m',
        doc: 'How often every virtual machine is compared with its row, whatever happened; 0 for never.',
        aliases: [{ env: 'CONTROLLER_RESYNC_PERIOD', process: 'vm-controller' }],
      }),
      batchWindow: key(duration, {
        default: '25ms',
        doc: 'Changes within this time are written in one statement.',
      }),
      heartbeatInterval: key(wait, {
        default: '5s',
        doc: 'How often it reports to the database that it is alive, and tries whether each cluster can be reached.',
      }),
      staleAfter: key(duration, {
        default: '15s',
        doc: 'After this time without such a report of the vm-controller, or without an answer of a cluster, machines are shown as stale; at least three times heartbeatInterval.',
      }),
      metricsAddr: key(address, {
        default: ':8080',
        doc: 'Where metrics are served: over TLS, to those who may get /metrics in the cluster; without, to all on a loopback address.',
        aliases: [{ env: 'CONTROLLER_METRICS_ADDR', process: 'vm-controller' }],
      }),
      openMetrics: key(bool, {
        default: 'false',
        doc: 'Whether anybody who reaches the address may read the metrics.',
      }),
      healthAddr: key(address, { default: ':8081', doc: 'Where /healthz and /readyz are served.' }),
    },
    'vm-controller',
  ),
  operator: section(
    'The operator that makes virtual machines of declared Machines, on many clusters, `ssvirt machine-operator`.',
    {
      kubeconfig: key(path, {
        doc: 'The kubeconfig of the supervisor, with the Machines, the KubevirtConfigs and the Lease; without it that of the pod, or ~/.kube/config.',
        aliases: [{ env: 'KUBECONFIG', process: 'machine-operator' }],
      }),
      context: key(text, { doc: 'The context of the kubeconfig that is used; the current one unless said.' }),
      namespace: key(text, {
        default: 'ssvirt-system',
        doc: 'The namespace that it runs in, with the Lease.',
        aliases: [{ env: 'NAMESPACE', process: 'machine-operator' }],
      }),
      kubevirtConfigsNamespace: key(text, {
        default: 'kubevirt-configs',
        doc: 'The namespace of the KubevirtConfigs, which name the other clusters of the fleet.',
        aliases: [{ env: 'KUBEVIRT_CONFIGS_NAMESPACE', process: 'machine-operator' }],
      }),
      defaultKubevirtConfig: key(text, {
        doc: 'The cluster for Machines that name none; where there is only one, it is used without being named.',
        aliases: [{ env: 'DEFAULT_KUBEVIRT_CONFIG', process: 'machine-operator' }],
      }),
      reconcileInterval: key(duration, {
        default: '30s',
        doc: 'How often every Machine is compared with what is known of its cluster, whatever happened; changes are seen at once without it. 0 for never.',
        aliases: [{ env: 'RECONCILE_INTERVAL', process: 'machine-operator' }],
      }),
      maxConcurrentReconciles: key(int(1, 100), {
        default: '5',
        doc: 'How many Machines of a cluster are worked on at a time; each cluster has its own workers.',
        aliases: [{ env: 'MAX_CONCURRENT_RECONCILES', process: 'machine-operator' }],
      }),
      leaderElection: key(bool, {
        default: 'true',
        doc: 'Whether a Lease decides who works; switch it off only where there is surely one process.',
        aliases: [{ env: 'LEADER_ELECTION', process: 'machine-operator' }],
      }),
      metricsAddr: key(address, {
        default: ':8080',
        doc: 'Where metrics are served: over TLS, to those who may get /metrics in the cluster; without, to all on a loopback address.',
        aliases: [{ env: 'METRICS_BIND_ADDRESS', process: 'machine-operator' }],
      }),
      openMetrics: key(bool, {
        default: 'false',
        doc: 'Whether anybody who reaches the address may read the metrics.',
      }),
      healthAddr: key(address, {
        default: ':8081',
        doc: 'Where /healthz and /readyz are served.',
        aliases: [{ env: 'HEALTH_PROBE_BIND_ADDRESS', process: 'machine-operator' }],
      }),
    },
    'machine-operator',
  ),
  cloudkit: section(
    'The operator that makes virtual machines of orders, or has AAP make them, `ssvirt cloudkit-operator`.',
    {
      kubeconfig: key(path, {
        doc: 'The kubeconfig of the cluster with the orders, their machines and the Lease; without it that of the pod, or ~/.kube/config.',
        aliases: [{ env: 'KUBECONFIG', process: 'cloudkit-operator' }],
      }),
      context: key(text, { doc: 'The context of the kubeconfig that is used; the current one unless said.' }),
      namespace: key(text, {
        default: 'ssvirt-system',
        doc: 'The namespace that it runs in, with the Lease.',
        aliases: [{ env: 'NAMESPACE', process: 'cloudkit-operator' }],
      }),
      orderNamespace: key(text, {
        doc: 'The one namespace whose orders it works on; those of all namespaces unless said.',
        aliases: [{ env: 'CLOUDKIT_VM_ORDER_NAMESPACE', process: 'cloudkit-operator' }],
      }),
      storageClass: key(text, {
        doc: 'The storage class of new disks; the default class of the cluster unless said.',
        aliases: [{ env: 'CLOUDKIT_VM_OPERATIONS_STORAGE_CLASS', process: 'cloudkit-operator' }],
      }),
      controllerMode: key(bool, {
        default: 'true',
        doc: 'Whether it makes machines by itself at all; without it all that is not made yet goes to AAP, and what it has made before is still deleted by it.',
      }),
      rolloutPercentage: key(int(0, 100), {
        default: '0',
        doc: 'Of a hundred new orders that do not say who provisions them, how many it makes by itself; the others go to AAP. Decided once for each order.',
      }),
      fallbackToAap: key(bool, {
        default: 'false',
        doc: 'Whether AAP is asked for a version of an order that could not be made in the last retry.',
      }),
      nativeTemplates: key(list(text), {
        default: 'osac.templates.ocp_virt_vm,cloudkit.templates.ocp_virt_vm',
        doc: 'The template ids that it can make by itself, beside the OrderTemplates of the cluster.',
      }),
      floatingIpTemplates: key(list(text), {
        default: 'osac.massopencloud.ocp_virt_vm',
        doc: 'The template ids that need floating IPs, and always stay with AAP.',
      }),
      imageNamespaces: key(list(text), {
        default: 'openshift-virtualization-os-images,kubevirt-os-images',
        doc: "The namespaces that an OrderTemplate may clone disks from, beside that of the order's tenant.",
      }),
      networkBinding: key(oneOf('masquerade', 'l2bridge'), {
        default: 'masquerade',
        doc: "How a machine is bound to the pod network: `l2bridge` where the tenants' namespaces have a user-defined network.",
      }),
      retries: section('What happens when an order cannot be made at the first try.', {
        max: key(int(0), {
          default: '10',
          doc: 'After so many failed retries in a row the order is said to have failed; it is tried on, slowly.',
        }),
        initial: key(wait, {
          default: '5ms',
          doc: 'How long the first retry waits; doubled with each failure in a row.',
        }),
        longest: key(wait, { default: '1s', doc: 'The longest such wait.' }),
        slow: key(wait, { default: '1m', doc: 'How often an order that has failed is tried again.' }),
      }),
      aap: section('How the Ansible Automation Platform is asked to provision and to delete, by its webhooks.', {
        createUrl: key(webUrl, {
          doc: 'Where an order is posted that is to be provisioned; without it no order can be provisioned by AAP.',
          aliases: [{ env: 'CLOUDKIT_VM_CREATE_WEBHOOK', process: 'cloudkit-operator' }],
        }),
        deleteUrl: key(webUrl, {
          doc: 'Where an order is posted that AAP has provisioned and that is to be deleted.',
          aliases: [{ env: 'CLOUDKIT_VM_DELETE_WEBHOOK', process: 'cloudkit-operator' }],
        }),
        tokenFile: key(path, {
          doc: 'A file that holds the bearer token for both; it is read anew for each call, so that a new token needs no restart.',
        }),
        caFile: key(path, {
          doc: "A file with the authorities, in PEM, that AAP's certificate may come from; those that Node knows unless said.",
        }),
        insecureSkipVerify: key(bool, {
          default: 'false',
          doc: "Whether AAP's certificate is left unchecked; whoever stands in between can then read every order.",
        }),
        timeout: key(duration, { default: '10s', doc: 'How long AAP may take to answer a call.' }),
        minimumInterval: key(duration, {
          default: '0s',
          doc: 'The least time between two calls for the same order.',
          aliases: [{ env: 'CLOUDKIT_MINIMUM_REQUEST_INTERVAL', process: 'cloudkit-operator' }],
        }),
        quietPeriod: key(duration, {
          default: '15m',
          doc: 'How long after an accepted call a job of AAP may still be running: until then the order is not taken over from it.',
        }),
        repeatAfter: key(wait, {
          default: '15m',
          doc: 'When AAP has accepted an order and nothing has come of it for this long, it is asked again, with the same idempotency key.',
        }),
        retryInitial: key(wait, {
          default: '2s',
          doc: 'How long a call that failed waits for the next one; doubled with each failure in a row.',
        }),
        retryLongest: key(wait, { default: '5m', doc: 'The longest such wait.' }),
      }),
      resyncInterval: key(duration, {
        default: '10m',
        doc: 'How often every order is compared with what is there, whatever happened; changes are seen at once without it. 0 for never.',
      }),
      maxConcurrentReconciles: key(int(1, 100), {
        default: '10',
        doc: 'How many orders are worked on at a time.',
      }),
      leaderElection: key(bool, {
        default: 'true',
        doc: 'Whether a Lease decides who works; switch it off only where there is surely one process.',
        aliases: [{ env: 'LEADER_ELECTION', process: 'cloudkit-operator' }],
      }),
      metricsAddr: key(address, {
        default: ':8082',
        doc: 'Where metrics are served: over TLS, to those who may get /metrics in the cluster; without, to all on a loopback address.',
        aliases: [{ env: 'METRICS_BIND_ADDRESS', process: 'cloudkit-operator' }],
      }),
      openMetrics: key(bool, {
        default: 'false',
        doc: 'Whether anybody who reaches the address may read the metrics.',
      }),
      healthAddr: key(address, {
        default: ':8083',
        doc: 'Where /healthz and /readyz are served.',
        aliases: [{ env: 'HEALTH_PROBE_BIND_ADDRESS', process: 'cloudkit-operator' }],
      }),
    },
    'cloudkit-operator',
  ),
  database: section(
    'The PostgreSQL that holds what is asked for and what the clusters say.',
    {
      url: key(databaseUrl, {
        required: true,
        doc: 'Where it is: `postgres://USER@HOST:PORT/DATABASE`, with `?sslmode=verify-full` to have the connection encrypted and the server checked; see below.',
      }),
      passwordFile: key(secretFile, {
        doc: "A file that holds the user's password; it wins over one in the URL, which others may see in the process list or the environment.",
      }),
      maxConnections: key(int(2, 1000), { default: '20', doc: 'How many connections one process makes at most.' }),
      retention: section('How long things are kept that are over.', {
        changeLog: key(duration, {
          default: '24h',
          doc: 'What has changed: a reader that was away for longer looks at everything anew.',
        }),
        tasks: key(duration, { default: '720h', doc: 'Tasks that have ended.' }),
        audit: key(duration, { default: '8760h', doc: 'Who has done what.' }),
        deleted: key(duration, {
          default: '720h',
          doc: 'Deleted machines, vApps, catalogs and the like, ended sessions, and failures that are over.',
        }),
      }),
    },
    'api-server',
    'vm-controller',
    'database',
  ),
  dev: section(
    'Everything on one machine, to try it and to work on it, `ssvirt dev`.',
    {
      data: key(path, { default: '.ssvirt-dev', doc: 'The folder that keeps all data, certificates and passwords.' }),
      listen: key(address, {
        default: '127.0.0.1:8443',
        doc: 'Where the API listens; port 0 takes a free one.',
      }),
      sandboxListen: key(address, {
        default: '127.0.0.1:7443',
        doc: 'Where the simulated cluster listens, and further ones on the next ports; port 0 takes free ones.',
      }),
      clusters: key(int(1, 8), {
        default: '3',
        doc: 'How many clusters are simulated. The first one is the supervisor; the others are KubevirtConfigs. A folder that has more keeps them.',
      }),
      databaseListen: key(address, {
        default: '127.0.0.1:0',
        doc: 'Where PostgreSQL listens; port 0 takes a free one.',
      }),
      aap: key(bool, {
        default: 'true',
        doc: 'Whether AAP is simulated, too, for orders that it is to provision; without it those wait.',
      }),
      demo: key(bool, {
        default: 'true',
        doc: 'Whether machines, declared Machines and orders are made to look at, once for each folder.',
      }),
      speed: key(factor, {
        default: '1',
        doc: 'How many times as fast as in a real cluster the simulated time passes.',
      }),
    },
    'dev',
  ),
  sandbox: section(
    'The embedded Kubernetes API, `ssvirt sandbox`.',
    {
      listen: key(address, {
        default: '127.0.0.1:7443',
        doc: "Where the first cluster's API listens; each further cluster takes the next port. Port 0 takes free ports.",
      }),
      clusters: key(int(1, 64), { default: '1', doc: 'How many clusters are started, each with its own state.' }),
      names: key(list(label), {
        default: '',
        doc: 'What the clusters are called, the first one first; further ones `sandbox-2` and so on.',
      }),
      kubeconfig: key(path, {
        default: 'sandbox.kubeconfig',
        doc: 'The file that the kubeconfig is written to, with one context for each cluster.',
      }),
      data: key(path, {
        doc: "The folder that keeps the clusters' state over restarts; without it the state ends with the process.",
      }),
      tokenFile: key(secretFile, {
        doc: "A file that holds the administrator's bearer token; without it a token is made up.",
      }),
      eventWindow: key(int(1), {
        default: '10000',
        doc: 'How many events of each resource are kept for watches that resume; from before that a watch gets 410 Gone.',
      }),
      compactionInterval: key(duration, {
        default: '5m',
        doc: 'How often revisions older than this are compacted, so that lists and watches from them get 410 Gone; 0 means never.',
      }),
      bare: key(bool, {
        default: 'false',
        doc: 'Serve the plain Kubernetes API, without KubeVirt and all else that is simulated.',
      }),
      parts: key(list(oneOf(...simulatedParts)), {
        default: simulatedParts.join(','),
        doc: 'What is simulated.',
      }),
      otherParts: key(list(oneOf(...simulatedParts)), {
        default: simulatedParts.join(','),
        doc: 'What of that is simulated in further clusters: content for people to look at costs time in each.',
      }),
      crds: key(path, {
        doc: 'A folder of CustomResourceDefinitions in YAML that take the place of those of the simulators, by name.',
      }),
      speed: key(factor, {
        default: '1',
        doc: 'How many times as fast as in a real cluster the simulated time passes.',
      }),
      podStartTime: key(duration, { default: '2s', doc: 'How long a scheduled pod takes until its containers run.' }),
      bootTime: key(duration, { default: '3s', doc: "How long a machine takes from its pod's start until it runs." }),
      agentTime: key(duration, {
        default: '15s',
        doc: 'How long after that the guest agent speaks for the first time.',
      }),
      shutdownTime: key(duration, { default: '3s', doc: 'How long a guest takes to shut down when it is asked to.' }),
      importTime: key(duration, { default: '10s', doc: 'How long the import or the copy of a disk takes.' }),
      provisionTime: key(duration, { default: '500ms', doc: 'How long a volume takes to be provisioned.' }),
      migrationTime: key(duration, { default: '8s', doc: 'How long a live migration takes.' }),
      nodes: key(int(1, 1000), { default: '3', doc: 'How many nodes there are.' }),
      nodeCpu: key(quantity, { default: '16', doc: 'The CPUs of each node.' }),
      nodeMemory: key(quantity, { default: '64Gi', doc: 'The memory of each node.' }),
    },
    'sandbox',
  ),
});

export type Config = Infer<typeof schema>;
export type SandboxConfig = Config['sandbox'];
