/** Single rights: a file of deploy/rbac, split into one verb on one resource by one role each. */
import { parseAllDocuments } from 'yaml';
import { bindingManifests, type Binding } from '../../packages/ssvirt/src/cli/cluster/bind-namespace.ts';
import type { Manifest, Rule } from '../vm-status/manifests.ts';

export interface Right {
  /** Such as `Role kubevirt-configs/ssvirt-api-server-fleet`. */
  readonly role: string;
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  /** The only object that it is for, if the rule names some. */
  readonly name?: string;
}

export function roleTitle({ kind = '', metadata: { namespace, name = '' } }: Manifest): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

export function titleOf({ role, group, resource, verb, name }: Right): string {
  const what = `${verb} ${group === '' ? resource : `${resource} of ${group}`}`;
  return `${what}${name === undefined ? '' : ` "${name}"`} in ${role}`;
}

export function rightsOfRule(role: string, { apiGroups, resources, verbs, resourceNames }: Rule): readonly Right[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb): readonly Right[] =>
        resourceNames === undefined
          ? [{ role, group, resource, verb }]
          : resourceNames.map((name) => ({ role, group, resource, verb, name })),
      ),
    ),
  );
}

export function rightsIn(all: readonly Manifest[]): readonly Right[] {
  const found = all.flatMap((one) => (one.rules ?? []).flatMap((rule) => rightsOfRule(roleTitle(one), rule)));
  return [...new Map(found.map((right) => [titleOf(right), right])).values()];
}

/** Without a right, in all roles that grant it. */
export function withoutRight(all: readonly Manifest[], right: Right): readonly Manifest[] {
  return all.map((one) =>
    one.rules === undefined || roleTitle(one) !== right.role ? one : { ...one, rules: rulesWithout(one, right) },
  );
}

function rulesWithout(role: Manifest, right: Right): readonly Rule[] {
  return rightsIn([role])
    .filter((other) => titleOf(other) !== titleOf(right))
    .map(ruleOf);
}

export function ruleOf({ group, resource, verb, name }: Right): Rule {
  const resourceNames = name === undefined ? {} : { resourceNames: [name] };
  return { apiGroups: [group], resources: [resource], verbs: [verb], ...resourceNames };
}

/** Without roles and bindings that are not granted in a cluster. */
export function withoutRoles(all: readonly Manifest[], ...names: readonly string[]): readonly Manifest[] {
  return all.filter(({ kind = '', metadata: { name = '' } }) => !/Role(Binding)?$/.test(kind) || !names.includes(name));
}

/** A RoleBinding of a ClusterRole, as the CLI prints it for an administrator. */
export function boundIn(process: Binding['process'], ...namespaces: readonly string[]): readonly Manifest[] {
  const text = bindingManifests({ process, accountNamespace: 'ssvirt-system', namespaces });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}
