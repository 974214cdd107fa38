/** Templates on a real kube-apiserver */
// needs: etcd, kube-apiserver, kube-controller-manager
// only in make test-all: make test runs the same cases on the sandbox
import { startRealCluster } from '../cluster/real.ts';
import { templatesCases } from './templates-cases.ts';

templatesCases(() => startRealCluster(), { hasRights: true });
