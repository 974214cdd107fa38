/** What there is to look at from the start, made over the API like everything else: an organization with people, a virtual data center, a catalog. */
import type { RoleName } from '../../api/caller.ts';
import type { ApiCaller } from './api-caller.ts';
import { passwordOf, type Folder } from './folder.ts';

export const organization = 'demo';
export const vdc = 'demo-vdc';
export const catalog = 'Templates';
/** Of the catalog's own, for every cluster with KubeVirt: container disks and instance types need no templates. */
export const images = 'Images';

const ownItems = [
  {
    name: 'fedora',
    description: 'Fedora on a container disk: what is written to it is gone with the instance',
    definition: {
      image: 'quay.io/containerdisks/fedora:42',
      instancetype: 'u1.small',
      preference: 'fedora',
      guestOs: 'Fedora',
    },
  },
  {
    name: 'cirros',
    description: 'The smallest that boots',
    definition: {
      image: 'quay.io/kubevirt/cirros-container-disk-demo:v1.6.0',
      cpus: 1,
      memoryMb: 256,
      guestOs: 'CirrOS',
    },
  },
] as const;

export const people: readonly { readonly name: string; readonly fullName: string; readonly role: RoleName }[] = [
  { name: 'admin', fullName: 'Ada Admin', role: 'Organization Administrator' },
  { name: 'author', fullName: 'Ava Author', role: 'vApp Author' },
  { name: 'user', fullName: 'Uwe User', role: 'vApp User' },
  { name: 'viewer', fullName: 'Vera Viewer', role: 'Read-only' },
];

/** Makes what is missing; what is there stays as it is. Somebody is logged in who may. */
export async function seed(api: ApiCaller, folder: Folder): Promise<void> {
  const org = await ensure(api, '/cloudapi/1.0.0/orgs', organization, {
    name: organization,
    displayName: 'Demo',
    description: 'To try things out',
  });
  const roles = (await api.get('/cloudapi/1.0.0/roles?pageSize=128'))['values'] as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  await Promise.all([
    ...people.map(({ name, fullName, role }) =>
      ensure(
        api,
        '/cloudapi/1.0.0/users',
        name,
        {
          username: name,
          fullName,
          password: passwordOf(folder, `${name}@${organization}`).text,
          organizationId: org,
          roleEntityRefs: roles.filter((one) => one.name === role).map(({ id }) => ({ name: role, id })),
        },
        `username==${name};orgEntityRef.id==${org}`,
      ),
    ),
    ensure(api, `/api/admin/org/${org}/vdcs`, vdc, {
      name: vdc,
      description: 'To try things out',
      computeCapacity: { cpu: { limit: 16_000 }, memory: { limit: 32_768 } },
      storageLimitMb: 204_800,
      vmQuota: 20,
    }),
    ensure(api, '/cloudapi/1.0.0/catalogs', catalog, {
      name: catalog,
      description: 'What the cluster offers',
      orgId: org,
      isPublished: true,
    }),
    seedImages(api, org),
  ]);
}

async function seedImages(api: ApiCaller, org: string): Promise<void> {
  const wanted = { name: images, description: 'Machines from container disks', orgId: org, isPublished: true };
  const id = await ensure(api, '/cloudapi/1.0.0/catalogs', images, { ...wanted, includesTemplates: false });
  for (const item of ownItems) await ensure(api, `/cloudapi/1.0.0/catalogs/${id}/catalogItems`, item.name, item);
}

/** Resolves to the id of the one that is there, or is made. */
export async function ensure(
  api: ApiCaller,
  list: string,
  name: string,
  wanted: object,
  filter = `name==${name}`,
): Promise<string> {
  const { values } = await api.get(`${list}?filter=${encodeURIComponent(filter)}`);
  const [found] = values as readonly { readonly id: string }[];
  return found?.id ?? String((await api.post(list, wanted))['id']);
}
