/** NetworkAttachmentDefinition: networks beside the pod network, as Multus has them. */
import { define, type InstalledDefinition } from './definition.ts';
import { open, text } from './schema.ts';

export const networkAttachmentDefinition: InstalledDefinition = define({
  group: 'k8s.cni.cncf.io',
  versions: ['v1'],
  kind: 'NetworkAttachmentDefinition',
  plural: 'network-attachment-definitions',
  singular: 'network-attachment-definition',
  shortNames: ['net-attach-def'],
  description: 'A network beside the pod network. VMs name it under networks[].multus.networkName.',
  spec: open(
    'The configuration of the network.',
    { config: text('The configuration of the CNI plug-in, as JSON.') },
    { required: ['config'] },
  ),
  status: open('The status of the network.', { state: text('Its state.'), observation: text('What was observed.') }),
});
