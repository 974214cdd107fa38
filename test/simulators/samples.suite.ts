/** Samples, on a real kube-apiserver */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: make test runs the same cases on the sandbox
import { startRealCluster } from '../cluster/real.ts';
import { samplesCases } from './samples-cases.ts';

samplesCases(() => startRealCluster({ controllers: ['persistentvolume-binder-controller'] }));
