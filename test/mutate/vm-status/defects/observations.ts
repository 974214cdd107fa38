/** The statements of the vm-controller: who may write, in which order, which row a machine has. */
import { unit, type VmStatusDefect } from '../defect.ts';

const statement = 'db/observations/vm-statement.ts';
const fence = unit('db/observations/fence.test.ts');
const store = unit('db/observations/store.test.ts');
const leaders = unit('db/observations/leaders.test.ts');

const fenceDefects: readonly VmStatusDefect[] = [
  {
    name: 'a leader of an older epoch writes',
    file: 'db/observations/fence.ts',
    find: 'epoch = $2 AND round = $3 FOR SHARE',
    replace: '(epoch = $2 OR true) AND round = $3 FOR SHARE',
    noticedBy: fence,
  },
  {
    name: 'a new leader does not wait for what the old one is writing',
    file: 'db/observations/fence.ts',
    find: 'round = $3 FOR SHARE',
    replace: 'round = $3',
    noticedBy: fence,
  },
  {
    name: 'a statement that was given up writes when it comes late',
    file: 'db/observations/fence.ts',
    find: 'if (error instanceof OutcomeUnknown) this.#unsettled = true;',
    replace: '',
    noticedBy: fence,
  },
  {
    name: 'two leaders win with one Lease',
    file: 'db/observations/leaders.ts',
    find: 'WHERE l.lease_epoch < excluded.lease_epoch',
    replace: 'WHERE l.lease_epoch <= excluded.lease_epoch',
    noticedBy: leaders,
  },
  {
    name: 'an epoch is used twice',
    file: 'db/observations/leaders.ts',
    find: 'greatest(l.epoch + 1, excluded.lease_epoch)',
    replace: 'excluded.lease_epoch',
    noticedBy: leaders,
  },
  {
    name: 'a failure to synchronise is counted from the start after a restart',
    file: 'db/observations/sync-failures.ts',
    find: 'greatest(f.attempts + 1, excluded.attempts)',
    replace: 'excluded.attempts',
    noticedBy: leaders,
  },
];

const rowDefects: readonly VmStatusDefect[] = [
  {
    name: 'an observation that was overtaken is not told from a row that is held',
    file: statement,
    find: "WHEN (o.epoch, o.sequence) >= ($2, $4) THEN 'older'",
    replace: "WHEN false THEN 'older'",
    noticedBy: store,
  },
  {
    name: 'a machine that moved to another node is unchanged',
    file: statement,
    find: '(o.fault_reason, o.fault, o.node) IS NOT DISTINCT FROM (s.fault_reason, s.fault, s.node)',
    replace: '(o.fault_reason, o.fault) IS NOT DISTINCT FROM (s.fault_reason, s.fault)',
    noticedBy: store,
  },
  {
    name: 'a row that says already what it should say is written',
    file: statement,
    find: 'WHEN NOT s.gone\n',
    replace: 'WHEN false\n',
    noticedBy: store,
  },
  {
    name: 'a restart of the controller makes an old fault young',
    file: statement,
    find: "${seen}.debouncing AND o.status = 'FAILED'",
    replace: 'false',
    noticedBy: store,
  },
  {
    name: 'a young fault keeps the failure of another',
    file: statement,
    find: 'o.fault_reason = ${seen}.fault_reason',
    replace: 'true',
    noticedBy: store,
  },
  {
    name: 'late news of a machine that is gone is taken',
    file: statement,
    find: "WHEN o.status = 'DELETED' AND s.returned IS NOT TRUE THEN",
    replace: 'WHEN false THEN',
    noticedBy: store,
  },
  {
    name: 'a batch waits for a row that somebody holds',
    file: statement,
    find: 'LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED\n  ) o',
    replace: 'LIMIT 1 FOR NO KEY UPDATE\n  ) o',
    noticedBy: fence,
  },
  {
    name: 'a batch waits for a vApp that somebody deletes',
    file: statement,
    find: 'LIMIT 1 FOR SHARE SKIP LOCKED',
    replace: 'LIMIT 1 FOR SHARE',
    noticedBy: fence,
  },
  {
    name: 'words that PostgreSQL cannot hold fail the batch of all',
    file: 'db/observations/json.ts',
    find: "return text.toWellFormed().replaceAll('\\0', '\\u{FFFD}');",
    replace: 'return text;',
    noticedBy: store,
  },
];

const bindingDefects: readonly VmStatusDefect[] = [
  {
    name: 'a machine is bound to a row that was deleted',
    file: statement,
    find: "v.deleted_at IS NULL AND v.origin = 'requested'",
    replace: "v.origin = 'requested'",
    noticedBy: store,
  },
  {
    name: 'a machine that is being deleted gets a row',
    file: statement,
    find: "WHERE s.status <> 'DELETING' AND NOT s.overtaken",
    replace: 'WHERE NOT s.overtaken',
    noticedBy: store,
  },
  {
    name: 'a label reaches into the vApp of another VDC',
    file: statement,
    find: 'AND a.vdc_id IS NOT DISTINCT FROM d.id',
    replace: '',
    noticedBy: store,
  },
  {
    name: 'one that is long gone stands in the way of a machine with its name',
    file: statement,
    find: 'r.name = f.name AND NOT r.gone',
    replace: 'r.name = f.name',
    noticedBy: store,
  },
  {
    name: 'of two template instances the first one speaks for a vApp, whatever its label says',
    file: 'db/observations/vapp-statement.ts',
    find: 'ORDER BY vapp, l.id IS NULL, s.place',
    replace: 'ORDER BY vapp, s.place',
    noticedBy: store,
  },
  {
    name: 'another cluster under a known name takes its place',
    file: 'db/observations/cluster-statement.ts',
    find: 'c.accepted_identity = excluded.identity OR $9::boolean THEN',
    replace: 'c.accepted_identity = excluded.identity OR $9::boolean OR true THEN',
    noticedBy: store,
  },
  {
    name: 'machines that are gone are looked for by every sweep',
    file: 'db/observations/bound-vms.ts',
    find: 'AND NOT gone',
    replace: '',
    noticedBy: store,
  },
];

export const observationDefects: readonly VmStatusDefect[] = [...fenceDefects, ...rowDefects, ...bindingDefects];
