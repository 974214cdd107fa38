/** What the schema does by itself: views, triggers, partial indexes. */
import { unit, type VmStatusDefect } from '../defect.ts';

const machines = 'db/migrations/0002-machines.ts';
/** The views are as this one has left them. */
const views = 'db/migrations/0008-machine-lists.ts';
const triggers = 'db/migrations/0004-change-log-triggers.ts';
const shown = unit('db/shown-status.test.ts');
const log = unit('db/change-log.test.ts');

export const migrationDefects: readonly VmStatusDefect[] = [
  {
    name: 'a machine that is to go shows what it did before',
    file: views,
    find: "WHEN desired_state = 'absent' THEN",
    replace: 'WHEN false THEN',
    noticedBy: shown,
  },
  {
    name: 'a namespace that cannot be read makes nothing stale',
    file: views,
    find: ' OR namespace = ANY (unreadable)',
    replace: '',
    noticedBy: shown,
  },
  {
    name: 'a cluster that nobody has heard of is up to date',
    file: views,
    find: "cluster_state IS DISTINCT FROM 'synced'",
    replace: "cluster_state <> 'synced'",
    noticedBy: shown,
  },
  {
    name: 'a machine that is gone counts for its vApp',
    file: views,
    find: "s.vapp_id = a.id AND s.status <> 'DELETED'",
    replace: 's.vapp_id = a.id',
    noticedBy: shown,
  },
  {
    name: 'a vApp is never mixed',
    file: views,
    find: 'WHEN m.first = m.last THEN',
    replace: 'WHEN m.first IS NOT NULL THEN',
    noticedBy: shown,
  },
  {
    name: 'a name is never free again',
    file: machines,
    find: "vms (vapp_id, lower(name)) WHERE deleted_at IS NULL AND origin = 'requested'",
    replace: "vms (vapp_id, lower(name)) WHERE origin = 'requested'",
    noticedBy: unit('db/machines.test.ts'),
  },
  {
    name: 'one that is gone keeps its place in the cluster',
    file: machines,
    find: 'vm_observed (cluster, namespace, name) WHERE NOT gone;',
    replace: 'vm_observed (cluster, namespace, name);',
    noticedBy: unit('db/observations/store.test.ts'),
  },
  {
    name: 'every look at a machine is told as a change',
    file: triggers,
    find: '${joined} ${one.joins} WHERE ${differs}',
    replace: '${joined} ${one.joins}',
    noticedBy: log,
  },
  {
    name: 'a deletion is told as an update',
    file: triggers,
    find: "CASE WHEN ${goes} THEN 'deleted' ELSE 'updated' END",
    replace: "'updated'",
    noticedBy: log,
  },
  {
    name: 'who follows the changes is not woken',
    file: triggers,
    find: 'IF logged > 0 THEN NOTIFY ${channel}; END IF;',
    replace: '',
    noticedBy: log,
  },
  {
    name: 'what was removed of the change log is not remembered',
    file: triggers,
    find: 'SET transaction = d.transaction, sequence = d.sequence',
    replace: 'SET transaction = p.transaction',
    noticedBy: unit('db/changes.test.ts'),
  },
];
