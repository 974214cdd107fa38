/** The rights of the machine-operator, one by one, on kube-apiservers that enforce them; run by .ci/run. */
// needs: etcd, kube-apiserver, kube-controller-manager
import { rightsCases } from './rights-cases.ts';
import { machineOperator, machineOperatorAlone } from './stories/machine-operator.ts';

rightsCases('machine-operator', [machineOperator, machineOperatorAlone]);
