/** The controller: what waits, batches, retries, sweeps, how clusters are, what is reported. */
import { behaviour, unit, type VmStatusDefect } from '../defect.ts';

const at = (file: string): string => `controllers/vm-status/${file}.ts`;
const beside = (file: string): VmStatusDefect['noticedBy'] => unit(at(`${file}.test`));

const pendingDefects: readonly VmStatusDefect[] = [
  {
    name: 'a machine waits since the last of its changes',
    file: at('pending'),
    find: '(mark.seenAt ?? Infinity) < waiting.seenAt',
    replace: 'true',
    noticedBy: beside('pending'),
  },
  {
    name: 'a standby collects what it will never write',
    file: at('pending'),
    find: 'if (!this.#open) return;',
    replace: '',
    noticedBy: beside('pending'),
  },
  {
    name: 'who has taken everything does not wait for more',
    file: at('pending'),
    find: 'if (this.size === 0) this.#work.close();',
    replace: '',
    noticedBy: beside('pending'),
  },
  {
    name: 'a cluster is not up to date while anything of it changes',
    file: at('pending'),
    find: '(mark.seenAt ?? by) <= by',
    replace: 'true',
    noticedBy: beside('pending'),
  },
];

const crossingDefects: readonly VmStatusDefect[] = [
  {
    name: 'a machine that is being written while its vApp comes waits for the next resync',
    file: at('pending'),
    find: 'this.#underWay = machines;',
    replace: '',
    noticedBy: beside('vm-status'),
  },
  {
    name: 'an answer that was overtaken takes a new namespace away',
    file: at('vdc-namespaces'),
    find: 'if (turn < this.#answered) return new Map();',
    replace: '',
    noticedBy: beside('vdc-namespaces'),
  },
];

const writerDefects: readonly VmStatusDefect[] = [
  {
    name: 'a bad row holds the batch',
    file: at('writer'),
    find: 'await this.#split(term, batch, error, lost);',
    replace: 'throw error;',
    noticedBy: beside('writer'),
  },
  {
    name: 'a row that failed before fails the others again',
    file: at('writer'),
    find: 'items: items.filter(({ mark }) => !retries.isFailing(mark)),',
    replace: 'items,',
    noticedBy: beside('writer'),
  },
  {
    name: 'a batch is lost when the database is away',
    file: at('writer'),
    find: 'pending.giveBack(taken);',
    replace: '',
    noticedBy: beside('writer'),
  },
  {
    name: 'a row that somebody holds counts as written',
    file: at('writer'),
    find: "retries.failed(mark, new RowLocked('the row is locked by another session'));\n    retries.succeeded(mark);\n    reports.written",
    replace: 'retries.succeeded(mark);\n    reports.written',
    noticedBy: beside('writer'),
  },
  {
    name: 'a leader that was overtaken goes on',
    file: at('writer'),
    find: "if (lost.aborted || databaseFailure(error) === 'fenced') throw error;",
    replace: 'if (lost.aborted) throw error;',
    noticedBy: beside('writer'),
  },
  {
    name: 'a deadlock is taken for a database that is away',
    file: at('database-failure'),
    find: '(55P03|57014|40P01|40001)',
    replace: '(55P03|57014|40001)',
    noticedBy: beside('database-failure'),
  },
];

const retryDefects: readonly VmStatusDefect[] = [
  {
    name: 'a row that is held for a moment counts as one that fails',
    file: at('retries'),
    find: 'if (heldMs !== undefined) return this.#later(mark, heldMs);',
    replace: '',
    noticedBy: beside('retries'),
  },
  {
    name: 'a failure is put down one try too early',
    file: at('retries'),
    find: 'if (attempts > maxRetries) this.#record(',
    replace: 'if (attempts >= maxRetries) this.#record(',
    noticedBy: beside('retries'),
  },
  {
    name: 'a failure that is over stays put down',
    file: at('retries'),
    find: 'if (!this.#recorded.delete(id)) return;',
    replace: 'if (id !== undefined) return;',
    noticedBy: beside('retries'),
  },
  {
    name: 'what an earlier leader has put down stays',
    file: at('retries'),
    find: 'this.#recorded.add(machineId({ cluster, key: `${namespace}/${vmName}` }));',
    replace: 'void [cluster, namespace, vmName];',
    noticedBy: beside('retries'),
  },
  {
    name: 'that a machine is gone is tried again as if it were there',
    file: at('retries'),
    find: 'else if (isGone(mark)) pending.gone(cluster, key, mark.uid, seenAt);',
    replace: '',
    noticedBy: beside('retries'),
  },
];

const sweeperDefects: readonly VmStatusDefect[] = [
  {
    name: 'what a namespace that is not covered has counts as gone',
    file: at('sweeper'),
    find: 'cluster.covers(namespace) && ',
    replace: '',
    noticedBy: beside('sweeper'),
  },
  {
    name: 'what the ledger does not have is gone, whatever the server says',
    file: at('sweeper'),
    find: 'return found.metadata.uid !== vm.uid;',
    replace: 'return true;',
    noticedBy: beside('sweeper'),
  },
  {
    name: 'a server that does not answer has nothing',
    file: at('sweeper'),
    find: 'if (!isNotFound(error)) return undefined;',
    replace: 'if (!isNotFound(error)) return true;',
    noticedBy: beside('sweeper'),
  },
  {
    name: 'a kind that is not served is a machine that is gone',
    file: at('sweeper'),
    find: 'return error.status?.details?.name === vm.name ? true : undefined;',
    replace: 'return true;',
    noticedBy: beside('sweeper'),
  },
];

const clusterDefects: readonly VmStatusDefect[] = [
  {
    name: 'another cluster under a known name is believed',
    file: at('cluster-states'),
    find: 'return recorded.identity !== identity && recorded.acceptedIdentity !== identity;',
    replace: 'return false;',
    noticedBy: beside('cluster-states'),
  },
  {
    name: 'a cluster that is frozen is written',
    file: at('cluster-states'),
    find: " || state.state === 'frozen') return;",
    replace: ') return;',
    noticedBy: beside('cluster-states'),
  },
  {
    name: 'one failed request makes a cluster stale',
    file: at('cluster-states'),
    find: 'clock.now() - read.since < staleAfterMs',
    replace: 'false',
    noticedBy: beside('cluster-states'),
  },
  {
    name: 'a cluster that answers nothing is current as long as its watches go on',
    file: 'fleet/reachability.ts',
    find: '    askIdentity(client, request),',
    replace: "    Promise.resolve('somebody'),",
    noticedBy: unit('fleet/reachability.test.ts'),
  },
  {
    name: 'a cluster whose watches are silent is current as long as it answers',
    file: 'fleet/reachability.ts',
    find: '    ...watches.map((watch) => delivers(client, watch, how)),',
    replace: '',
    noticedBy: unit('fleet/reachability.test.ts'),
  },
  {
    name: 'a cluster is up to date before what it said is written',
    file: at('cluster-states'),
    find: '(!this.#admitted.has(watch) || waits(base.name, since))',
    replace: 'false',
    noticedBy: beside('cluster-states'),
  },
  {
    name: 'a process that has just begun makes every cluster stale',
    file: at('cluster-states'),
    find: 'recorded === undefined || clock.now() - since < staleAfterMs',
    replace: 'recorded === undefined',
    noticedBy: beside('cluster-states'),
  },
  {
    name: 'a trouble is new each time that it is seen',
    file: at('troubles'),
    find: 'since: known?.word === word ? known.since : this.#clock.now()',
    replace: 'since: this.#clock.now()',
    noticedBy: beside('troubles'),
  },
  {
    name: 'a machine that is well again is looked at all the same',
    file: at('troubles'),
    find: 'known?.timer?.cancel();',
    replace: '',
    noticedBy: beside('troubles'),
  },
];

const reportDefects: readonly VmStatusDefect[] = [
  {
    name: 'after a quiet time there is no limit',
    file: at('allowance'),
    find: 'Math.min(this.#burst, this.#tokens',
    replace: 'Math.min(Infinity, this.#tokens',
    noticedBy: beside('allowance'),
  },
  {
    name: 'Events have no limit',
    file: at('reports'),
    find: 'if (!allowance.take()) return metrics.eventsDropped.inc();',
    replace: '',
    noticedBy: beside('reports'),
  },
  {
    name: 'a first list is news to everybody',
    file: at('reports'),
    find: 'if (mark.seenAt === undefined) return;',
    replace: '',
    noticedBy: beside('reports'),
  },
  {
    name: 'whoever makes a namespace makes a series',
    file: at('metrics'),
    find: "this.#namespaces.has(namespace) ? namespace : ''",
    replace: 'namespace',
    noticedBy: beside('metrics'),
  },
  {
    name: 'the errors of a VDC outlive it',
    file: at('metrics'),
    find: 'for (const type of used.errors) this.#errors.remove({ namespace, error_type: type });',
    replace: '',
    noticedBy: beside('metrics'),
  },
];

const untouched = 'a machine that was asked for is bound to its row by place and name, and keeps it';

const wholeDefects: readonly VmStatusDefect[] = [
  {
    name: 'nobody looks at the instances of machines',
    file: at('scope-watch'),
    find: 'if (this.#vms.get(parseKey(key)) !== undefined) this.#told.machine(key, initial);',
    replace: '',
    noticedBy: behaviour(
      'the row has what the machine has: CPU, memory, guest, addresses, node, host name, disks',
      untouched,
    ),
  },
  {
    name: 'a row that comes after its machine waits for the next resync',
    file: at('vm-status'),
    find: 'for (const { cluster, namespace, name } of machines) this.#markKnown(cluster, `${namespace}/${name}`);',
    replace: '',
    noticedBy: behaviour('a row that comes after its machine is bound to it', untouched),
  },
];

export const controllerDefects: readonly VmStatusDefect[] = [
  // They take longest: others run beside them.
  ...wholeDefects,
  ...pendingDefects,
  ...crossingDefects,
  ...writerDefects,
  ...retryDefects,
  ...sweeperDefects,
  ...clusterDefects,
  ...reportDefects,
];
