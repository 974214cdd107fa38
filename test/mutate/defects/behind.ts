/** Defects in what works behind the API: admission, controllers, extension servers. */
import type { Defect } from '../defect.ts';

export const behind: readonly Defect[] = [
  {
    name: 'an owner of the same name and another uid keeps its child',
    file: 'controllers/garbage-collector.ts',
    find: 'found === undefined || found.metadata.uid !== owner.uid',
    replace: 'found === undefined',
    topics: ['collection'],
  },
  {
    name: 'the child of an owner in another namespace stays',
    file: 'controllers/garbage-collector.ts',
    find: "return 'dangling';",
    replace: "return 'unknown';",
    topics: ['collection'],
  },
  {
    name: 'foreground deletion does not wait',
    file: 'controllers/garbage-collector.ts',
    find: 'return blocking.length > 0;',
    replace: 'return false;',
    topics: ['collection'],
  },
  {
    name: 'a namespace goes while something in it is held',
    file: 'controllers/namespaces.ts',
    find: 'if (remaining.length > 0) return;',
    replace: '',
    topics: ['collection'],
  },
  {
    name: 'a namespace on its way out takes new objects',
    file: 'admission/namespace-lifecycle.ts',
    find: 'throw terminatingRefusal(request);',
    replace: 'return;',
    topics: ['collection'],
  },
  {
    name: 'objects can be created in a namespace that is not there',
    file: 'admission/namespace-lifecycle.ts',
    find: "throw errors.notFound({ group: '', resource: 'namespaces' }, namespace);",
    replace: 'return;',
    topics: ['writes'],
  },
  {
    name: 'what is created is not charged to the quota',
    file: 'admission/resource-quota.ts',
    find: 'const charges = check(request);',
    replace: 'const charges: Charge[] = [];',
    topics: ['quotas'],
  },
  {
    name: 'a quota can be used up to one beyond its limit',
    file: 'admission/quota-check.ts',
    find: 'compareQuantity(wanted, limit) > 0',
    replace: 'compareQuantity(before.get(name) ?? wanted, limit) > 0',
    topics: ['quotas'],
  },
  {
    name: 'what is deleted stays charged',
    file: 'controllers/resource-quota.ts',
    find: "if (type === 'DELETED') return true;",
    replace: "if (type === 'DELETED') return false;",
    topics: ['quotas'],
  },
  {
    name: 'a LimitRange fills in over what a container says',
    file: 'admission/limit-ranger.ts',
    find: '.filter((name) => given[name] === undefined)',
    replace: '',
    topics: ['quotas'],
  },
  {
    name: 'the objectSelector of a webhook is not looked at',
    file: 'admission/webhook-match.ts',
    find: 'return objectSelector === undefined || matches(object)',
    replace: 'return objectSelector !== null || matches(object)',
    topics: ['extension'],
  },
  {
    name: 'an extension server is not told the groups of who asks',
    file: 'aggregation/front-proxy.ts',
    find: "if (groups.length > 0) headers['X-Remote-Group'] = [...groups];",
    replace: '',
    topics: ['extension'],
  },
];
