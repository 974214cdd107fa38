/** The rights of the vm-controller, one by one, on kube-apiservers that enforce them; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { rightsCases } from './rights-cases.ts';
import { vmController } from './stories/vm-controller.ts';

rightsCases('vm-controller', [vmController]);
