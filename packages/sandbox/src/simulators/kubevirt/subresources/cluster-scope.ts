/** Calls to virt-api itself: its version, its health, the image for `virtctl guestfs`, its profiler. */
import { serverWords } from '../../server-words.ts';
import { json, plain, type SubresourceAnswer } from './answer.ts';
import { installation, type CallContext } from './call.ts';

type ClusterCall = (around: CallContext) => SubresourceAnswer | Promise<SubresourceAnswer>;

const version: ClusterCall = () =>
  json({
    gitVersion: 'v1.9.0',
    gitCommit: '79d34c1762169e5b0370ec491cef5ca12e6b504c',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'go1.26.8',
    compiler: 'gc',
    platform: 'linux/amd64',
  });

const healthz: ClusterCall = async (around) => {
  try {
    const { body } = await around.client.request({ method: 'GET', path: '/version' });
    const kubeVirt = await installation(around);
    return json({
      apiserver: { connectivity: 'ok', version: body },
      'config-resource-version': kubeVirt?.metadata.resourceVersion ?? '',
    });
  } catch (error) {
    return json({ apiserver: { connectivity: 'failed', error: serverWords(error) } }, 500);
  }
};

interface DeploymentConfig {
  readonly registry?: string;
  readonly kubeVirtVersion?: string;
  readonly imagePrefix?: string;
  readonly gsImage?: string;
  readonly gsSha?: string;
}

/** The image is in the settings that virt-operator recorded in the status. Without them, the error is Go's. */
const guestfs: ClusterCall = async (around) => {
  try {
    const status = (await installation(around))?.['status'] as
      | { readonly observedDeploymentConfig?: string }
      | undefined;
    const observed = status?.observedDeploymentConfig ?? '';
    if (observed === '') throw new Error('unexpected end of JSON input');
    const config = JSON.parse(observed) as DeploymentConfig;
    return json({
      registry: config.registry ?? '',
      tag: config.kubeVirtVersion ?? '',
      imagePrefix: config.imagePrefix ?? '',
      gsImage: config.gsImage ?? '',
      digest: config.gsSha ?? '',
    });
  } catch (error) {
    return json({ guestfs: { error: serverWords(error), status: 'failed' } }, 500);
  }
};

const gated =
  (what: string): ClusterCall =>
  () =>
    plain(403, `Unable to ${what}. "ClusterProfiler" feature gate must be enabled`);

export const clusterCalls: Readonly<Record<string, ClusterCall>> = {
  version,
  healthz,
  guestfs,
  'start-cluster-profiler': gated('start profiler'),
  'stop-cluster-profiler': gated('stop profiler'),
  'dump-cluster-profiler': gated('dump profiler results'),
};
