/** Every fault, and every operation, on a real kube-apiserver; run by .ci/run. The halves of the matrix take turns by the day, SSVIRT_TEST_ALL=1 tries both. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { runMatrix, shareOfTheDay } from './matrix/matrix.ts';

runMatrix('real', shareOfTheDay(new Date()));
