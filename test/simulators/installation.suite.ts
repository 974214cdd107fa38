/** Our definitions, and KubeVirt and CDI as installations, on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { startRealCluster } from '../cluster/real.ts';
import { installationCases } from './installation-cases.ts';

installationCases(() => startRealCluster());
