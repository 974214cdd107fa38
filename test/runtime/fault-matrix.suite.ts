/** Every fault on every operation, on a real kube-apiserver; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { runMatrix } from './matrix/matrix.ts';

runMatrix('real');
