/** Service accounts with the enforcing annotation let their pods use only the secrets that they list. */
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';

const ENFORCE = 'kubernetes.io/enforce-mountable-secrets';
const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];

const namesAt = (parent: JsonObject, key: string): Set<string> =>
  new Set(listAt(parent, key).map((item) => textAt(item, 'name')));

export function limitSecretReferences(account: KubeObject, pod: KubeObject): string | undefined {
  if (!TRUE.includes(account.metadata.annotations?.[ENFORCE] ?? '')) return undefined;
  const allowed = namesAt(account, 'secrets');
  const spec = objectAt(pod, 'spec') ?? {};
  const why = `is not allowed because service account ${account.metadata.name ?? ''} does not reference that`;
  for (const volume of listAt(spec, 'volumes')) {
    const secret = objectAt(volume, 'secret');
    const name = textAt(secret, 'secretName');
    if (secret !== undefined && !allowed.has(name)) return `volume with secret.secretName="${name}" ${why} secret`;
  }
  for (const [kind, what] of [
    ['initContainers', 'init container'],
    ['containers', 'container'],
  ] as const) {
    for (const container of listAt(spec, kind)) {
      const found = forbiddenReference(container, allowed);
      if (found !== undefined) return `${what} ${textAt(container, 'name')} with ${found} ${why} secret`;
    }
  }
  const pull = namesAt(account, 'imagePullSecrets');
  const wrong = listAt(spec, 'imagePullSecrets').findIndex((secret) => !pull.has(textAt(secret, 'name')));
  if (wrong < 0) return undefined;
  return `imagePullSecrets[${wrong}].name="${textAt(listAt(spec, 'imagePullSecrets')[wrong], 'name')}" ${why} imagePullSecret`;
}

function forbiddenReference(container: JsonObject, allowed: ReadonlySet<string>): string | undefined {
  for (const variable of listAt(container, 'env')) {
    const reference = objectAt(objectAt(variable, 'valueFrom'), 'secretKeyRef');
    const name = textAt(reference, 'name');
    if (reference !== undefined && !allowed.has(name))
      return `envVar ${textAt(variable, 'name')} referencing secret.secretName="${name}"`;
  }
  for (const source of listAt(container, 'envFrom')) {
    const reference = objectAt(source, 'secretRef');
    const name = textAt(reference, 'name');
    if (reference !== undefined && !allowed.has(name)) return `envFrom referencing secret.secretName="${name}"`;
  }
  return undefined;
}
