/** vApps that templates make, tasks that wait for others, and what is swept. */
import { witnesses, type ApiDefect } from '../defect.ts';

const vapps = witnesses(
  'controllers/tenancy/vapps/vapps.test.ts',
  'a virtual data center that is not there yet is waited for',
  { alone: true },
);
const parents = witnesses('controllers/tenancy/vapps/pure.test.ts', 'is done where there is none');
const sweep = witnesses(
  'controllers/tenancy/sweep/sweep.test.ts',
  'deletes what was made for rows that are gone, and keeps and reports all else that fits nothing',
);
const swept = witnesses(
  'controllers/tenancy/sweep/sweep.test.ts',
  'takes a template instance without what has the name of its machines by now',
);
const verdicts = witnesses('controllers/tenancy/sweep/verdict.test.ts', 'whose row is there is wanted');
const nowhere = vapps('one is made with the values that were given, which stay nowhere');
const released = sweep('takes a template instance without what has the name of its machines by now');
const at = (file: string): string => `controllers/tenancy/vapps/${file}.ts`;

const ofTemplates: readonly ApiDefect[] = [
  {
    name: 'the values of parameters stay in the row',
    file: 'db/vapp-applied.ts',
    find: "UPDATE vapps SET spec = spec - 'parameters', updated_at",
    replace: 'UPDATE vapps SET updated_at',
    noticedBy: nowhere,
  },
  {
    name: 'the values of parameters stay in the cluster',
    file: at('instantiate'),
    find: 'await deleteSecret(attempt, name);\n  const isCreation',
    replace: 'const isCreation',
    noticedBy: nowhere,
  },
  {
    name: 'a Secret of somebody else is used for a template',
    file: at('parameter-secret'),
    find: 'if (found === undefined || isOurs(attempt, found)) return;',
    replace: 'if (found !== undefined) return;',
    noticedBy: vapps('what others have under the names that it would take is not touched'),
  },
  {
    name: 'a machine of somebody else becomes one of the vApp',
    file: at('made-machines'),
    find: 'if (found?.metadata.labels?.[madeByLabel] !== instance)',
    replace: 'if (found === undefined)',
    noticedBy: vapps('a machine that the template has not made is not taken for its own, and stays'),
  },
  {
    name: 'all machines in the namespace go with one vApp',
    file: at('absent'),
    find: '`${labels.installationId}=${installationId},${labels.vappId}=${vappId}`',
    replace: '`${labels.installationId}=${installationId}`',
    noticedBy: vapps('one is deleted with its machines, its template instance and what came with them'),
  },
  {
    name: 'a machine that has come in place of an old one goes with the old vApp',
    file: at('absent'),
    find: 'await releaseInstance(attempt, instance);',
    replace: 'await hand.delete(templateInstances, instance);',
    noticedBy: vapps('a machine that somebody has made anew under the name of an old one outlives the vApp of that'),
  },
  {
    name: 'what could not be made is left as it is',
    file: at('vapp-work'),
    find: "work.vapp.creation === 'running' || isMaking",
    replace: 'work.vapp.id === undefined',
    noticedBy: vapps(
      'where an object of the template is refused, nothing is left, and the task has the words of the cluster',
    ),
  },
];

const waiting: readonly ApiDefect[] = [
  {
    name: 'a task on a vApp ends before those on its machines',
    file: at('parents'),
    find: 'own.some(({ ended }) => !ended)',
    replace: 'own.length > 0 && own.every(({ ended }) => !ended)',
    noticedBy: parents('is open while one is, though another has failed'),
  },
  {
    name: 'a task on a vApp ends well though one on a machine has not',
    file: at('parents'),
    find: "status !== 'success'",
    replace: "status === 'aborted'",
    noticedBy: parents('names what has failed'),
  },
  {
    name: 'a task on a vApp ends with those of another',
    file: at('parents'),
    find: 'children.filter(({ parent }) => parent === id)',
    replace: 'children',
    noticedBy: parents('looks at its own only'),
  },
];

const sweeping: readonly ApiDefect[] = [
  {
    name: 'machines of other installations are swept',
    file: 'controllers/tenancy/sweep/verdict.ts',
    find: 'if (installation !== ground.installationId)',
    replace: 'if (installation === undefined)',
    noticedBy: verdicts('of another installation is kept'),
  },
  {
    name: 'a machine out of a backup is swept',
    file: 'controllers/tenancy/sweep/verdict.ts',
    find: '!isLate(object, place.deletedAt)',
    replace: "place.uid === ''",
    noticedBy: verdicts('whose row was of another object is kept'),
  },
  {
    name: 'a machine without a row is swept',
    file: 'controllers/tenancy/sweep/verdict.ts',
    find: "if (place === undefined) return orphan('no row of that id is known');",
    replace: "if (place === undefined) return { verdict: 'unwanted' };",
    noticedBy: verdicts('without a row is kept'),
  },
  {
    name: 'what is wanted again by now is swept',
    file: 'controllers/tenancy/sweep/sweep.ts',
    find: "if (verdictOn(object.metadata, place, ground).verdict !== 'unwanted' || !(await mayWrite())) return;",
    replace: 'if (!(await mayWrite())) return;',
    noticedBy: swept('looks again right before it deletes, and deletes nothing that has come in place of what it saw'),
  },
  {
    name: 'what has come in place of an object is swept',
    file: 'controllers/tenancy/sweep/sweep-hand.ts',
    find: '{ ...this.#options, uid }',
    replace: 'this.#options',
    noticedBy: swept('looks again right before it deletes, and deletes nothing that has come in place of what it saw'),
  },
  {
    name: 'the values of parameters are not swept',
    file: 'controllers/tenancy/sweep/sweep.ts',
    find: 'await deleteParameters(hand, instance);',
    replace: '',
    noticedBy: swept('deletes what was made for rows that are gone, and keeps and reports all else that fits nothing'),
  },
  {
    name: 'OpenShift deletes by name what is another machine by now',
    file: at('release-instance'),
    find: "else if (found.metadata.uid !== ref.uid) return 'others';",
    replace: '',
    noticedBy: released,
  },
  {
    name: 'what has the name of a machine of the template is deleted',
    file: at('release-instance'),
    find: 'found.metadata.uid !== uid || ',
    replace: '',
    noticedBy: released,
  },
];

export const vappWorkDefects: readonly ApiDefect[] = [...ofTemplates, ...waiting, ...sweeping];
