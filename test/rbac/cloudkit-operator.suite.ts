/** The rights of the cloudkit-operator, one by one, on kube-apiservers that enforce them; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { rightsCases } from './rights-cases.ts';
import { cloudkitOperator } from './stories/cloudkit-operator.ts';

rightsCases('cloudkit-operator', [cloudkitOperator]);
