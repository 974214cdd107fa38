/** The rights of the machine-operator, one by one, on clusters of the sandbox; run by .ci/run. */
import { rightsCases } from './rights-cases.ts';
import { machineOperator, machineOperatorAlone } from './stories/machine-operator.ts';

rightsCases('machine-operator', [machineOperator, machineOperatorAlone]);
