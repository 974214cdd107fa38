/**
 * Every key of the configuration. A process adds its section here; the file, environment and flag forms, their checks
 * and the documentation follow from it. `make docs` regenerates docs/configuration.md.
 */
import { key, section, type Infer } from './schema.ts';
import {
  address,
  bool,
  cidr,
  databaseUrl,
  duration,
  factor,
  hostPattern,
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
  log: section('The log that every process writes to standard error.', {
    level: key(oneOf('debug', 'info', 'warn', 'error'), {
      default: 'info',
      doc: 'The lowest level of messages to log.',
    }),
    format: key(oneOf('text', 'json'), {
      default: 'text',
      doc: 'Text for people, or JSON with one object per line.',
    }),
  }),
  kube: section(
    'The cluster for commands such as `ssvirt sandbox fault`.',
    {
      kubeconfig: key(path, {
        doc: 'The kubeconfig file.',
        aliases: [{ env: 'KUBECONFIG', process: 'cli' }],
      }),
    },
    'cli',
  ),
  api: section(
    'The REST API in the style of VMware Cloud Director, `ssvirt api-server`.',
    {
      listen: key(address, { default: ':8443', doc: 'The address of the API, HTTPS only.' }),
      publicUrl: key(text, {
        doc: 'The URL of the API for clients, such as `https://cloud.example.org`, used in links. Required unless `listen` is a loopback address; there the default is the address of the request.',
      }),
      tls: section('The certificate of the API.', {
        certFile: key(path, {
          required: true,
          doc: 'The certificate chain in PEM, server certificate first; reloaded when it changes.',
        }),
        keyFile: key(path, {
          required: true,
          doc: 'The private key in PEM, without a password; reloaded when it changes.',
        }),
      }),
      siteName: key(text, { default: 'ssvirt', doc: 'The name of this site in sessions.' }),
      sessionIdleTimeout: key(duration, { default: '30m', doc: 'A session ends when it was not used for this long.' }),
      sessionMaxLifetime: key(duration, { default: '24h', doc: 'A session ends after this time, used or not.' }),
      accessTokenLifetime: key(duration, {
        default: '1h',
        doc: 'The lifetime of the access token that an API token is exchanged for.',
      }),
      apiTokenMaxLifetime: key(duration, {
        doc: 'The longest lifetime of a new API token, which also applies if none is requested. Default: API tokens are valid until they are revoked, unless a lifetime is requested.',
      }),
      loginFailures: key(int(1, 1000), {
        default: '5',
        doc: 'After this many failed log-ins in a row, a user name or an address must wait before the next attempt.',
      }),
      consoles: section('The consoles of VMs, which go through the API.', {
        ticketLifetime: key(duration, {
          default: '30s',
          doc: 'The time for which a console ticket is valid.',
        }),
        idleTimeout: key(duration, {
          default: '30m',
          doc: 'A console without input or output for this long is closed.',
        }),
        perUser: key(int(1, 1000), {
          default: '10',
          doc: 'The number of consoles that a user can have open at once, per API server.',
        }),
      }),
      maxConnections: key(int(100, 1_000_000), {
        default: '3000',
        doc: 'The maximum number of open connections per process, including event streams and consoles; further connections are closed at once.',
      }),
      trustProxy: key(text, {
        doc: 'The addresses of proxies whose X-Forwarded-For is trusted, such as `10.0.0.0/8`; default: none.',
      }),
      initialAdmin: section('The first system administrator, created if none exists.', {
        username: key(text, { default: 'administrator', doc: 'The user name, in the organization System.' }),
        passwordFile: key(secretFile, {
          doc: 'A file with the password, such as a mounted Secret; without it no administrator is created, and the log says so.',
        }),
      }),
      defaultCluster: key(text, {
        default: 'local',
        doc: 'The cluster for virtual data centers that name none; `local` is the own cluster.',
      }),
      kubeconfig: key(path, {
        doc: 'The kubeconfig of the own cluster, which has the KubevirtConfigs; default: that of the pod, or ~/.kube/config.',
        aliases: [{ env: 'KUBECONFIG', process: 'api-server' }],
      }),
      context: key(text, { doc: 'The context of the kubeconfig; default: the current one.' }),
      kubevirtConfigsNamespace: key(text, {
        default: 'kubevirt-configs',
        doc: 'The namespace of the KubevirtConfigs, which declare the other clusters of the fleet.',
        aliases: [{ env: 'KUBEVIRT_CONFIGS_NAMESPACE', process: 'api-server' }],
      }),
      templateNamespaces: key(list(text), {
        default: 'openshift',
        doc: 'The namespaces of each cluster whose templates are offered; whoever can write there decides what every tenant sees.',
      }),
      imageNamespaces: key(list(text), {
        default: 'openshift-virtualization-os-images,kubevirt-os-images',
        doc: 'The namespaces of each cluster whose boot images (DataSources) are offered; disks are cloned from there into virtual data centers.',
      }),
      importNamespaces: key(list(text), {
        default: 'cdi,kubevirt,openshift-cnv,kubevirt-hyperconverged',
        doc: 'The namespaces in which CDI may run; like the image namespaces, they can reach every virtual data center, which filling disks requires.',
      }),
      vdcPodSecurity: key(oneOf('baseline', 'privileged'), {
        default: 'baseline',
        doc: 'The level of the Pod Security Standards that the namespaces of virtual data centers enforce. `baseline` refuses the pods of virtual machines if the KubeVirt of a cluster has a `selinuxLauncherType` or the feature gate `Root`: set `privileged` there.',
      }),
      metricsAddr: key(address, {
        default: ':8080',
        doc: 'The address for metrics: with TLS and only for accounts that may get /metrics in the cluster; on a loopback address without TLS and for everyone.',
      }),
      openMetrics: key(bool, {
        default: 'false',
        doc: 'Whether everyone who can reach the address may read the metrics.',
      }),
    },
    'api-server',
  ),
  controller: section(
    'The controller that writes the state of virtual machines from the clusters to the database, `ssvirt vm-controller`.',
    {
      enabled: key(bool, {
        default: 'true',
        doc: 'Whether it does any work; if false, the process serves only its health endpoints.',
        aliases: [{ env: 'CONTROLLER_ENABLED', process: 'vm-controller' }],
      }),
      kubeconfig: key(path, {
        doc: 'The kubeconfig of the own cluster, which has the Lease and the KubevirtConfigs; default: that of the pod, or ~/.kube/config.',
        aliases: [{ env: 'KUBECONFIG', process: 'vm-controller' }],
      }),
      context: key(text, { doc: 'The context of the kubeconfig; default: the current one.' }),
      namespace: key(text, {
        default: 'ssvirt-system',
        doc: 'The namespace of the Lease.',
        aliases: [{ env: 'CONTROLLER_NAMESPACE', process: 'vm-controller' }],
      }),
      kubevirtConfigsNamespace: key(text, {
        default: 'kubevirt-configs',
        doc: 'The namespace of the KubevirtConfigs, which declare the other clusters of the fleet.',
        aliases: [{ env: 'KUBEVIRT_CONFIGS_NAMESPACE', process: 'vm-controller' }],
      }),
      enableLeaderElection: key(bool, {
        default: 'true',
        doc: 'Whether a Lease elects the process that writes; disable it only if there is certainly just one process.',
        aliases: [{ env: 'CONTROLLER_LEADER_ELECTION', process: 'vm-controller' }],
      }),
      maxConcurrentReconciles: key(int(1, 100), {
        default: '5',
        doc: 'How many virtual machines of a cluster are read at a time when updates may have been missed; rows are written in batches and need no workers.',
        aliases: [{ env: 'CONTROLLER_MAX_CONCURRENT', process: 'vm-controller' }],
      }),
      baseDelay: key(wait, {
        default: '1s',
        doc: 'The first retry interval for a row that could not be written; doubles with each failure in a row.',
        aliases: [{ env: 'CONTROLLER_BASE_DELAY', process: 'vm-controller' }],
      }),
      maxDelay: key(wait, {
        default: '5m',
        doc: 'The longest retry interval.',
        aliases: [{ env: 'CONTROLLER_MAX_DELAY', process: 'vm-controller' }],
      }),
      maxRetries: key(int(0), {
        default: '10',
        doc: 'After this many failed retries a row is recorded as a sync failure; retries continue.',
        aliases: [{ env: 'CONTROLLER_MAX_RETRIES', process: 'vm-controller' }],
      }),
      resyncPeriod: key(duration, {
        default: '10m',
        doc: 'How often every virtual machine is compared with its row, regardless of changes; 0 for never.',
        aliases: [{ env: 'CONTROLLER_RESYNC_PERIOD', process: 'vm-controller' }],
      }),
      batchWindow: key(duration, {
        default: '25ms',
        doc: 'Changes within this time are written in one statement.',
      }),
      heartbeatInterval: key(wait, {
        default: '5s',
        doc: 'How often it writes its heartbeat to the database and tests whether each cluster can be reached.',
      }),
      staleAfter: key(duration, {
        default: '15s',
        doc: 'Without a heartbeat, or an answer of a cluster, for this long, VMs are shown as stale; at least three times heartbeatInterval.',
      }),
      metricsAddr: key(address, {
        default: ':8080',
        doc: 'The address for metrics: with TLS and only for accounts that may get /metrics in the cluster; on a loopback address without TLS and for everyone.',
        aliases: [{ env: 'CONTROLLER_METRICS_ADDR', process: 'vm-controller' }],
      }),
      openMetrics: key(bool, {
        default: 'false',
        doc: 'Whether everyone who can reach the address may read the metrics.',
      }),
      healthAddr: key(address, { default: ':8081', doc: 'The address of /healthz and /readyz.' }),
    },
    'vm-controller',
  ),
  operator: section(
    'The operator that creates virtual machines for Machines, on many clusters, `ssvirt machine-operator`.',
    {
      kubeconfig: key(path, {
        doc: 'The kubeconfig of the supervisor, which has the Machines, the KubevirtConfigs and the Lease; default: that of the pod, or ~/.kube/config.',
        aliases: [{ env: 'KUBECONFIG', process: 'machine-operator' }],
      }),
      context: key(text, { doc: 'The context of the kubeconfig; default: the current one.' }),
      namespace: key(text, {
        default: 'ssvirt-system',
        doc: 'The namespace that it runs in, with the Lease.',
        aliases: [{ env: 'NAMESPACE', process: 'machine-operator' }],
      }),
      kubevirtConfigsNamespace: key(text, {
        default: 'kubevirt-configs',
        doc: 'The namespace of the KubevirtConfigs, which declare the other clusters of the fleet.',
        aliases: [{ env: 'KUBEVIRT_CONFIGS_NAMESPACE', process: 'machine-operator' }],
      }),
      defaultKubevirtConfig: key(text, {
        doc: 'The cluster for Machines that name none; if there is only one cluster, it is the default.',
        aliases: [{ env: 'DEFAULT_KUBEVIRT_CONFIG', process: 'machine-operator' }],
      }),
      reconcileInterval: key(duration, {
        default: '30s',
        doc: 'How often every Machine is compared with the known state of its cluster, regardless of changes; changes are processed at once without it. 0 for never.',
        aliases: [{ env: 'RECONCILE_INTERVAL', process: 'machine-operator' }],
      }),
      maxConcurrentReconciles: key(int(1, 100), {
        default: '5',
        doc: 'How many Machines of a cluster are reconciled at a time; each cluster has its own workers.',
        aliases: [{ env: 'MAX_CONCURRENT_RECONCILES', process: 'machine-operator' }],
      }),
      leaderElection: key(bool, {
        default: 'true',
        doc: 'Whether a Lease elects the active process; disable it only if there is certainly just one process.',
        aliases: [{ env: 'LEADER_ELECTION', process: 'machine-operator' }],
      }),
      metricsAddr: key(address, {
        default: ':8080',
        doc: 'The address for metrics: with TLS and only for accounts that may get /metrics in the cluster; on a loopback address without TLS and for everyone.',
        aliases: [{ env: 'METRICS_BIND_ADDRESS', process: 'machine-operator' }],
      }),
      openMetrics: key(bool, {
        default: 'false',
        doc: 'Whether everyone who can reach the address may read the metrics.',
      }),
      healthAddr: key(address, {
        default: ':8081',
        doc: 'The address of /healthz and /readyz.',
        aliases: [{ env: 'HEALTH_PROBE_BIND_ADDRESS', process: 'machine-operator' }],
      }),
    },
    'machine-operator',
  ),
  cloudkit: section(
    'The operator that creates virtual machines for orders, or has AAP create them, `ssvirt cloudkit-operator`.',
    {
      kubeconfig: key(path, {
        doc: 'The kubeconfig of the cluster with the orders, their virtual machines and the Lease; default: that of the pod, or ~/.kube/config.',
        aliases: [{ env: 'KUBECONFIG', process: 'cloudkit-operator' }],
      }),
      context: key(text, { doc: 'The context of the kubeconfig; default: the current one.' }),
      namespace: key(text, {
        default: 'ssvirt-system',
        doc: 'The namespace that it runs in, with the Lease.',
        aliases: [{ env: 'NAMESPACE', process: 'cloudkit-operator' }],
      }),
      orderNamespace: key(text, {
        doc: 'The only namespace whose orders it processes; default: all namespaces.',
        aliases: [{ env: 'CLOUDKIT_VM_ORDER_NAMESPACE', process: 'cloudkit-operator' }],
      }),
      storageClass: key(text, {
        doc: 'The storage class of new disks; default: the default class of the cluster.',
        aliases: [{ env: 'CLOUDKIT_VM_OPERATIONS_STORAGE_CLASS', process: 'cloudkit-operator' }],
      }),
      controllerMode: key(bool, {
        default: 'true',
        doc: 'Whether it fulfills orders itself; if false, AAP fulfills all unfulfilled orders, and the operator still deletes what it created.',
      }),
      rolloutPercentage: key(int(0, 100), {
        default: '0',
        doc: 'The percentage of new orders without a provisioner that it fulfills itself; AAP fulfills the others. Decided once per order.',
      }),
      fallbackToAap: key(bool, {
        default: 'false',
        doc: 'Whether AAP is called for a version of an order when all retries have failed.',
      }),
      nativeTemplates: key(list(text), {
        default: 'osac.templates.ocp_virt_vm,cloudkit.templates.ocp_virt_vm',
        doc: 'The template ids that it can fulfill itself, in addition to the OrderTemplates of the cluster.',
      }),
      floatingIpTemplates: key(list(text), {
        default: 'osac.massopencloud.ocp_virt_vm',
        doc: 'The template ids that need floating IPs; AAP always fulfills them.',
      }),
      imageNamespaces: key(list(text), {
        default: 'openshift-virtualization-os-images,kubevirt-os-images',
        doc: 'The namespaces that an OrderTemplate may clone disks from, in addition to the tenant namespace of the order.',
      }),
      networkBinding: key(oneOf('masquerade', 'l2bridge'), {
        default: 'masquerade',
        doc: "How a virtual machine is bound to the pod network: `l2bridge` if the tenants' namespaces have a user-defined network.",
      }),
      retries: section('Retries of orders that cannot be fulfilled.', {
        max: key(int(0), {
          default: '10',
          doc: 'After this many failed retries in a row an order is marked as failed; slow retries continue.',
        }),
        initial: key(wait, {
          default: '5ms',
          doc: 'The first retry interval; doubles with each failure in a row.',
        }),
        longest: key(wait, { default: '1s', doc: 'The longest retry interval.' }),
        slow: key(wait, { default: '1m', doc: 'How often a failed order is retried.' }),
      }),
      aap: section('The webhooks of Ansible Automation Platform that provision and delete.', {
        createUrl: key(webUrl, {
          doc: 'The URL to which orders are posted for provisioning; without it AAP can provision no order.',
          aliases: [{ env: 'CLOUDKIT_VM_CREATE_WEBHOOK', process: 'cloudkit-operator' }],
        }),
        deleteUrl: key(webUrl, {
          doc: 'The URL to which orders that AAP provisioned are posted for deletion.',
          aliases: [{ env: 'CLOUDKIT_VM_DELETE_WEBHOOK', process: 'cloudkit-operator' }],
        }),
        tokenFile: key(path, {
          doc: 'A file with the bearer token for both; read again for each call, so that a new token needs no restart.',
        }),
        caFile: key(path, {
          doc: 'A file with the CA certificates for AAP, in PEM; default: those that Node trusts.',
        }),
        insecureSkipVerify: key(bool, {
          default: 'false',
          doc: "Whether to skip the verification of AAP's certificate; a man in the middle can then read every order.",
        }),
        timeout: key(duration, { default: '10s', doc: 'The timeout of a call to AAP.' }),
        minimumInterval: key(duration, {
          default: '0s',
          doc: 'The shortest time between two calls for the same order.',
          aliases: [{ env: 'CLOUDKIT_MINIMUM_REQUEST_INTERVAL', process: 'cloudkit-operator' }],
        }),
        quietPeriod: key(duration, {
          default: '15m',
          doc: 'How long after an accepted call a job of AAP may still be running: until then the operator does not take the order over.',
        }),
        repeatAfter: key(wait, {
          default: '15m',
          doc: 'If AAP has accepted an order without a result for this long, it is called again with the same idempotency key.',
        }),
        retryInitial: key(wait, {
          default: '2s',
          doc: 'The first retry interval after a failed call; doubles with each failure in a row.',
        }),
        retryLongest: key(wait, { default: '5m', doc: 'The longest retry interval.' }),
      }),
      resyncInterval: key(duration, {
        default: '10m',
        doc: 'How often every order is compared with its objects, regardless of changes; changes are processed at once without it. 0 for never.',
      }),
      maxConcurrentReconciles: key(int(1, 100), {
        default: '10',
        doc: 'How many orders are reconciled at a time.',
      }),
      leaderElection: key(bool, {
        default: 'true',
        doc: 'Whether a Lease elects the active process; disable it only if there is certainly just one process.',
        aliases: [{ env: 'LEADER_ELECTION', process: 'cloudkit-operator' }],
      }),
      metricsAddr: key(address, {
        default: ':8082',
        doc: 'The address for metrics: with TLS and only for accounts that may get /metrics in the cluster; on a loopback address without TLS and for everyone.',
        aliases: [{ env: 'METRICS_BIND_ADDRESS', process: 'cloudkit-operator' }],
      }),
      openMetrics: key(bool, {
        default: 'false',
        doc: 'Whether everyone who can reach the address may read the metrics.',
      }),
      healthAddr: key(address, {
        default: ':8083',
        doc: 'The address of /healthz and /readyz.',
        aliases: [{ env: 'HEALTH_PROBE_BIND_ADDRESS', process: 'cloudkit-operator' }],
      }),
    },
    'cloudkit-operator',
  ),
  images: section(
    'Where images of disks may be imported from. Hosts inside of clusters and addresses that are not public are refused, unless they are allowed here.',
    {
      allowedHosts: key(list(hostPattern), {
        default: '',
        doc: 'Hosts that are allowed without a look at their addresses: names, `*.DOMAIN` for all names below a domain, or `*` for all. Importers reach such a host at an address that is not public only if `allowedCidrs` has the address, too.',
      }),
      allowedCidrs: key(list(cidr), {
        default: '',
        doc: 'Networks that are allowed although they are not public, such as `10.1.2.0/24`.',
      }),
      restrictImporters: key(bool, {
        default: 'true',
        doc: 'Whether a NetworkPolicy in every virtual data center limits the pods that import images to public addresses, `allowedCidrs` and DNS. Disable it only if importers use a proxy whose address may change.',
      }),
    },
    'api-server',
    'machine-operator',
    'cloudkit-operator',
  ),
  database: section(
    'The PostgreSQL database for desired state and observations.',
    {
      url: key(databaseUrl, {
        required: true,
        doc: 'The URL: `postgres://USER@HOST:PORT/DATABASE`, encrypted and with the server verified unless `?sslmode=` says otherwise; see below.',
      }),
      passwordFile: key(secretFile, {
        doc: 'A file with the password of the user; overrides a password in the URL, which others can see in the process list or the environment.',
      }),
      maxConnections: key(int(2, 1000), { default: '20', doc: 'The maximum number of connections per process.' }),
      retention: section('How long finished records are kept.', {
        changeLog: key(duration, {
          default: '24h',
          doc: 'The change log: a client that was disconnected for longer must reload everything.',
        }),
        tasks: key(duration, { default: '720h', doc: 'Tasks that have ended.' }),
        audit: key(duration, { default: '8760h', doc: 'Audit records.' }),
        deleted: key(duration, {
          default: '720h',
          doc: 'Deleted VMs, vApps, catalogs and similar rows, ended sessions, and resolved failures.',
        }),
      }),
    },
    'api-server',
    'vm-controller',
    'database',
  ),
  dev: section(
    'Everything on one machine, for trials and development, `ssvirt dev`.',
    {
      data: key(path, { default: '.ssvirt-dev', doc: 'The folder for all data, certificates and passwords.' }),
      listen: key(address, {
        default: '127.0.0.1:8443',
        doc: 'The address of the API; port 0 takes a free port.',
      }),
      sandboxListen: key(address, {
        default: '127.0.0.1:7443',
        doc: 'The address of the first simulated cluster; further clusters use the next ports. Port 0 takes free ports.',
      }),
      clusters: key(int(1, 8), {
        default: '3',
        doc: 'The number of simulated clusters. The first one is the supervisor; the others are KubevirtConfigs. A folder that has more keeps them.',
      }),
      databaseListen: key(address, {
        default: '127.0.0.1:0',
        doc: 'The address of PostgreSQL; port 0 takes a free port.',
      }),
      aap: key(bool, {
        default: 'true',
        doc: 'Whether to simulate AAP, for orders that it provisions; without it those orders wait.',
      }),
      demo: key(bool, {
        default: 'true',
        doc: 'Whether to create demo VMs, Machines and orders, once per folder.',
      }),
      speed: key(factor, {
        default: '1',
        doc: 'The speed of simulated time, relative to a real cluster.',
      }),
    },
    'dev',
  ),
  sandbox: section(
    'The embedded Kubernetes API, `ssvirt sandbox`.',
    {
      listen: key(address, {
        default: '127.0.0.1:7443',
        doc: "The address of the first cluster's API; each further cluster uses the next port. Port 0 takes free ports.",
      }),
      clusters: key(int(1, 64), { default: '1', doc: 'The number of clusters, each with its own state.' }),
      names: key(list(label), {
        default: '',
        doc: 'The names of the clusters, the first one first; further ones are `sandbox-2` and so on.',
      }),
      kubeconfig: key(path, {
        default: 'sandbox.kubeconfig',
        doc: 'The kubeconfig file to write, with one context for each cluster.',
      }),
      data: key(path, {
        doc: 'The folder that keeps the state of the clusters across restarts; without it the state ends with the process.',
      }),
      tokenFile: key(secretFile, {
        doc: "A file with the administrator's bearer token; without it a token is generated.",
      }),
      eventWindow: key(int(1), {
        default: '10000',
        doc: 'How many events of each resource are kept for watches that resume; older watches get 410 Gone.',
      }),
      compactionInterval: key(duration, {
        default: '5m',
        doc: 'How often older revisions are compacted, so that lists and watches from them get 410 Gone; 0 means never.',
      }),
      bare: key(bool, {
        default: 'false',
        doc: 'Serve the plain Kubernetes API, without KubeVirt and the simulators.',
      }),
      parts: key(list(oneOf(...simulatedParts)), {
        default: simulatedParts.join(','),
        doc: 'The simulators to run.',
      }),
      otherParts: key(list(oneOf(...simulatedParts)), {
        default: simulatedParts.join(','),
        doc: 'The simulators to run in further clusters: demo content takes time in each.',
      }),
      crds: key(path, {
        doc: 'A folder of CustomResourceDefinitions in YAML that replace those of the simulators, by name.',
      }),
      speed: key(factor, {
        default: '1',
        doc: 'The speed of simulated time, relative to a real cluster.',
      }),
      podStartTime: key(duration, { default: '2s', doc: 'The time from scheduling a pod until its containers run.' }),
      bootTime: key(duration, {
        default: '3s',
        doc: 'The time from the start of its pod until a virtual machine runs.',
      }),
      agentTime: key(duration, {
        default: '15s',
        doc: 'The time after that until the guest agent connects.',
      }),
      shutdownTime: key(duration, { default: '3s', doc: 'The time that a guest takes to shut down.' }),
      importTime: key(duration, { default: '10s', doc: 'The time to import or copy a disk.' }),
      provisionTime: key(duration, { default: '500ms', doc: 'The time to provision a volume.' }),
      migrationTime: key(duration, { default: '8s', doc: 'The time of a live migration.' }),
      nodes: key(int(1, 1000), { default: '3', doc: 'The number of nodes.' }),
      nodeCpu: key(quantity, { default: '16', doc: 'The CPUs of each node.' }),
      nodeMemory: key(quantity, { default: '64Gi', doc: 'The memory of each node.' }),
    },
    'sandbox',
  ),
});

export type Config = Infer<typeof schema>;
export type SandboxConfig = Config['sandbox'];
