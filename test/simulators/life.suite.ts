/** Everything simulated, on a real kube-apiserver */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: make test runs the same cases on the sandbox
import { startRealCluster } from '../cluster/real.ts';
import { lifeCases } from './life-cases.ts';

lifeCases(() => startRealCluster({ controllers: ['persistentvolume-binder-controller'] }));
