/** Our definitions, and KubeVirt and CDI as installations, on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { describe } from 'node:test';
import { startRealCluster } from '../cluster/real.ts';
import { installationCases } from './installation-cases.ts';

describe('where no controller looks after workloads', () => installationCases(() => startRealCluster()));

describe('where kube-controller-manager looks after workloads', () => {
  const controllers = ['deployment-controller', 'replicaset-controller', 'daemonset-controller'];
  installationCases(() => startRealCluster({ controllers }));
});
