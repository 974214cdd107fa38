/** Creates the objects of a TemplateInstance as the controller, after checking that the requester may create them. */
import type { Client } from '@ssvirt/kube/client/client';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { isDecided, refusalOf, wordsOf, type TemplateAccess } from '../access.ts';
import { GROUP, secrets, VERSION, type ObjectReference, type Secret, type TemplateInstance } from '../kinds.ts';
import { filledTemplate, OWNER_LABEL, withOwnerLabel } from './filled.ts';

/** Why an instance fails finally, one message per line. Any other error is retried. */
export class InstantiateFailure extends Error {
  /** The objects that were created before the failure. */
  readonly created: readonly ObjectReference[];

  constructor(messages: readonly string[], created: readonly ObjectReference[] = []) {
    super(messages.join('\n'));
    this.created = created;
  }
}

interface Planned {
  readonly type: ResourceType;
  readonly object: JsonObject;
  readonly name: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
}

export class Instantiation {
  readonly #client: Client;
  readonly #instance: TemplateInstance;
  readonly #signal: AbortSignal;

  constructor(client: Client, instance: TemplateInstance, signal: AbortSignal) {
    this.#client = client;
    this.#instance = instance;
    this.#signal = signal;
  }

  /** Returns the created objects, or throws an InstantiateFailure. */
  async run(): Promise<readonly ObjectReference[]> {
    if ((this.#instance.spec.requester?.username ?? '') === '')
      throw new InstantiateFailure(['spec.requester.username not set']);
    const secret = await this.#secret();
    const template = filledTemplate(this.#instance.spec.template ?? {}, secret, this.#namespace);
    await this.#authorizeTemplate(template);
    const uid = this.#instance.metadata.uid ?? '';
    const objects = (await this.#processed(template)).map((object) => withOwnerLabel(object, uid));
    const planned = await this.#plan(objects);
    await this.#authorize(planned);
    return this.#create(planned);
  }

  get #namespace(): string {
    return this.#instance.metadata.namespace ?? '';
  }

  async #secret(): Promise<Secret | undefined> {
    const name = this.#instance.spec.secret?.name;
    if (name === undefined) return undefined;
    const namespace = this.#namespace;
    const refused = await this.#refusal({ namespace, verb: 'get', group: '', resource: 'secrets', name });
    if (refused !== undefined)
      throw new InstantiateFailure([`unable to authorize user to retrive TemplateInstance Secret: ${refused}`]);
    return this.#decided('unable to retrieve TemplateInstance Secret', () =>
      this.#client.get(secrets, { namespace, name }, { signal: this.#signal }),
    );
  }

  async #authorizeTemplate(template: JsonObject): Promise<void> {
    const name = isObject(template['metadata']) ? String(template['metadata']['name'] ?? '') : '';
    const asked = { verb: 'create', group: GROUP, resource: 'templateconfigs', name, namespace: this.#namespace };
    const refused = await this.#refusal(asked);
    if (refused !== undefined)
      throw new InstantiateFailure([`unable to authorize user to create TemplateConfig : ${refused}`]);
  }

  async #processed(template: JsonObject): Promise<readonly JsonObject[]> {
    const metadata = isObject(template['metadata']) ? template['metadata'] : {};
    const namespace = encodeURIComponent(String(metadata['namespace']));
    const path = `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/processedtemplates`;
    const { body } = await this.#decided('unable to process Template objects', () =>
      this.#client.request({ method: 'POST', path, body: template, signal: this.#signal }),
    );
    const objects = isObject(body as Json) ? (body as JsonObject)['objects'] : [];
    return Array.isArray(objects) ? objects.filter(isObject) : [];
  }

  /** Finds the resource of each object; all unknown kinds are reported together. */
  async #plan(objects: readonly JsonObject[]): Promise<readonly Planned[]> {
    const problems: string[] = [];
    const planned: Planned[] = [];
    for (const object of objects) {
      const [apiVersion, kind] = [String(object['apiVersion'] ?? ''), String(object['kind'] ?? '')];
      try {
        const type = await this.#client.typeOf(apiVersion, kind, { signal: this.#signal });
        planned.push(this.#placed(type, object));
      } catch (error) {
        if (!isNotFound(error)) throw error;
        const why = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
        problems.push(`unable to identify the resource mapping for ${groupVersion(apiVersion)}, Kind=${kind}: ${why}`);
      }
    }
    if (problems.length > 0) throw new InstantiateFailure(problems);
    return planned;
  }

  #placed(type: ResourceType, object: JsonObject): Planned {
    const metadata = isObject(object['metadata']) ? object['metadata'] : {};
    const asked = String(metadata['namespace'] ?? '');
    const namespace = type.namespaced ? asked || this.#namespace : '';
    return { type, object, name: String(metadata['name'] ?? ''), namespace };
  }

  async #authorize(planned: readonly Planned[]): Promise<void> {
    const refusals = await Promise.all(
      planned.map(async ({ type, namespace, name }) => {
        const asked = { namespace, verb: 'create', group: type.group, resource: type.plural, name };
        const refused = await this.#refusal(asked);
        return refused === undefined
          ? []
          : [`unable to authorize user to create ${resourceText(type)}, Name=${name}: ${refused}`];
      }),
    );
    const problems = refusals.flat();
    if (problems.length > 0) throw new InstantiateFailure(problems);
  }

  /** Sequentially, because a later object may need an earlier one. */
  async #create(planned: readonly Planned[]): Promise<readonly ObjectReference[]> {
    const problems: string[] = [];
    const references: ObjectReference[] = [];
    for (const one of planned) {
      const made = await this.#createOne(one);
      if (typeof made === 'string') problems.push(made);
      else references.push(made);
    }
    if (problems.length > 0) throw new InstantiateFailure(problems, references);
    return references;
  }

  async #createOne({ type, object, name, namespace }: Planned): Promise<ObjectReference | string> {
    const metadata = isObject(object['metadata']) ? object['metadata'] : {};
    const { namespace: _namespace, ...rest } = metadata;
    const wanted = { ...object, metadata: { ...rest, ...(namespace === '' ? {} : { namespace }) } } as Unstructured;
    try {
      return referenceTo(type, namespace, await this.#client.create(type, wanted, { signal: this.#signal }));
    } catch (error) {
      if (!isDecided(error)) throw error;
      const own = isKind(error, 'AlreadyExists') ? await this.#own(type, namespace, name) : undefined;
      if (own !== undefined) return own;
      return `unable to create ${resourceText(type)}, Name=${name}: ${wordsOf(error)}`;
    }
  }

  /** Returns the existing object if this instance created it in an earlier, failed attempt. */
  async #own(type: ResourceType, namespace: string, name: string): Promise<ObjectReference | string | undefined> {
    try {
      const key = namespace === '' ? { name } : { namespace, name };
      const there = await this.#client.get(type, key, { signal: this.#signal });
      const owner = there.metadata.labels?.[OWNER_LABEL];
      return owner === this.#instance.metadata.uid ? referenceTo(type, namespace, there) : undefined;
    } catch (error) {
      if (!isDecided(error)) throw error;
      return `unable to retrive existing ${resourceText(type)}, Name=${name}: ${wordsOf(error)}`;
    }
  }

  #refusal(attributes: TemplateAccess): Promise<string | undefined> {
    return refusalOf(this.#client, this.#instance.spec.requester ?? {}, attributes, this.#signal);
  }

  async #decided<T>(what: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!isDecided(error)) throw error;
      throw new InstantiateFailure([`${what}: ${wordsOf(error)}`]);
    }
  }
}

function referenceTo(type: ResourceType, namespace: string, { metadata }: Unstructured): ObjectReference {
  return {
    apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
    kind: type.kind,
    ...(namespace === '' ? {} : { namespace }),
    name: metadata.name ?? '',
    ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
  };
}

/** In Go's format: `kubevirt.io/v1, Resource=virtualmachines`. */
function resourceText({ group, version, plural }: ResourceType): string {
  return `${group}/${version}, Resource=${plural}`;
}

function groupVersion(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
}
