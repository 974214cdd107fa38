/** The parts of API responses that the CLI reads; the rest is passed unchanged to JSON and YAML output. */
export interface Ref {
  readonly name: string;
  readonly id: string;
}

export interface Entity {
  readonly id: string;
}

export interface ListedVm extends Entity {
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly stale: boolean;
  /** The reason if stale, otherwise null; absent if an older server does not report it. */
  readonly staleReason?: { readonly reason: string; readonly message: string } | null;
  readonly vapp: Ref;
  readonly vdc: Ref;
  readonly cpus: number | null;
  readonly memoryMb: number | null;
  readonly instancetype?: string;
  readonly guestOs: string | null;
  readonly ipAddresses: readonly string[];
  readonly restartRequired: boolean;
  /** The actual size in the cluster. */
  readonly observed?: { readonly cpus: number | null; readonly memoryMb: number | null };
  readonly fault: { readonly reason: string; readonly message: string } | null;
  readonly disks: readonly ListedDisk[];
  readonly createdAt: string;
  readonly placement?: { readonly cluster: string; readonly namespace: string; readonly node: string | null };
}

export interface ListedDisk {
  readonly name: string;
  readonly sizeMb: number | null;
  readonly boot: boolean;
}

export interface ListedVapp extends Entity {
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly stale: boolean;
  /** The reason if stale, otherwise null; absent if an older server does not report it. */
  readonly staleReason?: { readonly reason: string; readonly message: string } | null;
  readonly vdc: Ref;
  readonly numberOfVMs: number;
  readonly fault: string | null;
  readonly createdAt: string;
}

export interface ListedVdc extends Entity {
  readonly name: string;
  readonly description: string;
  readonly org: Ref;
  readonly statusText: string;
  /** Absent if an older server does not report it. */
  readonly stale?: boolean;
  readonly message: string;
  readonly isEnabled: boolean;
  readonly allocationModel: string;
  readonly computeCapacity: {
    readonly cpu: { readonly limit: number; readonly cores: number };
    readonly memory: { readonly limit: number };
  };
  readonly storageLimitMb: number;
  readonly vmQuota: number;
  readonly vCpuInMhz: number;
  readonly createdAt: string;
  readonly cluster?: string;
  readonly namespace?: string;
}

export interface ListedCatalog extends Entity {
  readonly name: string;
  readonly description: string;
  readonly org: Ref;
  readonly isPublished: boolean;
  readonly numberOfVAppTemplates: number;
  readonly creationDate: string;
}

export interface ListedCatalogItem extends Entity {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly catalog: Ref;
  readonly status: string;
  readonly statusMessage: string;
  readonly source: { readonly kind: string };
  readonly guestOs?: string;
  readonly instancetype?: string;
  readonly entity: { readonly numberOfVMs: number; readonly numberOfCpus?: number; readonly memoryAllocation?: number };
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly hasDefault: boolean }[];
}

export interface ListedOrganization extends Entity {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly isEnabled: boolean;
  readonly canPublish: boolean;
  readonly orgVdcCount: number;
  readonly userCount: number;
  readonly vappCount: number;
  readonly runningVMCount: number;
  readonly createdAt: string;
}

export interface ListedUser extends Entity {
  readonly username: string;
  readonly fullName: string;
  readonly email: string;
  readonly enabled: boolean;
  readonly locked: boolean;
  readonly orgEntityRef: Ref;
  readonly roleEntityRefs: readonly Ref[];
  readonly createdAt: string;
}

export interface ListedTask extends Entity {
  readonly operation: string;
  readonly operationName: string;
  readonly status: string;
  readonly progress: number;
  readonly step: string;
  readonly message: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly owner: Ref;
  readonly user: Ref | null;
  readonly org: Ref;
  readonly error: { readonly minorErrorCode: string; readonly message: string } | null;
}

export interface ListedSyncFailure extends Entity {
  readonly cluster: string;
  readonly namespace: string;
  readonly vmName: string;
  readonly vm: Ref | null;
  readonly errorType: string;
  readonly message: string;
  readonly attempts: number;
  readonly firstFailedAt: string;
  readonly lastFailedAt: string;
  readonly resolvedAt: string | null;
}
