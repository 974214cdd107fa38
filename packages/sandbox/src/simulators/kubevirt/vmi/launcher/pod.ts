/** The launcher pod of a VMI, as virt-controller 1.9 renders it. */
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import type { JsonObject } from '../../../../values/json.ts';
import { virtualMachineInstances, type Pod, type VirtualMachineInstance } from '../../objects.ts';
import { UNPAUSED, annotations } from '../names.ts';
import {
  GRACE_PADDING_SECONDS,
  NON_ROOT,
  computeContainer,
  consoleLogContainer,
  gracePeriodOf,
  imageContainer,
} from './containers.ts';
import { memoryOverhead } from './memory-overhead.ts';
import { hostnameOf, launcherAnnotations, launcherLabels } from './metadata.ts';
import { affinityOf, nodeSelectorOf } from './placement.ts';
import { computeResources, defaultSurroundings, type LauncherContext } from './resources.ts';
import { imagesToResolve, mountVolumes, type VolumeSources } from './volumes.ts';

export interface LauncherOptions extends VolumeSources {
  readonly surroundings?: LauncherContext;
  /** The pod exists only as first consumer of PVCs. */
  readonly temporary?: boolean;
  readonly random?: () => number;
}

/** `renderLauncherPod` throws ClaimNotFound if a PVC that it mounts is missing. */
export function renderLauncherPod(vmi: VirtualMachineInstance, options: LauncherOptions): Pod {
  const { surroundings = defaultSurroundings, temporary = false, random = Math.random } = options;
  const { name = '', namespace } = vmi.metadata;
  const overhead = memoryOverhead(vmi);
  const mounted = mountVolumes(vmi, options);
  const consoleLog = consoleLogContainer(vmi);
  const images = imagesToResolve(vmi, options.imageIds ?? {});
  const affinity = affinityOf(vmi);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `virt-launcher-${name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: launcherLabels(vmi),
      annotations: {
        ...launcherAnnotations(vmi, overhead),
        ...(temporary ? { [annotations.ephemeralProvisioning]: 'true' } : {}),
      },
      ownerReferences: [controllerReference(virtualMachineInstances, vmi)],
    },
    spec: {
      hostname: hostnameOf(vmi),
      securityContext: { runAsUser: NON_ROOT, runAsGroup: NON_ROOT, runAsNonRoot: true, fsGroup: NON_ROOT },
      terminationGracePeriodSeconds: gracePeriodOf(vmi) + 2 * GRACE_PADDING_SECONDS,
      restartPolicy: 'Never',
      initContainers: [
        ...(consoleLog === undefined ? [] : [consoleLog]),
        ...images.map((image) => imageContainer(vmi, image)),
      ],
      containers: [
        computeContainer(vmi, {
          resources: computeResources(vmi, surroundings, overhead),
          mounted,
          temporary,
          useEmulation: surroundings.useEmulation,
          random,
        }),
      ],
      nodeSelector: nodeSelectorOf(vmi),
      ...(affinity === undefined ? {} : { affinity }),
      volumes: mounted.volumes,
      readinessGates: [{ conditionType: UNPAUSED }],
      enableServiceLinks: false,
      ...passedOn(vmi),
      ...serviceAccount(vmi),
    },
  };
}

const passed = [
  'subdomain',
  'dnsConfig',
  'dnsPolicy',
  'schedulerName',
  'tolerations',
  'topologySpreadConstraints',
  'priorityClassName',
] as const;

function passedOn(vmi: VirtualMachineInstance): JsonObject {
  const secrets = (vmi.spec.volumes ?? []).flatMap(({ containerDisk }) => {
    const secret = (containerDisk as { readonly imagePullSecret?: string } | undefined)?.imagePullSecret;
    return secret === undefined || secret === '' ? [] : [secret];
  });
  const fields: JsonObject = {};
  for (const field of passed) if (vmi.spec[field] !== undefined) fields[field] = vmi.spec[field] as JsonObject;
  if (secrets.length > 0) fields['imagePullSecrets'] = [...new Set(secrets)].map((secret) => ({ name: secret }));
  return fields;
}

/** The pod runs under the ServiceAccount whose token the guest gets; no other token is mounted. */
function serviceAccount({ spec }: VirtualMachineInstance): JsonObject {
  const accounts = (spec.volumes ?? []).flatMap((volume) => {
    const of = volume['serviceAccount'] as { readonly serviceAccountName?: string } | undefined;
    return of?.serviceAccountName === undefined ? [] : [of.serviceAccountName];
  });
  const own = spec['serviceAccountName'];
  const name = typeof own === 'string' && own !== '' ? own : accounts[0];
  return {
    ...(name === undefined ? {} : { serviceAccountName: name }),
    automountServiceAccountToken: accounts.length > 0,
  };
}
