/** Who works on what is asked of the clusters: claims, and what is written under them. */
import { witnesses, type ApiDefect } from '../defect.ts';

const claims = witnesses('db/reconciliations.test.ts', 'are refused in a transaction: nobody else would see them');
const at = 'db/reconciliations.ts';

export const claimDefects: readonly ApiDefect[] = [
  {
    name: 'what another holds is waited for',
    file: at,
    find: 'FOR UPDATE SKIP LOCKED',
    replace: 'FOR UPDATE',
    noticedBy: claims('hold off whoever comes while something is written for them'),
  },
  {
    name: 'what is taken is taken again',
    file: at,
    find: ' AND (lease_until IS NULL OR lease_until <= now())',
    replace: '',
    noticedBy: claims('are not given again before their time is up, and raise the attempt then'),
  },
  {
    name: 'an earlier attempt writes on',
    file: at,
    find: ' AND attempt = ${attempt} AND owner IS NOT NULL',
    replace: ' AND owner IS NOT NULL',
    noticedBy: claims('are not completed'),
  },
  {
    name: 'what is complete is written for again',
    file: at,
    find: ' AND attempt = ${attempt} AND owner IS NOT NULL',
    replace: ' AND attempt = ${attempt}',
    noticedBy: claims('that were completed are not written for again'),
  },
  {
    name: 'those that wait longest wait on',
    file: at,
    find: 'ORDER BY due_at LIMIT',
    replace: 'ORDER BY due_at DESC LIMIT',
    noticedBy: claims('begin with those that have waited longest'),
  },
  {
    name: 'one cluster takes the work of the others',
    file: at,
    find: 'WHERE cluster = wanted.name AND kind',
    replace: 'WHERE kind',
    noticedBy: claims('of one cluster take nothing from another, and the limit is of each'),
  },
  {
    name: 'a wish that came meanwhile is forgotten',
    file: at,
    find: 'CASE WHEN wish = ${wish} THEN',
    replace: 'CASE WHEN wish >= ${wish} THEN',
    noticedBy: claims('are due at once where more was wished while they were worked on'),
  },
  {
    name: 'nobody looks whether the claim still holds',
    file: at,
    find: 'if (!(await holdsClaim(tx, claim))) throw new LostClaim(claim);',
    replace: '',
    noticedBy: claims('end no task'),
  },
  {
    name: 'a claim is taken while something is written for it',
    file: at,
    find: 'WHERE ${mine(claim)} FOR NO KEY UPDATE`',
    replace: 'WHERE ${mine(claim)}`',
    noticedBy: claims('hold off whoever comes while something is written for them'),
  },
  {
    name: 'what is undone was asked for anew',
    file: 'db/vdc-removal.ts',
    find: ' AND wish = ${claim.wish}',
    replace: '',
    noticedBy: claims('undo nothing where something else was wished meanwhile'),
  },
  {
    name: 'a refusal’s reason is lost',
    file: 'db/claimed-tasks.ts',
    find: 'coalesce(error, ',
    replace: 'coalesce(NULL, ',
    noticedBy: claims('tell who was refused the reason of the refusal'),
  },
];
