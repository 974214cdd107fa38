/**
 * The conditions of a KubevirtConfig and their reasons. Programs compare them, and docs/operator/fleet.md explains each to the people who
 * see them: a test holds both together.
 */

export const conditionTypes = {
  /** The API server answers us, and its watches deliver. */
  reachable: 'Reachable',
  /** KubeVirt is installed and available. */
  kubeVirtReady: 'KubeVirtReady',
  /** The kinds that we use are served in versions that we know. */
  compatible: 'Compatible',
  /** The kubeconfig leads to another cluster than before: nothing is written, nothing is taken as deleted. */
  identityChanged: 'IdentityChanged',
  /** The cluster is a member under another name already. There only while it is true. */
  duplicate: 'Duplicate',
  /** The KubevirtConfig is to be deleted and something still uses the cluster. There only while it is deleted. */
  inUse: 'InUse',
  /** The same, said by the machine operator of its Machines. */
  inUseByMachines: 'InUseByMachines',
} as const;

export const reasons = {
  // Reachable
  /** The API server answers. */
  connected: 'Connected',
  /** It answers to the credentials from before: those that the Secret holds now cannot be used. */
  previousCredentials: 'PreviousCredentials',
  /** No answer yet, and no failure. */
  connecting: 'Connecting',
  /** `local` is the own cluster: a KubevirtConfig may not be called so. */
  nameReserved: 'NameReserved',
  secretNotFound: 'SecretNotFound',
  /** The Secret cannot be read for another reason. */
  secretUnreadable: 'SecretUnreadable',
  /** The Secret has no key `kubeconfig`. */
  kubeconfigMissing: 'KubeconfigMissing',
  /** It cannot be parsed, or lacks something. */
  kubeconfigInvalid: 'KubeconfigInvalid',
  /** It holds what a kubeconfig out of a Secret may not hold: an exec plugin, an auth provider, a path. */
  kubeconfigRefused: 'KubeconfigRefused',
  /** 401 or 403: the cluster is there and does not want us. */
  credentialsRefused: 'CredentialsRefused',
  /** No answer within the deadline. */
  timedOut: 'TimedOut',
  /** Requests are answered, and watches are not. */
  watchesSilent: 'WatchesSilent',
  /** Refused, reset, no such host, bad certificate. */
  unreachable: 'Unreachable',
  /** An answer, and not one that Kubernetes gives to this question. */
  unexpectedAnswer: 'UnexpectedAnswer',
  // KubeVirtReady
  available: 'Available',
  notAvailable: 'NotAvailable',
  notInstalled: 'NotInstalled',
  // Compatible
  supported: 'Supported',
  /** Supported, and not the same as in the other clusters. */
  versionsDiffer: 'VersionsDiffer',
  unsupported: 'Unsupported',
  // KubeVirtReady and Compatible, where nobody could look
  notChecked: 'NotChecked',
  forbidden: 'Forbidden',
  // IdentityChanged
  sameCluster: 'SameCluster',
  anotherCluster: 'AnotherCluster',
  // Duplicate
  alreadyMember: 'AlreadyMember',
  // InUse and InUseByMachines
  usersLeft: 'UsersLeft',
  usersUnknown: 'UsersUnknown',
} as const;

export type Reason = (typeof reasons)[keyof typeof reasons];
