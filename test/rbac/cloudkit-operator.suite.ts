/** The rights of the cloudkit-operator, one by one, on clusters of the sandbox; run by .ci/run. */
import { rightsCases } from './rights-cases.ts';
import { cloudkitOperator } from './stories/cloudkit-operator.ts';

rightsCases('cloudkit-operator', [cloudkitOperator]);
