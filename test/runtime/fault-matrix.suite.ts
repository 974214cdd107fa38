/** The fault matrix on a real kube-apiserver: half of it, and all of it with SSVIRT_TEST_ALL=1. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { triesAll } from '../chosen.ts';
import { runMatrix } from './matrix/matrix.ts';

runMatrix('real', triesAll ? 'all' : 'other half');
