/** The rights of the vm-controller, one by one, on clusters of the sandbox; run by .ci/run. */
import { rightsCases } from './rights-cases.ts';
import { vmController } from './stories/vm-controller.ts';

rightsCases('vm-controller', [vmController]);
