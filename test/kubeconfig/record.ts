/**
 * Records client-go's result for each kubeconfig of the table: `bin/node test/kubeconfig/record.ts`. Needs Go and the
 * modules of test/tools. The tests read the record.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kubeconfigCases, layOut } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'record-'));
try {
  const cases = kubeconfigCases.map((one, index) => {
    const own = join(folder, String(index));
    layOut(one, own);
    return { name: one.name, folder: `${own}/`, list: one.list, context: one.context ?? '' };
  });
  const { stdout, stderr, status } = spawnSync('go', ['run', '../kubeconfig/client-go/main.go'], {
    cwd: fileURLToPath(new URL('../tools', import.meta.url)),
    input: JSON.stringify(cases),
    encoding: 'utf8',
    env: { ...process.env, HOME: process.env['HOME'], HTTPS_PROXY: '', HTTP_PROXY: '' },
  });
  if (status !== 0) throw new Error(`cannot ask client-go: ${stderr}`);
  writeFileSync(new URL('client-go/testdata/outcomes.json', import.meta.url), stdout);
} finally {
  rmSync(folder, { recursive: true });
}
