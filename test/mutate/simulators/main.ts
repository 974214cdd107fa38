/**
 * Do the tests of the simulators bite? Switches behaviours of src/sandbox/simulators off in copies, one at a time, and runs the scenarios or tests
 * that must notice: `make mutate-simulators`, or `bin/node test/mutate/simulators/main.ts [--sample N] [words of a defect's name or file]`.
 * --sample takes N of them, others every day. Where the recordings of KubeVirt are not at hand, those that only they can show are left out, by name.
 * Ends with 1 if one is not noticed, or if a test fails without any.
 */
import { missingRecordings, transcriptsFolder, upstreamCrdsFolder } from '../../kubevirt/transcripts.ts';
import { checkOf } from '../check.ts';
import { plantEach } from '../planting.ts';
import { needsRecordings } from './defect.ts';
import { defects } from './defects/index.ts';

await plantEach({
  defects,
  below: 'src/sandbox/simulators',
  checkOf: ({ noticedBy }) => checkOf(noticedBy),
  // Each is a test process with its sandbox, and waits about as long as it computes.
  width: 2,
  limits: { testMs: 25_000, allMs: 120_000 },
  // A copy does not stand beside the recordings.
  env: { SSVIRT_TEST_TRANSCRIPTS: transcriptsFolder, SSVIRT_TEST_UPSTREAM_CRDS: upstreamCrdsFolder },
  leftOut: ({ noticedBy }) => (needsRecordings(noticedBy) ? missingRecordings() : undefined),
});
