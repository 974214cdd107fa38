/** What an order asks for, read and checked: defaults filled in. */
export interface OrderParameters {
  readonly cpuCores: number;
  /** As it was written. */
  readonly memory: string;
  readonly diskSize: string;
  /** With its scheme. */
  readonly image: string;
  /** Plain. */
  readonly userData: string;
  readonly sshPublicKey?: string;
  readonly ports: readonly ExposedPort[];
}

export interface ExposedPort {
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
}
