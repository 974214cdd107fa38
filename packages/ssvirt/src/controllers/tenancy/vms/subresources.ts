/** `subresources` is the API with the subresources of VMs and instances: start, stop, pause … */
export const subresources = 'subresources.kubevirt.io/v1';

/** `templateSubresources` is the APIs that process KubeVirt's templates, the newest first. */
export const templateSubresources = [
  'subresources.template.kubevirt.io/v1beta1',
  'subresources.template.kubevirt.io/v1alpha1',
] as const;
