/** Samples, on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { startRealCluster } from '../cluster/real.ts';
import { samplesCases } from './samples-cases.ts';

samplesCases(() => startRealCluster({ controllers: ['persistentvolume-binder-controller'] }));
