/** What is made of an order: the role's shapes, whose it is, and what becomes of its disk. */
import { witnesses, type OrderDefect } from '../defect.ts';

const at = (file: string): string => `virt/order/${file}`;
const tests = (file: string, control: string): ReturnType<typeof witnesses> =>
  witnesses(at(file), control, { alone: true });

const building = tests('build.test.ts', 'is left alone: nobody says whose it is');
const storing = tests('disk-change.test.ts', 'is made where there is none');
const like = "has everything that the role's objects have, field by field";

export const builderDefects: readonly OrderDefect[] = [
  {
    name: 'the disk is made as CDI likes it, and not as AAP does',
    file: at('data-volume.ts'),
    find: '      pvc: {',
    replace: '      storage: {',
    noticedBy: building('has a disk whose spec is the role’s to the letter, since CDI lets nobody change it'),
  },
  {
    name: 'user data stands under another key',
    file: at('secrets.ts'),
    find: "'userData', userData",
    replace: "'userdata', userData",
    noticedBy: building(like),
  },
  {
    name: 'nobody says how a key gets into the guest',
    file: at('virtual-machine.ts'),
    find: ', propagationMethod: { noCloud: {} } },',
    replace: ' },',
    noticedBy: building(like),
  },
  {
    name: 'the pods of a machine do not bear what the Service selects',
    file: at('virtual-machine.ts'),
    find: 'labels: { ...childLabels(identity), [labels.vm]: vm },',
    replace: 'labels: childLabels(identity),',
    noticedBy: building('bears the name and the marks of its order everywhere, and on the pods of its machine'),
  },
  {
    name: 'a machine that was stopped is started',
    file: at('virtual-machine.ts'),
    find: '{ running: running ?? true }',
    replace: '{ running: true }',
    noticedBy: building('runs, and stays stopped where somebody has stopped it, in the words that were used'),
  },
  {
    name: 'a key that is taken out stays',
    file: at('virtual-machine.ts'),
    find: 'found.filter((one) => secretOf(one) !== sshKeySecret)',
    replace: 'found',
    noticedBy: building('loses the credential of a key that is taken out, and keeps those of others'),
  },
  {
    name: 'the order owns what stands in another namespace',
    file: at('identity.ts'),
    find: 'owner === undefined || namespace !== tenantNamespace ? {}',
    replace: 'owner === undefined ? {}',
    noticedBy: building('has its order for an owner only in the namespace of the order'),
  },
  {
    name: 'what was made for an order of the same name is taken',
    file: at('identity.ts'),
    find: "if (provisionedBy !== 'aap' || parentUidOf(identity, object) !== undefined) return false;",
    replace: "if (provisionedBy !== 'aap') return false;",
    noticedBy: building('is left alone: it is of an order of that name that was before'),
  },
  {
    name: 'whatever bears the name is taken',
    file: at('identity.ts'),
    find: "if (provisionedBy !== 'aap' || parentUidOf(",
    replace: 'if (parentUidOf(',
    noticedBy: building('is left alone: it bears the name alone'),
  },
  {
    name: 'what newer roles have made is not taken',
    file: at('identity.ts'),
    find: ' || found[labels.instance] === identity.name;',
    replace: ';',
    noticedBy: building('is taken: a newer role has made it for the order'),
  },
  {
    name: 'the Service does not look at what runs',
    file: at('service.ts'),
    find: 'return { [found ?? labels.vm]: name };',
    replace: 'return { [labels.vm]: found === undefined ? name : name };',
    noticedBy: building('selects by a label that the pod of the running machine bears'),
  },
  {
    name: 'a port of the other protocol stays open',
    file: at('service.ts'),
    find: 'return `${String(number)}/${String(protocol)}`;',
    replace: 'return protocol === undefined ? "" : String(number);',
    noticedBy: building('keeps the ports that are ordered, as they stand, and closes others'),
  },
  {
    name: 'ports have names of ours',
    file: at('service.ts'),
    find: '`${protocol.toLowerCase()}-${port}`',
    replace: '`${port}-${protocol.toLowerCase()}`',
    noticedBy: building('has a Service with the ports of the order, by the names that the role gives them'),
  },
  {
    name: 'disks shrink',
    file: at('disk-change.ts'),
    find: 'if (wanted < has)',
    replace: 'if (wanted < has && has === 0)',
    noticedBy: storing('does not shrink'),
  },
  {
    name: 'every class lets disks grow',
    file: at('disk-change.ts'),
    find: '?.expandable !== true)',
    replace: '?.name === undefined)',
    noticedBy: storing('does not grow where its class lets none'),
  },
  {
    name: 'another image is of no matter',
    file: at('disk-change.ts'),
    find: 'if (image !== undefined && image !== parameters.image)',
    replace: 'if (image !== undefined && image === `${parameters.image} `)',
    noticedBy: storing('is not filled anew'),
  },
  {
    name: 'a disk whose DataVolume was cleared away is made anew',
    file: at('disk-change.ts'),
    find: 'if (dataVolume === undefined && claim === undefined)',
    replace: 'if (dataVolume === undefined)',
    noticedBy: storing('is kept where CDI has cleared its DataVolume away'),
  },
];
