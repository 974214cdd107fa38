/** The command to start with, for each problem that a Machine may have. */
import { annotations } from '../../kubevirt/machine/resource.ts';

export interface Next {
  readonly name: string;
  readonly namespace: string;
  /** The name of its VirtualMachine. */
  readonly vm: string;
  /** The cluster on which it is placed. */
  readonly cluster: string | undefined;
  /** The clusters on which it could be placed. */
  readonly configs: readonly string[];
  /** The message of its Ready condition. */
  readonly message: string;
}

type Step = (next: Next) => readonly string[];

const machine = 'machines.vitistack.io';
const fleet: Step = () => ['ssvirt fleet status --check'];
const edit: Step = ({ name, namespace }) => [`kubectl edit ${machine} ${name} -n ${namespace}`];
const inCluster =
  (command: string): Step =>
  ({ namespace, vm, cluster }) => [
    `${command.replace('VM', vm)} -n ${namespace}${cluster === undefined || cluster === 'local' ? '' : `   # in cluster "${cluster}"`}`,
  ];
const annotate =
  (annotation: string): Step =>
  ({ name, namespace }) => [`kubectl annotate ${machine} ${name} -n ${namespace} ${annotation}`];
const place: Step = (next) =>
  next.configs.length === 0
    ? fleet(next)
    : annotate(`${annotations.kubevirtConfig}=${next.configs.length === 1 ? next.configs[0] : 'CLUSTER'}`)(next);
const lookAtVm = inCluster('kubectl describe vm,vmi VM');

/**
 * Labels the namespace of the Machine, or the one that a disk is copied from. A namespace that does not exist cannot be
 * labeled.
 */
function allow(next: Next): readonly string[] {
  const { namespace, cluster, message } = next;
  const label = (which: string, annotation: string): readonly string[] => [
    `kubectl label namespace ${which} ${annotation}=true   # in cluster "${cluster ?? ''}"`,
  ];
  if (!message.includes(annotations.allowCopies)) return label(namespace, annotations.allowMachines);
  const [, from] = /is in the namespace "([^"]+)"/.exec(message) ?? [];
  return from === undefined || message.includes('does not exist') ? edit(next) : label(from, annotations.allowCopies);
}

const steps: Readonly<Record<string, Step>> = {
  Waiting: ({ name, namespace }) => [`ssvirt machine wait ${name} -n ${namespace}`],
  Deletion: ({ name, namespace }) => [`ssvirt machine wait ${name} -n ${namespace} --for deleted`],
  'Deletion without cluster': (next) => [
    ...fleet(next),
    // Only if the cluster never comes back: its objects there stay.
    ...annotate(`${annotations.forceDelete}=true   # abandons its objects in the cluster`)(next),
  ],
  'Paused by annotation': annotate(`${annotations.paused}-`),
  Silence: () => [
    'kubectl get lease -n ssvirt-system',
    'kubectl logs -n ssvirt-system deployment/ssvirt-machine-operator',
  ],
  RestartRequired: annotate(`${annotations.restart}="$(date)" --overwrite`),
  GuestStopped: inCluster('virtctl start VM'),
  Paused: inCluster('virtctl unpause vm VM'),
  ClaimNotFound: inCluster('kubectl get pvc'),
  ClaimDeleted: inCluster('kubectl get pvc'),
  ClusterUnavailable: fleet,
  KubevirtConfigNotFound: fleet,
  NoKubevirtConfigs: fleet,
  PlacementAmbiguous: place,
  PlacementConflict: edit,
  AdoptionRefused: ({ name, namespace }) => [`ssvirt machine adopt ${name} -n ${namespace} --dry-run`],
  TemplateNotFound: edit,
  InvalidSpec: edit,
  DiskChangeRefused: edit,
  ExpansionUnsupported: edit,
  MacAddressConflict: edit,
  NameConflict: edit,
  NetworkConfigurationNotFound: ({ namespace }) => [`kubectl get networkconfigurations.vitistack.io -n ${namespace}`],
  StorageClassNotFound: (next) => [
    `kubectl get storageclass${next.cluster === undefined ? '' : `   # in cluster "${next.cluster}"`}`,
  ],
  CloudInitSecretNotFound: ({ namespace }) => [`kubectl get secrets -n ${namespace}`],
  CloudInitSecretInvalid: ({ namespace }) => [`kubectl get secrets -n ${namespace}`],
  NamespaceNotAllowed: allow,
  SecretsForbidden: ({ namespace }) => [
    `ssvirt machine bind-namespace ${namespace} | kubectl apply --server-side -f -   # as an administrator of the supervisor`,
  ],
  PVCPending: inCluster('kubectl describe pvc'),
};

/** For an unknown reason, look at the VM itself. */
export function nextFor(reason: string, next: Next): readonly string[] {
  return (steps[reason] ?? lookAtVm)(next);
}
