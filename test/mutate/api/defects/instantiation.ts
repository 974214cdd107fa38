/** Machines out of catalogs. */
import { witnesses, type ApiDefect } from '../defect.ts';

const instantiation = witnesses(
  'api/instantiation/instantiation.test.ts',
  'keeps secrets out of the items of a catalog',
  { alone: true },
);

export const instantiationDefects: readonly ApiDefect[] = [
  {
    name: 'only the first machine of a template is counted',
    file: 'api/instantiation/service.ts',
    find: 'cpus: sum(({ cpus }) => cpus),',
    replace: 'cpus: machines[0]?.cpus ?? 0,',
    noticedBy: instantiation('counts what the values make of the machines against the limits'),
  },
  {
    name: 'vApps are promised while the cluster is away',
    file: 'api/instantiation/service.ts',
    find: 'requireAvailable(caller, clusters, vdc.cluster, `the vApp "${asked.name}" cannot be made`);',
    replace: '',
    noticedBy: instantiation('is for who may, where nothing forbids it'),
  },
  {
    name: 'the audit has the passwords',
    file: 'api/instantiation/service.ts',
    find: 'parameters: Object.keys(asked.parameters ?? {})',
    replace: 'parameters: { ...asked.parameters }',
    noticedBy: instantiation(
      'shows the values of parameters nowhere, and those that it generates in its own answer only',
    ),
  },
  {
    name: 'values that were generated are not returned',
    file: 'api/instantiation/routes.ts',
    find: '{ ...body, generatedParameters: started.generated }',
    replace: 'body',
    noticedBy: instantiation(
      'answers with what it generated also where the caller waits, and not where nothing was generated',
    ),
  },
  {
    name: 'a parameter of a template names any namespace to clone from',
    file: 'api/instantiation/template-plan.ts',
    find: '  checkTemplate(place, entry, given, values);\n  return { values, generated, machines };',
    replace: '  return { values, generated, machines };',
    noticedBy: instantiation('refuses a disk of another tenant, by a parameter of common, and writes nothing'),
  },
  {
    name: 'what cannot be used is used',
    file: 'api/instantiation/offer.ts',
    find: 'if (offer.available) return here;',
    replace: 'if (!isAway) return here;',
    noticedBy: instantiation('refuses what cannot be used now, and writes nothing'),
  },
  {
    name: 'items of others are used though they are not published',
    file: 'api/instantiation/item.ts',
    find: 'getCatalogItem(db, scope, id)',
    replace: "getCatalogItem(db, 'all', id)",
    noticedBy: instantiation('has the items of published catalogs, and of no others'),
  },
  {
    name: 'machines are made in the data centers of others',
    file: 'api/instantiation/service.ts',
    find: 'getVdc(db, caller.scope, vdcId)',
    replace: "getVdc(db, 'all', vdcId)",
    noticedBy: instantiation('has the items of published catalogs, and of no others'),
  },
  {
    name: 'machines of a template run though they are to be off',
    file: 'api/instantiation/service.ts',
    find: "desired_power: powerOn ? 'on' : 'off',",
    replace: "desired_power: 'on',",
    noticedBy: instantiation(
      'of a template writes the vApp, its machines by the names that it will give them, a task and a wish',
    ),
  },
  {
    name: 'a template makes a machine over one that is there',
    file: 'api/instantiation/service.ts',
    find: 'if (taken !== undefined)',
    replace: "if (taken === '')",
    noticedBy: instantiation(
      'refuses a name that a machine in the namespace has, be it ours or not, and takes it when that is gone',
    ),
  },
];
