/** virt-api's subresources behind a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { startRealCluster } from '../cluster/real.ts';
import { virtApiCases } from './virt-api-cases.ts';

virtApiCases('test/simulators/virt-api.suite.ts', () => startRealCluster());
