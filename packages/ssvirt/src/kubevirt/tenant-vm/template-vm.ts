/**
 * VMs that a template describes: KubeVirt's templates, which the cluster fills in and from which we create the VM, and
 * OpenShift's, from which the cluster creates the VMs itself.
 */
import { defined } from '@ssvirt/base/values/defined';
import { isVirtualMachine } from '../catalog/machine.ts';
import { fields, list, text, type Fields } from '../facts/reading.ts';
import { adopted, bare } from './adopt.ts';
import { runStrategyFor } from './build.ts';
import { opaqueSecret } from './guest-data.ts';
import { kubevirtVersion, type KubeLike } from './kube-like.ts';
import { annotations, vappLabels, type VmIdentity, type VappIdentity } from './labels.ts';
import { dataVolumeName, parameterSecretName } from './names.ts';

export const templateVersion = 'template.openshift.io/v1';

/**
 * Turns the result of a VirtualMachineTemplate into our VM. Its disks get names of ours too: a template that is used
 * twice with the same values would otherwise collide with itself.
 */
export function fromProcessed(vm: unknown, identity: VmIdentity, { running }: { readonly running: boolean }): KubeLike {
  const { metadata, spec } = adopted(vm, identity, runStrategyFor(running));
  return {
    apiVersion: text(fields(vm)['apiVersion']) ?? kubevirtVersion,
    kind: 'VirtualMachine',
    // The result of `adopted` has a name and labels.
    metadata: { ...(fields(metadata) as unknown as KubeLike['metadata']), namespace: identity.namespace },
    spec: withOwnDisks(fields(spec), identity.vmName),
  };
}

/** Names DataVolumes after the VM and their volume, in both places. */
function withOwnDisks(spec: Fields, vmName: string): Fields {
  const { dataVolumeTemplates, template } = spec;
  const { spec: instance, ...rest } = fields(template);
  const { volumes } = fields(instance);
  const names = ownNames(dataVolumeTemplates, volumes, vmName);
  if (names.size === 0) return spec;
  const renamed = (holder: unknown, field: string): Fields => {
    const name = fields(holder)[field];
    return { ...fields(holder), [field]: names.get(String(name)) ?? name };
  };
  const volume = (one: unknown): Fields => {
    const { dataVolume, persistentVolumeClaim } = fields(one);
    return {
      ...fields(one),
      ...(dataVolume === undefined ? {} : { dataVolume: renamed(dataVolume, 'name') }),
      ...(persistentVolumeClaim === undefined
        ? {}
        : { persistentVolumeClaim: renamed(persistentVolumeClaim, 'claimName') }),
    };
  };
  return {
    ...spec,
    dataVolumeTemplates: list(dataVolumeTemplates).map((disk) => ({
      ...fields(disk),
      metadata: renamed(fields(disk)['metadata'], 'name'),
    })),
    template: { ...rest, spec: { ...fields(instance), volumes: list(volumes).map(volume) } },
  };
}

function ownNames(dataVolumeTemplates: unknown, volumes: unknown, vmName: string): ReadonlyMap<string, string> {
  const made = new Set(list(dataVolumeTemplates).map((disk) => fields(fields(disk)['metadata'])['name']));
  const names = new Map<string, string>();
  for (const { name, dataVolume, persistentVolumeClaim } of list(volumes).map(fields)) {
    const claim = fields(dataVolume)['name'] ?? fields(persistentVolumeClaim)['claimName'];
    if (typeof claim === 'string' && made.has(claim) && !names.has(claim))
      names.set(claim, dataVolumeName(vmName, String(name)));
  }
  return names;
}

/**
 * Copies a Template for a TemplateInstance. `identities` are its VMs, in the sequence of the template's objects. No
 * object keeps a namespace: OpenShift drops a literal one, but keeps one that a parameter fills in, and would create
 * the object there with permissions that no tenant has.
 */
export function instanceTemplate(
  template: unknown,
  identities: readonly VmIdentity[],
  { powerOn }: { readonly powerOn: boolean },
): Fields {
  const { metadata, objects, labels, parameters, message } = fields(template);
  const [first] = identities;
  const shared = first === undefined ? {} : vappLabels(first);
  const left = [...identities];
  const ours = (object: unknown): Fields => {
    const identity = isVirtualMachine(object) ? left.shift() : undefined;
    if (identity === undefined) return { ...fields(object), metadata: bare(fields(object)['metadata'], shared) };
    return withoutReferences(adopted(object, identity, runStrategyFor(powerOn)));
  };
  return {
    apiVersion: templateVersion,
    kind: 'Template',
    metadata: bare(metadata, {}),
    ...defined({ message }),
    labels: { ...fields(labels), ...shared },
    objects: list(objects).map(ours),
    ...defined({ parameters }),
  };
}

const ownAnnotations = new Set<string>(Object.values(annotations));

/** A template would expand text in a name or a description that looks like a parameter; such a text is left out. */
function withoutReferences(object: Fields): Fields {
  const metadata = fields(object['metadata']);
  const kept = Object.entries(fields(metadata['annotations'])).filter(
    ([key, value]) => !ownAnnotations.has(key) || !String(value).includes('${'),
  );
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(kept) } };
}

/** `parameterSecret` returns the values of the parameters, for the TemplateInstance of that name. */
export function parameterSecret(
  vapp: VappIdentity,
  instance: string,
  parameters: Readonly<Record<string, string>>,
): KubeLike {
  const { namespace } = vapp;
  return opaqueSecret({ name: parameterSecretName(instance), namespace, labels: vappLabels(vapp) }, parameters);
}

/** The requester is left to the API server of OpenShift, which records our identity. */
export function templateInstance(vapp: VappIdentity, name: string, template: Fields): KubeLike {
  const { namespace, vappName } = vapp;
  return {
    apiVersion: templateVersion,
    kind: 'TemplateInstance',
    metadata: { name, namespace, labels: vappLabels(vapp), annotations: { [annotations.vappName]: vappName } },
    spec: { secret: { name: parameterSecretName(name) }, template },
  };
}
