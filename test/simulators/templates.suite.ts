/** Templates on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { startRealCluster } from '../cluster/real.ts';
import { templatesCases } from './templates-cases.ts';

templatesCases(() => startRealCluster(), { hasRights: true });
