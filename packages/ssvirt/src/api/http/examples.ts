/** An example of each request body, by the name of its schema. The explorer page fills them in. */

const id = '7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11';

export const examples: Readonly<Record<string, object>> = {
  CatalogChange: { description: 'Images of the web team', isPublished: true },
  CatalogItemChange: { description: 'Fedora 42 with the web team’s settings' },
  Instantiation: {
    name: 'web',
    catalogItem: { id: `urn:vcloud:catalogitem:${id}` },
    parameters: { NAME: 'web' },
    powerOn: true,
  },
  NewCatalog: { name: 'web-images', description: 'Images of the web team' },
  NewCatalogItem: {
    name: 'fedora-42',
    definition: { image: 'quay.io/containerdisks/fedora:42', cpus: 2, memoryMb: 2048 },
  },
  NewConsoleTicket: { kind: 'serial' },
  NewDisk: { name: 'data', sizeGb: 20 },
  NewOrganization: { name: 'acme', displayName: 'Acme Corporation', isEnabled: true },
  NewUser: {
    username: 'alice',
    fullName: 'Alice Adams',
    password: 'correct-horse-battery-staple',
    organizationId: `urn:vcloud:org:${id}`,
  },
  NewVapp: { name: 'shop', description: 'The web shop' },
  NewVdc: {
    name: 'production',
    computeCapacity: { cpu: { limit: 64_000 }, memory: { limit: 131_072 } },
    storageLimitMb: 1_048_576,
    vmQuota: 50,
  },
  NewVm: {
    name: 'web-1',
    image: 'quay.io/containerdisks/fedora:42',
    cpus: 2,
    memoryMb: 2048,
    disks: [{ name: 'data', sizeGb: 20 }],
    cloudInit: { userData: '#cloud-config\npackages: [nginx]\n' },
    powerOn: true,
  },
  OrderToValidate: {
    templateID: 'osac.templates.ocp_virt_vm',
    templateParameters: { vm_name: 'web-1', cpu_cores: 2, memory: '2Gi' },
  },
  OrganizationChange: { displayName: 'Acme Incorporated' },
  TokenGrant: { grant_type: 'refresh_token', refresh_token: 'THE-API-TOKEN' },
  TokenRegistration: { client_name: 'terraform' },
  UserChange: { email: 'alice@acme.example' },
  VappChange: { description: 'The web shop, with its database' },
  VdcChange: { vmQuota: 100 },
  VmChange: { cpus: 4, memoryMb: 4096 },
};
