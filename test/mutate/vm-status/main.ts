/**
 * Do the tests of the vm-controller and of its database bite? Switches behaviours of src/controllers/vm-status, src/virt, src/db and the ledger off in
 * copies, one at a time, and runs the tests that must notice: `make mutate-vm-status`, or
 * `bin/node test/mutate/vm-status/main.ts [--sample N] [words of a defect's name or file]`. --sample takes N of them, others every day.
 * Ends with 1 if one is not noticed, or if a test fails without any.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copiesFolder } from '../../../src/db/embedded/binaries.ts';
import { PREPARED } from '../../database/prepared.ts';
import { checkOf } from '../check.ts';
import { plantEach } from '../planting.ts';
import { defects } from './defects/index.ts';

// Each changed migration makes a database of its own to copy from, which nobody needs again. PostgreSQL's account must get there.
const prepared = mkdtempSync(join(copiesFolder, 'ssvirt-mutate-postgres-'));
chmodSync(prepared, 0o755);
process.on('exit', () => rmSync(prepared, { recursive: true, force: true }));

await plantEach({
  defects,
  below: 'src',
  checkOf: ({ noticedBy }) => checkOf(noticedBy),
  // Each is a test process, most with a PostgreSQL.
  width: 2,
  limits: { testMs: 30_000, allMs: 120_000 },
  env: { [PREPARED]: prepared },
});
