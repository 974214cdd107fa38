/**
 * Do the tests of the cloudkit-operator bite? Plants mistakes in src/controllers/cloudkit and src/virt/order, in copies, one at a time, and runs the tests that must
 * notice: `make mutate-cloudkit`, or `bin/node test/mutate/cloudkit/main.ts [--sample N] [words of a defect's name or file]`. --sample takes N of them, others every
 * day. Ends with 1 if one is not noticed, or if a test fails without any.
 */
import { PATIENCE } from '../../cloudkit/ground.ts';
import { plantEach } from '../planting.ts';
import { checkOf } from './defect.ts';
import { defects } from './defects/index.ts';

await plantEach({
  defects,
  below: 'src',
  checkOf,
  // A third of them run a cluster.
  width: 2,
  limits: { testMs: 100_000, allMs: 120_000 },
  // Less than the minute after which an order is looked at again without being told: that would hide what does not wake it.
  env: { [PATIENCE]: '25000' },
});
