/** Decides like Kubernetes' RBAC who may do what, and which rights allowed it. */
import type { Manifest, Rule } from '../../vm-status/manifests.ts';
import { rightsOfRule, roleTitle, type Right } from '../right.ts';
import type { Attributes } from './attributes.ts';

interface Binding extends Manifest {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly { readonly kind: string; readonly name: string; readonly namespace: string }[];
}

interface Granted {
  readonly right: Right;
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
}

/** The rights of every authenticated user, by the cluster's own roles: system:basic-user. */
const everybody: Rule = {
  apiGroups: ['authorization.k8s.io'],
  resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  verbs: ['create'],
};

/** The user and its groups. */
const selfReview: Rule = {
  apiGroups: ['authentication.k8s.io'],
  resources: ['selfsubjectreviews'],
  verbs: ['create'],
};

export class Authorizer {
  readonly #granted: Granted[];
  readonly #roles: readonly Manifest[];

  /** The rights of one account. */
  constructor(all: readonly Manifest[], account: string) {
    const bindings = all.filter(({ kind }) => kind?.endsWith('Binding')) as readonly Manifest[] as readonly Binding[];
    const own = bindings.filter(({ subjects }) =>
      subjects.some(({ kind, name, namespace }) => kind === 'ServiceAccount' && `${namespace}/${name}` === account),
    );
    this.#roles = all;
    this.#granted = own.flatMap((binding) => this.#by(binding));
  }

  /** A ClusterRole was bound in a namespace: by the account itself, or by an administrator. */
  bound(role: string, namespace: string): void {
    const isKnown = this.#granted.some(
      ({ right, namespace: where }) => where === namespace && right.role === `ClusterRole ${role}`,
    );
    const roleRef = { kind: 'ClusterRole', name: role };
    const binding = { kind: 'RoleBinding', metadata: { namespace, name: role }, roleRef, subjects: [] };
    if (!isKnown) this.#granted.push(...this.#by(binding));
  }

  #by(binding: Binding): readonly Granted[] {
    const { namespace } = binding.metadata;
    const role = this.#roles.find((one) => one.kind === binding.roleRef.kind && isMeant(one, binding));
    if (role === undefined) throw new Error(`${roleTitle(binding)} names a role that is not there`);
    return (role.rules ?? [])
      .flatMap((rule) => rightsOfRule(roleTitle(role), rule))
      .map((right) => ({ right, namespace }));
  }

  /** The rights that allow it; empty if it is forbidden. */
  allowing(asked: Attributes): readonly Right[] {
    return this.#granted
      .filter(
        ({ right, namespace }) => (namespace === undefined || namespace === asked.namespace) && fits(right, asked),
      )
      .map(({ right }) => right);
  }

  isForEverybody(asked: Attributes): boolean {
    return [everybody, selfReview]
      .flatMap((rule) => rightsOfRule('system:basic-user', rule))
      .some((right) => fits(right, asked));
  }
}

function isMeant({ metadata }: Manifest, { kind, metadata: { namespace }, roleRef }: Binding): boolean {
  if (metadata.name !== roleRef.name) return false;
  return roleRef.kind === 'ClusterRole' || (kind === 'RoleBinding' && metadata.namespace === namespace);
}

/** A request without a name is allowed by no rule that names objects. */
function fits({ group, resource, verb, name }: Right, asked: Attributes): boolean {
  return (
    group === asked.group &&
    resource === asked.resource &&
    verb === asked.verb &&
    (name === undefined || name === asked.name)
  );
}
