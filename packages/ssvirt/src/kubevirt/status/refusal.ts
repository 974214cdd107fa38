/** Rewrites the cluster's message when it refuses to create what a VM needs (its instance, its pod, its disks). */
import type { Saying } from '../facts/condition.ts';
import { because, fault, quoted, type Fault } from './faults.ts';
import { quotaFault } from './quota.ts';

type Reader = (message: string, reason: string) => Fault | undefined;

/** The first reader that recognizes the message explains it. */
const readers: readonly Reader[] = [
  quotaFault,
  (message) =>
    message.includes('because it is being terminated')
      ? fault('VDC_DELETING', 'Its virtual data center is being deleted, so nothing can be started there any more.')
      : undefined,
  (message) => {
    const [, source] = /insufficient permissions in clone source namespace (\S+)/.exec(message) ?? [];
    if (source === undefined) return undefined;
    return fault(
      'SOURCE_FORBIDDEN',
      `Its disk may not be copied from the namespace "${source}": ask an administrator to allow it.`,
    );
  },
  (message) => {
    const [, image] = /datasources\.cdi\.kubevirt\.io "([^"]+)" not found/.exec(message) ?? [];
    if (image === undefined) return undefined;
    return fault('SOURCE_MISSING', `The image "${image}" that its disk is made from does not exist: choose another.`);
  },
  (message) => {
    const [, kind, name] =
      /virtualmachine(?:cluster)?(instancetype|preference)s\.\S+ "([^"]+)" not found/.exec(message) ?? [];
    if (kind === undefined) return undefined;
    const called = kind === 'preference' ? 'preference' : 'instance type';
    return fault('SIZE_MISSING', `Its ${called} "${name ?? ''}" does not exist: choose another.`);
  },
  (message) => {
    const [, account] = /serviceaccount "([^"]+)" not found/.exec(message) ?? [];
    if (account === undefined) return undefined;
    return fault(
      'ACCOUNT_MISSING',
      `It names the service account "${account}", which does not exist: create it, or name another.`,
    );
  },
  (message) =>
    /violates PodSecurity|needs a privileged namespace/.test(message)
      ? fault(
          'POLICY_FORBIDS',
          'The security rules of its virtual data center do not let virtual machines run: ask an administrator to allow them.',
        )
      : undefined,
  (message) => {
    const [, why] = /denied the request: (.+)$/.exec(message) ?? [];
    return why === undefined ? undefined : fault('REFUSED', `The cluster refuses its definition: ${quoted(why)}.`);
  },
  (message) => {
    const [, why] = / is invalid: (.+?)(?: \(e\.g\. .*)?$/.exec(message) ?? [];
    return why === undefined ? undefined : fault('REFUSED', `Its definition is not valid: ${quoted(why)}.`);
  },
];

export function refusal({ message = '', reason = '' }: Saying): Fault {
  for (const read of readers) {
    const found = read(message, reason);
    if (found !== undefined) return found;
  }
  return fault('REFUSED', `It cannot be started${because(message === '' ? reason : message)}.`);
}

/** `isAboutDisks` returns whether a failure of the VirtualMachine is about its disks, which it needs whether it is meant to run or not. */
export function isAboutDisks({ message = '' }: Saying): boolean {
  return message.includes('creating DataVolumes');
}
