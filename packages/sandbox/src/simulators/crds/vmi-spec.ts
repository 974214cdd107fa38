/** The spec of a VirtualMachineInstance, and of a VirtualMachine's template. */
import type { Schema } from '../../objects/schema/schema.ts';
import { domain } from './domain.ts';
import { affinity, dnsConfig, probe, tolerations, topologySpreadConstraints } from './kubernetes-fields.ts';
import {
  atomicList,
  fields,
  flag,
  int64,
  keyedList,
  list,
  presence,
  setList,
  text,
  textMap,
  type Properties,
} from './schema.ts';
import { volume } from './volumes.ts';

const MOST = { maxItems: 256 };

const secretSource = (description: string): Schema =>
  fields(description, {
    secret: fields('A Secret.', { secretName: text('Its name.') }, { required: ['secretName'] }),
  });

const accessCredentials = (): Schema =>
  atomicList(
    'SSH keys and passwords for the guest.',
    fields('One of them.', {
      sshPublicKey: fields(
        'SSH public keys.',
        {
          source: secretSource('Where the keys are.'),
          propagationMethod: fields('How they are passed to the guest: exactly one method.', {
            noCloud: presence('By cloud-init, which needs a cloudInitNoCloud volume.'),
            configDrive: presence('By cloud-init, which needs a cloudInitConfigDrive volume.'),
            qemuGuestAgent: fields(
              'By the guest agent, also while the guest runs.',
              { users: setList('The users who get them.') },
              { required: ['users'] },
            ),
          }),
        },
        { required: ['propagationMethod', 'source'] },
      ),
      userPassword: fields(
        'Passwords of users.',
        {
          source: secretSource('Where they are: a key for each user.'),
          propagationMethod: fields('How they are passed to the guest.', {
            qemuGuestAgent: presence('By the guest agent.'),
          }),
        },
        { required: ['propagationMethod', 'source'] },
      ),
    }),
    MOST,
  );

const network = (): Schema =>
  fields(
    'A network. It has exactly one source.',
    {
      name: text('The name; an interface refers to it.'),
      pod: fields("The pod's own network.", {
        vmNetworkCIDR: text('The addresses behind masquerade. Default: 10.0.2.0/24.'),
        vmIPv6NetworkCIDR: text('The IPv6 addresses behind masquerade.'),
      }),
      multus: fields(
        'A NetworkAttachmentDefinition.',
        {
          networkName: text('Its name, or NAMESPACE/NAME.'),
          default: flag("It replaces the pod's network."),
        },
        { required: ['networkName'] },
      ),
      resourceClaim: fields('A claimed device.', {
        claimName: text('The entry of resourceClaims.'),
        requestName: text('The request in that claim.'),
      }),
    },
    { required: ['name'] },
  );

const placement: Properties = {
  nodeSelector: textMap('Labels that the node must have.'),
  affinity: affinity(),
  tolerations: tolerations(),
  topologySpreadConstraints: topologySpreadConstraints(),
  schedulerName: text('The scheduler that places the launcher pod.'),
  priorityClassName: text('The priority class of the launcher pod.'),
  architecture: text('amd64, arm64 or s390x. Filled in at creation.'),
};

export const vmiSpec = (description: string): Schema =>
  fields(
    description,
    {
      domain: domain(),
      volumes: list('The sources of disks.', volume(), MOST),
      networks: list('The networks to which network cards connect.', network(), MOST),
      accessCredentials: accessCredentials(),
      hostname: text('The hostname of the guest. Default: the name of the instance.'),
      subdomain: text('With it, the guest is reachable at HOSTNAME.SUBDOMAIN.NAMESPACE.svc.'),
      dnsPolicy: text('ClusterFirst, ClusterFirstWithHostNet, Default or None.'),
      dnsConfig: dnsConfig(),
      terminationGracePeriodSeconds: int64('How long the guest may take to shut down before it is killed.'),
      evictionStrategy: text(
        'When its node is drained: LiveMigrate, LiveMigrateIfPossible, External or None (the default).',
      ),
      startStrategy: text('Paused: the guest is paused at the start.'),
      livenessProbe: probe('The instance ends when this fails.'),
      readinessProbe: probe('The instance is not ready while this fails.'),
      serviceAccountName: text('The ServiceAccount of the launcher pod.'),
      resourceClaims: keyedList(
        'Devices that are claimed for the launcher pod.',
        ['name'],
        fields(
          'One claim.',
          {
            name: text('The name; devices refer to it.'),
            resourceClaimName: text('The ResourceClaim.'),
            resourceClaimTemplateName: text('The template of the ResourceClaim.'),
          },
          { required: ['name'] },
        ),
      ),
      utilityVolumes: keyedList(
        'Claims for the work of the launcher, which the guest does not see.',
        ['name'],
        fields(
          'One claim.',
          {
            name: text('The name.'),
            claimName: text('The PersistentVolumeClaim.'),
            readOnly: flag('Nothing is written to it.'),
            type: text('What it is for.'),
          },
          { required: ['claimName', 'name'] },
        ),
        MOST,
      ),
      ...placement,
    },
    { required: ['domain'] },
  );
