/**
 * Do the tests of the machine-operator bite? Plants mistakes in src/controllers/machine, src/virt/declared-machine and src/fleet, in copies, one at a time, and
 * runs the tests that must notice: `make mutate-machine`, or `bin/node test/mutate/machine/main.ts [--sample N] [words of a defect's name or file]`. --sample
 * takes N of them, others every day. Ends with 1 if one is not noticed, or if a test fails without any.
 */
import { PATIENCE } from '../../machine-operator/ground.ts';
import { plantEach } from '../planting.ts';
import { checkOf } from './defect.ts';
import { defects } from './defects/index.ts';

await plantEach({
  defects,
  below: 'src',
  checkOf,
  // Half of them run a cluster or two.
  width: 2,
  limits: { testMs: 100_000, allMs: 120_000 },
  // Less than the minute after which a Machine is looked at again without being told: that would hide what does not wake it.
  env: { [PATIENCE]: '25000' },
});
