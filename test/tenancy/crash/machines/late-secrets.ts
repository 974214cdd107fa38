/**
 * Secrets that come when nobody waits for them any longer: they were on their way longer than their sender waits, and the machine was refused, or the template
 * was done with them, meanwhile. Nobody lists Secrets, so nobody finds one. A cluster gives a request up when who sent it has hung up; only here it does not.
 */
import { secrets } from '../../../../src/controllers/tenancy/machines/kinds.ts';
import { isNotFound } from '../../../../src/kube/errors.ts';
import type { ObjectKey } from '../../../../src/kube/object.ts';
import type { MemberCluster } from '../../../fleet/sandboxes.ts';
import type { Written } from '../stage.ts';

const created = 201;

/** Those that a write has made that was held until another replica had taken over. */
export function lateSecrets(written: readonly Written[]): readonly ObjectKey[] {
  return written
    .filter(({ isLate, status, text }) => isLate && status === created && text.includes('/secrets'))
    .map(({ text, content }) => {
      const [, namespace = '', inPath] = /\/namespaces\/([^/]+)\/secrets(?:\/(.+))?$/.exec(text) ?? [];
      const [, inBody = ''] = /"name":"([^"]+)"/.exec(content) ?? [];
      return { namespace, name: inPath ?? inBody };
    });
}

export async function removeSecrets({ client }: MemberCluster, left: readonly ObjectKey[]): Promise<void> {
  for (const key of left)
    await client.delete(secrets, key).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}
