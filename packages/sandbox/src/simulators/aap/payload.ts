/**
 * Parses the order that a webhook call carries, and the parameters that the role takes from it. It shares no code with
 * the product, so that a test shows whether both read an order in the same way.
 */

export interface OrderPayload {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
  readonly spec: {
    readonly templateID: string;
    readonly templateParameters?: string;
    readonly tenantNamespace?: string;
  };
  readonly status?: { readonly desiredConfigVersion?: string };
}

export interface RoleParameters {
  readonly cpuCores: number;
  readonly memory: string;
  readonly diskSize: string;
  readonly imageSource: string;
  /** Base64, as given. */
  readonly cloudInit: string;
  readonly sshPublicKey: string;
  readonly exposedPorts: string;
}

/** `readOrder` returns undefined if the body is not an order. */
export function readOrder(text: string): OrderPayload | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { metadata, spec } = (body ?? {}) as { readonly [part in 'metadata' | 'spec']?: Partial<OrderPayload[part]> };
  const needed = [metadata?.name, metadata?.namespace, metadata?.uid, spec?.templateID];
  return needed.every((value) => typeof value === 'string' && value !== '') ? (body as OrderPayload) : undefined;
}

const defaults = {
  cpu_cores: 2 as number | string,
  memory: '2Gi',
  disk_size: '10Gi',
  image_source: 'quay.io/containerdisks/fedora:latest',
  cloud_init_config: Buffer.from('#cloud-config').toString('base64'),
  ssh_public_key: '',
  exposed_ports: '22/tcp',
};

/** `roleParameters` throws if the role's assertions fail. */
export function roleParameters({ spec }: OrderPayload): RoleParameters {
  const given = JSON.parse(spec.templateParameters ?? '{}') as Partial<typeof defaults>;
  const all = { ...defaults, ...given };
  if (!/^\d+\/(?:tcp|udp)(?:,\d+\/(?:tcp|udp))*$/.test(all.exposed_ports)) throw new Error('exposed_ports is invalid');
  if (all.cloud_init_config === '') throw new Error('cloud_init_config is empty');
  return {
    cpuCores: Number(all.cpu_cores),
    memory: all.memory,
    diskSize: all.disk_size,
    imageSource: all.image_source,
    cloudInit: all.cloud_init_config,
    sshPublicKey: all.ssh_public_key,
    exposedPorts: all.exposed_ports,
  };
}

/** The real playbook reads a Tenant instead. */
export function tenantNamespaceOf({ metadata, spec }: OrderPayload): string {
  return spec.tenantNamespace ?? metadata.namespace;
}
