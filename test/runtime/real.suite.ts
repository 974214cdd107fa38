/** The runtime's cases on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { runCases } from './case.ts';
import { cases } from './cases/index.ts';

runCases('real', cases);
