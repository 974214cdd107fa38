/**
 * Do the tests of the API server bite? Plants mistakes in src/api, src/db, src/controllers/tenancy, src/controllers/catalog, src/virt and src/processes, in
 * copies, one at a time, and runs the tests that must notice: `make mutate-api`, or
 * `bin/node test/mutate/api/main.ts [--sample N] [words of a defect's name or file]`. --sample takes N of them, others every day.
 * Ends with 1 if one is not noticed, or if a test fails without any.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copiesFolder } from '../../../src/db/embedded/binaries.ts';
import { PREPARED } from '../../database/prepared.ts';
import { plantEach } from '../planting.ts';
import { checkOf } from './defect.ts';
import { defects } from './defects/index.ts';

// A database to copy from, for all of them: none changes a migration. PostgreSQL's account must get there.
const prepared = mkdtempSync(join(copiesFolder, 'ssvirt-mutate-postgres-'));
chmodSync(prepared, 0o755);
process.on('exit', () => rmSync(prepared, { recursive: true, force: true }));

await plantEach({
  defects,
  below: 'src',
  checkOf,
  // Each is a test process with a PostgreSQL, some with a cluster.
  width: 2,
  limits: { testMs: 100_000, allMs: 120_000 },
  env: { [PREPARED]: prepared },
});
