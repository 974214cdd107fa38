/** Every fault, and every operation, on a real kube-apiserver: half of the matrix, and all of it with SSVIRT_TEST_ALL=1. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { triesAll } from '../chosen.ts';
import { runMatrix } from './matrix/matrix.ts';

runMatrix('real', triesAll ? 'all' : 'other half');
