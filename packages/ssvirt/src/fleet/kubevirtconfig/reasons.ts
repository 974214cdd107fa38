/**
 * The conditions of a KubevirtConfig and their reasons. Programs compare them, and docs/operator/fleet.md explains each
 * one; a test compares both.
 */

export const conditionTypes = {
  /** The API server answers, and its watches deliver. */
  reachable: 'Reachable',
  /** KubeVirt is installed and available. */
  kubeVirtReady: 'KubeVirtReady',
  /** The kinds that we use are served in versions that we know. */
  compatible: 'Compatible',
  /** The kubeconfig leads to another cluster than before: no writes, and no object counts as deleted. */
  identityChanged: 'IdentityChanged',
  /** The cluster is already a member under another name. Exists only while it is true. */
  duplicate: 'Duplicate',
  /** The KubevirtConfig is being deleted and the cluster is still in use. Exists only during deletion. */
  inUse: 'InUse',
  /** The same, set by the machine operator for its Machines. */
  inUseByMachines: 'InUseByMachines',
} as const;

export const reasons = {
  // Reachable
  /** The API server answers. */
  connected: 'Connected',
  /** The cluster answers to the previous credentials, because those in the Secret do not work. */
  previousCredentials: 'PreviousCredentials',
  /** No answer yet, and no failure. */
  connecting: 'Connecting',
  /** `local` is the own cluster: a KubevirtConfig must not have this name. */
  nameReserved: 'NameReserved',
  secretNotFound: 'SecretNotFound',
  /** The Secret cannot be read for another reason. */
  secretUnreadable: 'SecretUnreadable',
  /** The Secret has no key `kubeconfig`. */
  kubeconfigMissing: 'KubeconfigMissing',
  /** It cannot be parsed, or lacks something. */
  kubeconfigInvalid: 'KubeconfigInvalid',
  /**
   * It contains something that a kubeconfig from a Secret must not contain: an exec plugin, an auth provider, a path.
   */
  kubeconfigRefused: 'KubeconfigRefused',
  /** 401 or 403: the cluster answers and rejects the credentials. */
  credentialsRefused: 'CredentialsRefused',
  /** No answer within the deadline. */
  timedOut: 'TimedOut',
  /** Requests are answered, but watches deliver nothing. */
  watchesSilent: 'WatchesSilent',
  /** Connection refused or reset, unknown host, or invalid certificate. */
  unreachable: 'Unreachable',
  /** The answer is not one that Kubernetes gives to this request. */
  unexpectedAnswer: 'UnexpectedAnswer',
  // KubeVirtReady
  available: 'Available',
  notAvailable: 'NotAvailable',
  notInstalled: 'NotInstalled',
  // Compatible
  supported: 'Supported',
  /** Supported, but not the same as in the other clusters. */
  versionsDiffer: 'VersionsDiffer',
  unsupported: 'Unsupported',
  // KubeVirtReady and Compatible, if they could not be checked
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
