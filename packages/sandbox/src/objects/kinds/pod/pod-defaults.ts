/** Defaults of pod specs, in pods and in the templates of workloads. */
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { isObject } from '../../../values/json.ts';
import { ensureObject, isSet, listAt, numberAt, objectAt, setDefault, textAt, textMapAt } from '../values/fields.ts';

const DEFAULT_MODE = 0o644;
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** An image reference: host and port, path, tag, digest. */
const IMAGE = new RegExp(
  '^(?:(?:(?=[^/]*[.:A-Z]|localhost/)[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]+)?)/)?' +
    '[a-z0-9]+(?:(?:[.]|__?|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[.]|__?|-+)[a-z0-9]+)*)*' +
    '(?::(?<tag>\\w[\\w.-]{0,127}))?(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$',
);

/** `isLatest` returns whether the image is the latest: tagged `latest`, or with neither tag nor digest. */
export function isLatest(image: string): boolean {
  const parts = IMAGE.exec(image)?.groups;
  if (parts === undefined || parts['digest'] !== undefined) return false;
  return parts['tag'] === undefined || parts['tag'] === 'latest';
}

export function defaultPodSpec(spec: JsonObject): void {
  setDefault(spec, 'dnsPolicy', 'ClusterFirst');
  setDefault(spec, 'restartPolicy', 'Always');
  if (!isSet(spec, 'securityContext')) spec['securityContext'] = {};
  setDefault(spec, 'terminationGracePeriodSeconds', 30);
  setDefault(spec, 'schedulerName', 'default-scheduler');
  // `serviceAccount` is the old name, which is always set together with the new one.
  const account = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount');
  if (account !== '') Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  for (const key of ['containers', 'initContainers', 'ephemeralContainers'])
    listAt(spec, key).forEach(defaultContainer);
  listAt(spec, 'volumes').forEach(defaultVolume);
}

function defaultContainer(container: JsonObject): void {
  setDefault(container, 'imagePullPolicy', isLatest(textAt(container, 'image')) ? 'Always' : 'IfNotPresent');
  setDefault(container, 'terminationMessagePath', '/dev/termination-log');
  setDefault(container, 'terminationMessagePolicy', 'File');
  for (const port of listAt(container, 'ports')) setDefault(port, 'protocol', 'TCP');
  for (const key of PROBES) {
    const probe = objectAt(container, key);
    if (probe !== undefined) defaultProbe(probe);
  }
  const lifecycle = objectAt(container, 'lifecycle');
  for (const key of ['postStart', 'preStop']) defaultHTTPGet(objectAt(objectAt(lifecycle, key), 'httpGet'));
  for (const env of listAt(container, 'env')) defaultSource(objectAt(env, 'valueFrom'));
}

function defaultProbe(probe: JsonObject): void {
  const numbers = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  for (const [key, value] of Object.entries(numbers)) if (numberAt(probe, key) === 0) probe[key] = value;
  defaultHTTPGet(objectAt(probe, 'httpGet'));
  const grpc = objectAt(probe, 'grpc');
  if (grpc !== undefined && !isSet(grpc, 'service')) grpc['service'] = '';
}

function defaultHTTPGet(action: JsonObject | undefined): void {
  if (action === undefined) return;
  setDefault(action, 'path', '/');
  setDefault(action, 'scheme', 'HTTP');
}

/** The source of an environment variable or a file: a field of the pod, or a key of a file. */
function defaultSource(source: JsonObject | undefined): void {
  const field = objectAt(source, 'fieldRef');
  if (field !== undefined) setDefault(field, 'apiVersion', 'v1');
  const file = objectAt(source, 'fileKeyRef');
  if (file !== undefined) setDefault(file, 'optional', false);
}

function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume['emptyDir'] = {};
  for (const key of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const source = objectAt(volume, key);
    if (source !== undefined) setDefault(source, 'defaultMode', DEFAULT_MODE);
  }
  listAt(objectAt(volume, 'downwardAPI'), 'items').forEach(defaultSource);
  for (const source of listAt(objectAt(volume, 'projected'), 'sources')) {
    listAt(objectAt(source, 'downwardAPI'), 'items').forEach(defaultSource);
    const token = objectAt(source, 'serviceAccountToken');
    if (token !== undefined) setDefault(token, 'expirationSeconds', 3600);
  }
  defaultHostPath(objectAt(volume, 'hostPath'));
  const image = objectAt(volume, 'image');
  if (image !== undefined)
    setDefault(image, 'pullPolicy', isLatest(textAt(image, 'reference')) ? 'Always' : 'IfNotPresent');
  defaultDisk(volume);
  const template = objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate');
  if (template !== undefined) setDefault(ensureObject(template, 'spec'), 'volumeMode', 'Filesystem');
}

const DISKS: { readonly [source: string]: JsonObject } = {
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  azureDisk: { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
};

/** For a pod's volume or a PersistentVolume's spec. */
export function defaultDisk(holder: JsonObject): void {
  for (const [key, values] of Object.entries(DISKS)) {
    const source = objectAt(holder, key);
    if (source === undefined) continue;
    for (const [field, value] of Object.entries(values)) setDefault(source, field, value ?? '');
  }
}

/** An empty type is a separate value here: no check before the mount. */
export function defaultHostPath(source: JsonObject | undefined): void {
  if (source !== undefined && !isSet(source, 'type')) source['type'] = '';
}

export function defaultPod(pod: KubeObject): void {
  const spec = ensureObject(pod, 'spec');
  defaultPodSpec(spec);
  const containers = [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')];
  for (const container of containers) defaultRequests(objectAt(container, 'resources'));
  setDefault(spec, 'enableServiceLinks', true);
  // In pods, but not in templates, a negative grace period becomes 1.
  if (numberAt(spec, 'terminationGracePeriodSeconds') < 0) spec['terminationGracePeriodSeconds'] = 1;
  if (spec['hostNetwork'] !== true) return;
  for (const port of containers.flatMap((container) => listAt(container, 'ports'))) {
    if (numberAt(port, 'hostPort') === 0) port['hostPort'] = numberAt(port, 'containerPort');
  }
}

/** Requests default to the limits. */
function defaultRequests(resources: JsonObject | undefined): void {
  const limits = resources?.['limits'];
  if (resources === undefined || !isObject(limits)) return;
  resources['requests'] = { ...limits, ...textMapAt(resources, 'requests') };
}
