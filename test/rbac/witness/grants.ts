/** Grants an account its rights one by one, in the roles of its files. */
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { until } from '../../runtime/until.ts';
import { collectionOf, type Manifest, type Rule } from '../../vm-status/manifests.ts';
import { roleTitle, ruleOf, titleOf, type Right } from '../right.ts';
import type { Attributes } from './attributes.ts';
import type { Ledger } from './ledger.ts';

export interface GrantsOptions {
  readonly client: Client;
  /** The roles, with all their rules. */
  readonly roles: readonly Manifest[];
  /** Its name in the cluster. */
  readonly user: string;
  readonly ledger: Ledger;
}

export class Grants {
  readonly #options: GrantsOptions;
  readonly #rules = new Map<string, Rule[]>();
  /** One after the other: each writes the complete role. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: GrantsOptions) {
    this.#options = options;
  }

  /** Resolves when the server knows it. */
  grant(right: Right, asked: Attributes): Promise<void> {
    const granted = this.#last.then(() => this.#grant(right, asked));
    this.#last = granted.catch(() => undefined);
    return granted;
  }

  async #grant(right: Right, asked: Attributes): Promise<void> {
    const { client, roles, ledger } = this.#options;
    if (ledger.isGranted(right)) return;
    const role = roles.find((one) => roleTitle(one) === right.role);
    if (role === undefined) throw new Error(`there is no role for the right to ${titleOf(right)}`);
    const rules = [...(this.#rules.get(right.role) ?? []), ruleOf(right)];
    this.#rules.set(right.role, rules);
    ledger.granting(right);
    await client.request({
      method: 'PATCH',
      path: `${collectionOf(role)}/${role.metadata.name}`,
      contentType: 'application/merge-patch+json',
      body: { rules },
    });
    await until(`it is granted to ${titleOf(right)}`, () => this.#allows(asked), { deadlineMs: 30_000, everyMs: 10 });
    ledger.granted(right);
  }

  async #allows({ verb, group, resource: all, namespace, name }: Attributes): Promise<boolean> {
    const { client, user } = this.#options;
    const [resource, subresource] = all.split('/');
    const { body } = await client.request({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user, resourceAttributes: { verb, group, resource, subresource, namespace, name } },
      },
    });
    return (body as { readonly status: { readonly allowed: boolean } }).status.allowed;
  }
}
