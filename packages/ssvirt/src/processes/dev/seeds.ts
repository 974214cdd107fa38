/** The first content, created over the API like everything else: an organization with users, a VDC, a catalog. */
import type { RoleName } from '../../api/caller.ts';
import type { ApiCaller } from './api-caller.ts';
import { passwordOf, type Folder } from './folder.ts';

export const organization = 'demo';
export const vdc = 'demo-vdc';
export const catalog = 'Templates';
/**
 * A catalog with stored items, for every cluster with KubeVirt: container disks and instance types need no templates.
 */
export const images = 'Images';

const ownItems = [
  {
    name: 'fedora',
    description: 'Fedora on a container disk: data is lost when the VM stops',
    definition: {
      image: 'quay.io/containerdisks/fedora:42',
      instancetype: 'u1.small',
      preference: 'fedora',
      guestOs: 'Fedora',
    },
  },
  {
    name: 'cirros',
    description: 'The smallest bootable image',
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

/**
 * Creates what is missing and leaves the rest unchanged. The caller of the API must be logged in with sufficient
 * rights.
 */
export async function seed(api: ApiCaller, folder: Folder): Promise<void> {
  const org = await ensure(api, '/cloudapi/1.0.0/orgs', organization, {
    name: organization,
    displayName: 'Demo',
    description: 'For trials',
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
      description: 'For trials',
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
  const wanted = { name: images, description: 'VMs from container disks', orgId: org, isPublished: true };
  const id = await ensure(api, '/cloudapi/1.0.0/catalogs', images, { ...wanted, includesTemplates: false });
  for (const item of ownItems) await ensure(api, `/cloudapi/1.0.0/catalogs/${id}/catalogItems`, item.name, item);
}

/** `ensure` resolves to the id of the existing or created object. */
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
