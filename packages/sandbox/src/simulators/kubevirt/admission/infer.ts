/** Infers an instance type or preference from the labels of a volume or of its source. */
import { isNotFound } from '@ssvirt/kube/errors';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { KubeObject } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { listAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import type { Role } from '../instancetypes/matcher.ts';
import { dataSources, dataVolumes, persistentVolumeClaims } from '../objects.ts';
import { serverWords } from '../../server-words.ts';

export interface Inferred {
  readonly name: string;
  readonly kind?: string;
}

/** Inference failed; the message is KubeVirt's. `ignorable` if the failure policy `Ignore` covers the error. */
export class InferenceFailed extends Error {
  readonly ignorable: boolean;

  constructor(message: string, ignorable: boolean) {
    super(message);
    this.ignorable = ignorable;
  }
}

const ignorable = (message: string): InferenceFailed => new InferenceFailed(message, true);

/** @param spec The spec of the VM. */
export async function infer(cluster: Cluster, spec: JsonObject, namespace: string, role: Role): Promise<Inferred> {
  const wanted = textAt(objectAt(spec, role), 'inferFromVolume');
  const volumes = listAt(objectAt(objectAt(spec, 'template'), 'spec'), 'volumes');
  const volume = volumes.find((one) => textAt(one, 'name') === wanted);
  if (volume === undefined) throw new InferenceFailed(`unable to find volume ${wanted} to infer defaults`, false);
  const source = new Sources(cluster, namespace, role);
  const claim = objectAt(volume, 'persistentVolumeClaim');
  if (claim !== undefined) return source.fromClaim(textAt(claim, 'claimName'), namespace);
  const name = textAt(objectAt(volume, 'dataVolume'), 'name');
  if (name === '') throw ignorable(`unable to infer defaults from volume ${wanted} as type is not supported`);
  const template = listAt(spec, 'dataVolumeTemplates').find(
    (one) => textAt(objectAt(one, 'metadata'), 'name') === name,
  );
  return template === undefined ? source.fromDataVolume(name) : source.fromSpec(objectAt(template, 'spec'));
}

class Sources {
  readonly #cluster: Cluster;
  readonly #namespace: string;
  readonly #role: Role;

  constructor(cluster: Cluster, namespace: string, role: Role) {
    this.#cluster = cluster;
    this.#namespace = namespace;
    this.#role = role;
  }

  async fromClaim(name: string, namespace: string): Promise<Inferred> {
    const claim = await this.#read(() => this.#cluster.client.get(persistentVolumeClaims, { name, namespace }));
    return this.#fromLabels(claim);
  }

  async fromDataVolume(name: string): Promise<Inferred> {
    const namespace = this.#namespace;
    let volume;
    try {
      volume = await this.#cluster.client.get(dataVolumes, { name, namespace });
    } catch (error) {
      // The DataVolume may have been garbage-collected; its PVC has the same name.
      if (isNotFound(error)) return this.fromClaim(name, namespace);
      throw new InferenceFailed(serverWords(error), false);
    }
    return this.#labelled(volume) ?? this.fromSpec(volume.spec);
  }

  async fromSpec(spec: JsonObject | undefined): Promise<Inferred> {
    const claim = objectAt(objectAt(spec, 'source'), 'pvc');
    if (claim !== undefined) return this.fromClaim(textAt(claim, 'name'), textAt(claim, 'namespace'));
    const reference = objectAt(spec, 'sourceRef');
    if (reference === undefined)
      throw ignorable('unable to infer defaults from DataVolumeSpec as DataVolumeSource is not supported');
    const kind = textAt(reference, 'kind');
    if (kind !== 'DataSource')
      throw ignorable(`unable to infer defaults from DataVolumeSourceRef as Kind ${kind} is not supported`);
    return this.#fromDataSource(textAt(reference, 'name'), textAt(reference, 'namespace') || this.#namespace);
  }

  async #fromDataSource(name: string, namespace: string): Promise<Inferred> {
    const source = await this.#read(() => this.#cluster.client.get(dataSources, { name, namespace }));
    const labelled = this.#labelled(source);
    if (labelled !== undefined) return labelled;
    const claim = objectAt(objectAt(source['spec'] as JsonObject | undefined, 'source'), 'pvc');
    if (claim === undefined)
      throw ignorable("unable to infer defaults from DataSource that doesn't provide DataVolumeSourcePVC");
    return this.fromClaim(textAt(claim, 'name'), textAt(claim, 'namespace'));
  }

  #labelled({ metadata: { labels = {} } }: KubeObject): Inferred | undefined {
    const name = labels[`instancetype.kubevirt.io/default-${this.#role}`];
    const kind = labels[`instancetype.kubevirt.io/default-${this.#role}-kind`];
    if (name === undefined) return undefined;
    return kind === undefined || kind === '' ? { name } : { name, kind };
  }

  #fromLabels(object: KubeObject): Inferred {
    const labelled = this.#labelled(object);
    if (labelled !== undefined) return labelled;
    throw ignorable(`unable to find required instancetype.kubevirt.io/default-${this.#role} label on the volume`);
  }

  async #read<T>(get: () => Promise<T>): Promise<T> {
    try {
      return await get();
    } catch (error) {
      throw new InferenceFailed(serverWords(error), false);
    }
  }
}
