/** How an order is read: its version, names, namespace, storage class and parameters. */
import { witnesses, type OrderDefect } from '../defect.ts';

const at = (file: string): string => `virt/order/${file}`;
const tests = (file: string, control: string): ReturnType<typeof witnesses> =>
  witnesses(at(file), control, { alone: true });

const versions = tests('config-version.test.ts', 'the version of a template alone is the one that the origin computes');
const naming = tests('names.test.ts', 'is refused with what is wrong and what to do: "web-"');
const binding = tests('namespace.test.ts', 'that is Terminating by its phase is being deleted');
const storage = tests('storage-class.test.ts', 'is said with a few names where there are many');
const reading = tests('parameters.test.ts', 'are not taken for the inner life of objects');
const judging = tests('verdict.test.ts', 'an order that says nothing has all the defaults');

export const readingDefects: readonly OrderDefect[] = [
  {
    name: 'a version that the order names is not heard',
    file: at('config-version.ts'),
    find: 'spec.desiredConfigVersion || configVersion(spec)',
    replace: 'configVersion(spec)',
    noticedBy: versions('a version that the order names itself goes before the computed one, an empty one does not'),
  },
  {
    name: 'the version forgets how Go writes JSON',
    file: at('config-version.ts'),
    find: '/[<>&\\u2028\\u2029]/g',
    replace: '/[<>\\u2028\\u2029]/g',
    noticedBy: versions('the version of whatever text is the hash of what Go writes'),
  },
  {
    name: 'names are as long as Kubernetes lets them',
    file: at('names.ts'),
    find: 'const LONGEST = 49;',
    replace: 'const LONGEST = 63;',
    noticedBy: naming('has at most 49 characters'),
  },
  {
    name: 'a namespace need not be bound',
    file: at('namespace.ts'),
    find: 'if (!isOwn && !isBound(namespace, found))',
    replace: 'if (!isOwn && found.project === undefined && !isBound(namespace, found))',
    noticedBy: binding('whose label names another is not bound'),
  },
  {
    name: 'a part of its name binds a namespace',
    file: at('namespace.ts'),
    find: 'orderNamespaces.includes(namespace)',
    replace: 'orderNamespaces.some((one) => one.includes(namespace))',
    noticedBy: binding('whose annotation has it as a part of a name is not bound'),
  },
  {
    name: 'orders fill a namespace that is being deleted',
    file: at('namespace.ts'),
    find: 'deletionTimestamp !== undefined || ',
    replace: '',
    noticedBy: binding('that is being deleted is told so'),
  },
  {
    name: 'a class that is not there is replaced by another',
    file: at('storage-class.ts'),
    find: ': notFound(wanted, classes);',
    replace: ": { name: usualClass(classes)?.name ?? '' };",
    noticedBy: storage('that is configured and not there is never replaced by another'),
  },
  {
    name: 'an empty setting is a class',
    file: at('storage-class.ts'),
    find: "if (wanted !== '')",
    replace: 'if (configured !== undefined)',
    noticedBy: storage('is the default where an empty one is configured'),
  },
  {
    name: 'the default for machines goes before that of AAP',
    file: at('storage-class.ts'),
    find: 'defaultClass(classes.filter(({ isDefault }) => isDefault === true).map(withoutMachineMark)) ?? ',
    replace: '',
    noticedBy: storage('is the default of Kubernetes, as for AAP, before that for machines'),
  },
  {
    name: 'whole numbers in texts are refused',
    file: at('sizes.ts'),
    find: "  return typeof value === 'string' ? value : undefined;",
    replace: '  return undefined;',
    noticedBy: reading('as the fulfillment service writes them, all seven'),
  },
  {
    name: 'user data is passed on in base64',
    file: at('user-data.ts'),
    find: '(decoded(value) ?? value)',
    replace: 'value',
    noticedBy: reading('as the fulfillment service writes them, all seven'),
  },
  {
    name: 'a password in an image is shown',
    file: at('image.ts'),
    find: 'refused(field, withoutLogin(value), {',
    replace: 'refused(field, value, {',
    noticedBy: reading('never shows what may be a secret: image_source'),
  },
  {
    name: 'there are ports above 65535',
    file: at('ports.ts'),
    find: 'port >= 1 && port <= 65535',
    replace: 'port >= 1',
    noticedBy: judging('everything that is wrong is told at once, with field, value and rule'),
  },
];
