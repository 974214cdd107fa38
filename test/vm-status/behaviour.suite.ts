/** The controller on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { startRealCluster } from '../cluster/real.ts';
import { behaviourCases } from './cases/behaviour-cases.ts';

const controllers = ['persistentvolume-binder-controller', 'resourcequota-controller'];
behaviourCases(() => startRealCluster({ controllers }));
