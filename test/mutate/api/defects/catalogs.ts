/** Catalogs, their items, and what clusters offer. */
import { witnesses, type ApiDefect } from '../defect.ts';

const catalogs = witnesses('api/catalogs/catalogs.test.ts', 'have names of their own in the organisation, by a rule');
const items = witnesses(
  'api/catalog-items/catalog-items.test.ts',
  'that a cluster offers are shown with all that is known of them, and no secret',
);
const offers = witnesses(
  'controllers/catalog/catalog-watch.test.ts',
  'is the same array as long as nothing has changed',
);
const templates = witnesses('virt/catalog/catalog.test.ts', 'may be nested as deep as it likes');
const published = catalogs(
  'of one organisation are not there for another, until they are published; then they are read-only',
);
const ids = items('have ids that lead from the list to the item, after a restart too, and differ between catalogs');
const checked = items('that is checked: what is wrong is refused with the reason, and no secret in it');

const ofTenants: readonly ApiDefect[] = [
  {
    name: 'what others publish can be changed',
    file: 'api/catalogs/access.ts',
    find: "if (scope !== 'all' && catalog.organization_id !== scope)",
    replace: "if (scope === 'all' && catalog.organization_id === scope)",
    noticedBy: published,
  },
  {
    name: 'authors change the catalogs of others',
    file: 'api/catalogs/access.ts',
    find: 'if (catalog.owner_id !== userId)',
    replace: 'if (catalog.owner_id === undefined)',
    noticedBy: catalogs('of others in the organisation an author reads, and an administrator changes'),
  },
  {
    name: 'everybody publishes',
    file: 'api/catalogs/access.ts',
    find: 'if (organization.can_publish || isSystemAdministrator(caller)) return;',
    replace: 'if (organization.name !== caller.userName) return;',
    noticedBy: catalogs('are published by whom may publish only'),
  },
  {
    name: 'a new catalog is not in the audit',
    file: 'api/catalogs/service.ts',
    find: "await recordAudit(tx, caller, deed('catalogs.create', made, { fields: Object.keys(fields) }));",
    replace: '',
    noticedBy: catalogs('are in the audit of their organisation, whoever changed them'),
  },
  {
    name: 'a change is no new version',
    file: 'db/catalogs.ts',
    find: "row('version', '+', 1)",
    replace: "row('version', '+', 0)",
    noticedBy: items('of the catalog itself are made, changed and deleted, and each is a new version of the catalog'),
  },
  {
    name: 'an item is found in any catalog',
    file: 'api/catalog-items/service.ts',
    find: 'if (stored?.catalog_id !== catalogId) throw noAccess();\n    return { catalog, value: { stored } };',
    replace: 'if (stored === undefined) throw noAccess();\n    return { catalog, value: { stored } };',
    noticedBy: ids,
  },
  {
    name: 'what clusters offer has other ids after a restart',
    file: 'api/catalog-items/item-id.ts',
    find: "Buffer.from('6f1c6c0c4a4d5d0b9a57d0c2b5a3e1f7', 'hex')",
    replace: 'Buffer.from(crypto.randomUUID())',
    noticedBy: ids,
  },
  {
    name: 'what clusters offer has one id in all catalogs',
    file: 'api/catalog-items/item-id.ts',
    find: '`${catalog}\\n${kind}',
    replace: '`${kind}',
    noticedBy: ids,
  },
  {
    name: 'a default may be a secret',
    file: 'api/catalog-items/definition.ts',
    find: "if (value !== '' && isSecret(name, value))",
    replace: "if (value === '' && isSecret(name, value))",
    noticedBy: checked,
  },
  {
    name: 'an address may have a password in it',
    file: 'virt/machine/boot-source.ts',
    find: "url.username !== '' ||\n    url.password !== '' ||",
    replace: '',
    noticedBy: checked,
  },
  {
    name: 'nobody says which cluster is not known',
    file: 'api/catalog-items/routes.ts',
    find: 'unavailable: catalog.includes_templates ? told.unavailable : []',
    replace: 'unavailable: []',
    noticedBy: items('that cannot be used say why; a cluster that is away is named, and own items are there'),
  },
];

const ofClusters: readonly ApiDefect[] = [
  {
    name: 'secrets of templates are shown',
    file: 'virt/catalog/parameters.ts',
    find: 'standing === undefined || isSecret(name, standing) ? undefined',
    replace: 'standing === undefined ? undefined',
    noticedBy: templates('are nowhere in the parameters that are shown'),
  },
  {
    name: 'a secret is told by its name only',
    file: 'virt/catalog/parameters.ts',
    find: 'secretName.test(name) || secretValue.test(value)',
    replace: 'secretName.test(name)',
    noticedBy: templates('CERT with "-----BEGIN RSA PRIVATE KEY-----" is one'),
  },
  {
    name: 'templates of anything are offered as machines',
    file: 'virt/catalog/template.ts',
    find: 'if (found === undefined || machines.length === 0) return undefined;',
    replace: 'if (found === undefined) return undefined;',
    noticedBy: templates('without a virtual machine of KubeVirt is none of ours'),
  },
  {
    name: 'what a cluster offers can be used while it is away',
    file: 'controllers/catalog/merge.ts',
    find: "available: absence === '' && entry.ready",
    replace: 'available: entry.ready',
    noticedBy: offers('is kept, and cannot be used, while a cluster is away'),
  },
  {
    name: 'what may not be read is not missed',
    file: 'controllers/catalog/catalog-watch.ts',
    find: 'offers.absence() || offers.gaps()',
    replace: 'offers.absence()',
    noticedBy: offers('is said to be incomplete where a namespace may not be read'),
  },
  {
    name: 'a cluster that was never reached is not missed',
    file: 'controllers/catalog/catalog-watch.ts',
    find: "'The cluster has not been reached yet: what it offers is not known.'",
    replace: "''",
    noticedBy: offers('is not known of a cluster that has never been reached, and is forgotten with the cluster'),
  },
  {
    name: 'a template that is deleted is still offered',
    file: 'controllers/catalog/kind-watch.ts',
    find: 'deleted: (object) => this.#drop(keyOf(object.metadata)),',
    replace: 'deleted: () => undefined,',
    noticedBy: offers('is what a new template adds, and a deleted one takes away'),
  },
];

export const catalogDefects: readonly ApiDefect[] = [...ofTenants, ...ofClusters];
