/** What is done in the clusters for virtual data centers. */
import { witnesses, type ApiDefect } from '../defect.ts';

const made = 'is made: namespace, quota, limits, isolation, and the task ends well';
const tenancy = witnesses('controllers/tenancy/tenancy.test.ts', made);
const follows = witnesses('controllers/tenancy/tenancy.test.ts', 'follows changes: quota, name, enabled');
const replicas = witnesses('controllers/tenancy/replicas.test.ts', 'share the work, and do nothing twice');
const hand = witnesses(
  'controllers/tenancy/cluster-hand.test.ts',
  'makes no namespace where there is one, whosesoever',
);
const removed = tenancy('is removed with its machines first, its namespace then, its rows at last');
const foreign = tenancy('is refused and undone where a namespace of that name is somebody else’s, which stays');
const late = tenancy(
  'that has gone leaves no namespace behind, even where a late one is made; one without a row is kept',
);
const others = tenancy(
  'that has gone leaves what is not its own to others: a namespace with a machine in it, one of another installation',
);
const at = (file: string): string => `controllers/tenancy/${file}.ts`;

export const tenancyDefects: readonly ApiDefect[] = [
  {
    name: 'a task is done before everything is there',
    file: at('present'),
    find: 'for (const kind of childKinds) objects[kind]',
    replace: 'for (const kind of childKinds.slice(0, 2)) objects[kind]',
    noticedBy: follows(made),
  },
  {
    name: 'the namespace of others is adopted',
    file: at('present'),
    find: 'if (found !== undefined && !isOurs(attempt, found)) throw foreign(work, attempt.claim.cluster);',
    replace: '',
    noticedBy: foreign,
  },
  {
    name: 'the namespace of others is deleted',
    file: at('absent'),
    find: 'if (found === undefined || !isOurs(attempt, found)) return remove(attempt);',
    replace: 'if (found === undefined) return remove(attempt);',
    noticedBy: foreign,
  },
  {
    name: 'a namespace that ends is worked in',
    file: at('present'),
    find: 'if (found?.isEnding === true) return waitForItsEnd(attempt, found);',
    replace: '',
    noticedBy: tenancy('is made again when somebody deletes its namespace'),
  },
  {
    name: 'the rows go before the namespace has ended',
    file: at('absent'),
    find: "await report(attempt, 'waiting for the namespace to end', 80);",
    replace:
      "await report(attempt, 'waiting for the namespace to end', 80);\n  if (found !== undefined) return remove(attempt);",
    noticedBy: removed,
  },
  {
    name: 'machines end with their namespace',
    file: at('absent'),
    find: 'if (machines.length > 0) return mayDestroy',
    replace: 'if (machines.length < 0) return mayDestroy',
    noticedBy: removed,
  },
  {
    name: 'machines that nobody knew of are destroyed without force',
    file: at('absent'),
    find: 'return removal.forced ||',
    replace: 'return !removal.ended ||',
    noticedBy: tenancy('is kept with a machine that the database did not know of, unless its removal is forced'),
  },
  {
    name: 'rows of machines stay behind',
    file: 'db/vdc-removal.ts',
    find: 'WHERE vapp_id IN (${vapps}) AND ${live}\n    `',
    replace: 'WHERE vapp_id IN (${vapps}) AND id IS NULL\n    `',
    noticedBy: removed,
  },
  {
    name: 'what people edit stays edited',
    file: at('cluster-watch'),
    find: ' || !isAsApplied(live, place.objects[kind]);',
    replace: ';',
    noticedBy: tenancy('gets its quota back when somebody edits it'),
  },
  {
    name: 'what people add to a quota stays',
    file: at('vdc-hand'),
    find: 'liveObjectOf(added.length === 0 ? applied :',
    replace: 'liveObjectOf(added.length >= 0 ? applied :',
    noticedBy: tenancy('gets its quota back when somebody edits it'),
  },
  {
    name: 'a namespace that lost its label is lost',
    file: at('cluster-watch'),
    find: 'this.#notice(before);',
    replace: '',
    noticedBy: tenancy('gets its labels back, those too by which it is found'),
  },
  {
    name: 'nobody looks at what happened before the start',
    file: at('cluster-watch'),
    find: 'const first = this.#noticeAll(signal);',
    replace: 'const first = Promise.resolve();',
    noticedBy: replicas('find out after a start what has happened while none was there'),
  },
  {
    name: 'what was refused stays half made',
    file: at('vdc-work'),
    find: "if (work?.applied.ready === false && work.vdc.desired_state === 'present') {",
    replace: 'if (work?.vdc.id === undefined) {',
    noticedBy: tenancy('is undone where the cluster refuses a part of it: nothing of it is left'),
  },
  {
    name: 'a refused change takes everything away',
    file: at('vdc-work'),
    find: 'if (work?.applied.ready === false && work',
    replace: 'if (work !== undefined && work',
    noticedBy: tenancy('keeps what it has where a change is refused, shows the fault, and goes on when it is let'),
  },
  {
    name: 'a new name of the organisation does not reach the cluster',
    file: at('row-feed'),
    find: 'if (ids.length > 0) await markDue(',
    replace: 'if (ids.length < 0) await markDue(',
    noticedBy: tenancy('follows the name of its organisation'),
  },
  {
    name: 'an object is deleted whichever it is by now',
    file: at('cluster-hand'),
    find: 'keyOfObject(seen), { ...(await this.#writing()), uid }',
    replace: 'keyOfObject(seen), await this.#writing()',
    noticedBy: hand('deletes no machine that has come in the place of the one that was seen'),
  },
  {
    name: 'an older wish overwrites a newer one',
    file: at('cluster-hand'),
    find: ', ...(resourceVersion === undefined ? {} : { resourceVersion })',
    replace: '',
    noticedBy: hand('overwrites nothing that has changed since it was seen, and makes nothing anew that is gone'),
  },
  {
    name: 'the lease is not looked at before the request goes out',
    file: at('cluster-hand'),
    find: 'beforeSend: () => lease.assertRoom(requestMs)',
    replace: 'beforeSend: () => undefined',
    noticedBy: replicas('send nothing where the pause came between the look at the lease and the request'),
  },
  {
    name: 'the lease is not renewed before a write',
    file: at('cluster-hand'),
    find: 'await lease.ensureRoom(2 * requestMs);',
    replace: '',
    noticedBy: replicas('go on where nobody has taken it over meanwhile'),
  },
  {
    name: 'a lost lease counts as renewed',
    file: at('lease'),
    find: 'if (!(await renewClaim(db, this.claim, leaseMs))) throw new LostClaim(this.claim);',
    replace: 'await renewClaim(db, this.claim, leaseMs);',
    noticedBy: replicas('write nothing to a cluster when they wake up'),
  },
  {
    name: 'what is as it should be is applied again',
    file: at('present'),
    find: 'if (seen !== undefined && last?.digest === digest && isAsApplied(seen, last)) return last;',
    replace: '',
    noticedBy: replicas('write nothing, and ask nothing, where nothing has changed'),
  },
  {
    name: 'late namespaces stay',
    file: at('sweeper'),
    find: "if (place.state === 'deleted') await this.#delete(namespace, signal);",
    replace: '',
    noticedBy: late,
  },
  {
    name: 'a namespace without a row is deleted',
    file: at('sweeper'),
    find: "if (place === undefined) return this.#report(namespace, 'no virtual data center of that id is known');",
    replace: 'if (place === undefined) return this.#delete(namespace, signal);',
    noticedBy: late,
  },
  {
    name: 'machines go with a late namespace',
    file: at('sweeper'),
    find: 'if (machines.items.length > 0)',
    replace: 'if (machines.items.length < 0)',
    noticedBy: others,
  },
  {
    name: 'namespaces of other installations are deleted',
    file: at('sweeper'),
    find: 'if (namespace.installationId !== this.#installation || namespace.isEnding) return;',
    replace: 'if (namespace.isEnding) return;',
    noticedBy: others,
  },
];
