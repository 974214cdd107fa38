/** The names of an order's objects, as AAP's role chooses them. */
export interface ChildNames {
  readonly vm: string;
  readonly cloudInitSecret: string;
  readonly sshKeySecret: string;
  readonly dataVolume: string;
  readonly service: string;
}

export function childNames({ name }: { readonly name: string }): ChildNames {
  return {
    vm: name,
    cloudInitSecret: `${name}-cloud-init`,
    sshKeySecret: `${name}-ssh-public-key`,
    dataVolume: `${name}-root-disk`,
    service: `${name}-load-balancer`,
  };
}
