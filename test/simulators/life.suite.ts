/** Everything simulated, on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { startRealCluster } from '../cluster/real.ts';
import { lifeCases } from './life-cases.ts';

lifeCases(() => startRealCluster({ controllers: ['persistentvolume-binder-controller'] }));
