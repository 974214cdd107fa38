/**
 * Disks with everything simulated, on a real kube-apiserver with the binder of kube-controller-manager.
 */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: make test runs the same cases on the sandbox
import { startRealCluster } from '../cluster/real.ts';
import { cdiCases } from './cdi-cases.ts';

const controllers = [
  'persistentvolume-binder-controller',
  'persistentvolumeclaim-protection-controller',
  'resourcequota-controller',
];
cdiCases(() => startRealCluster({ controllers }));
