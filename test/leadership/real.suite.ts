/** Leaders as processes, on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { leadershipScenarios } from './scenarios.ts';

leadershipScenarios('real');
