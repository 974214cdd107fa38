/**
 * The remaining differences, as docs/kubevirt-differences.md lists them: one row for each id, with the reason. Never a
 * pattern.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = join(import.meta.dirname, '../../../docs/kubevirt-differences.md');

/** Reasons by the id of a scenario, a case or a state. */
export function listedDifferences(): ReadonlyMap<string, string> {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| `([^`]+)` +\| (.+?) *\|$/gm);
  return new Map([...rows].map(([, id = '', reason = '']) => [id, reason]));
}

/** Needs rights or PodSecurity, which the sandbox does not have: for a real kube-apiserver only. */
export const realOnly: ReadonlySet<string> = new Set([
  'vm/podsecurity-restricted',
  'storage/dvtemplate-clone-unauthorized',
  'admission/update/forbidden',
]);

/** Disturbs all others on the same cluster, so it runs after them. */
export const alone: ReadonlySet<string> = new Set(['vm/virt-api-down']);
