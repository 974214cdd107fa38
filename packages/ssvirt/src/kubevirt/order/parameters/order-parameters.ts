/** The parameters of an order after they are read and checked, with defaults filled in. */
export interface OrderParameters {
  readonly cpuCores: number;
  /** As it was written. */
  readonly memory: string;
  readonly diskSize: string;
  /** With its scheme. */
  readonly image: string;
  /** As plain text. */
  readonly userData: string;
  readonly sshPublicKey?: string;
  readonly ports: readonly ExposedPort[];
}

export interface ExposedPort {
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
}
