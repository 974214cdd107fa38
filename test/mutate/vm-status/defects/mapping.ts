/** From KubeVirt's objects to what a tenant sees: facts, mapping, debounces, faults. */
import { unit, type VmStatusDefect } from '../defect.ts';

const judge = 'virt/status/judge.ts';
const troubles = 'virt/status/troubles.ts';
const mapping = unit('virt/status/mapping.test.ts');
const debounce = unit('virt/status/debounce.test.ts');
const faults = unit('virt/status/faults.test.ts');
const observe = unit('virt/status/observe.test.ts');
const facts = unit('virt/facts/facts.test.ts');

const statusDefects: readonly VmStatusDefect[] = [
  {
    name: 'a machine that is being deleted is only stopped',
    file: judge,
    find: "return { status: 'DELETING' };",
    replace: "return { status: 'POWERING_OFF' };",
    noticedBy: mapping,
  },
  {
    name: 'the gap within a restart is off',
    file: judge,
    find: "if (wanted === 'on')\n    return { status: 'POWERING_ON', trouble",
    replace: "if (false)\n    return { status: 'POWERING_ON', trouble",
    noticedBy: mapping,
  },
  {
    name: 'a machine that nobody wants any more is still on',
    file: judge,
    find: "wanted === 'off' && isThere(printableStatus)",
    replace: 'false',
    noticedBy: mapping,
  },
  {
    name: 'a machine that moves is unknown',
    file: judge,
    find: "    case 'Migrating':",
    replace: "    case 'Moving':",
    noticedBy: mapping,
  },
  {
    name: 'a machine is busy while its disk is prepared for a start',
    file: judge,
    find: "busy: wanted === 'off',\n",
    replace: 'busy: true,\n',
    noticedBy: mapping,
  },
  {
    name: 'a restart is a stop',
    file: 'virt/status/want.ts',
    find: "first === 'Start' || second === 'Start'",
    replace: "first === 'Start'",
    noticedBy: unit('virt/status/want.test.ts'),
  },
  {
    name: 'an instance tells about a machine that it does not belong to',
    file: 'virt/status/observe.ts',
    find: 'const isOwn = vmi !== undefined && vmi.vmUid === vm.uid;',
    replace: 'const isOwn = vmi !== undefined;',
    noticedBy: observe,
  },
  {
    name: 'a machine that has ended keeps its addresses',
    file: 'virt/status/observe.ts',
    find: 'vmi === undefined || isOver(vmi) ? undefined : vmi',
    replace: 'vmi',
    noticedBy: observe,
  },
];

const debounceDefects: readonly VmStatusDefect[] = [
  {
    name: 'a failed import waits like one that is tried again',
    file: troubles,
    find: 'failed === undefined ? DISK_ERROR_MS : 0',
    replace: 'DISK_ERROR_MS',
    noticedBy: debounce,
  },
  {
    name: 'a machine that finds no node fails after a minute',
    file: troubles,
    find: 'const UNSCHEDULABLE_MS = 300 * SECOND;',
    replace: 'const UNSCHEDULABLE_MS = 60 * SECOND;',
    noticedBy: debounce,
  },
  {
    name: 'the time in which a disk is filled counts as time without a node',
    file: troubles,
    find: 'if (dataVolumes.some(isFilling)) return undefined;',
    replace: '',
    noticedBy: debounce,
  },
  {
    name: 'an import that flaps begins anew with each error',
    file: judge,
    find: '          troubles.diskRetry(dataVolumes),',
    replace: '          undefined,',
    noticedBy: debounce,
  },
  {
    name: 'a clock that goes back makes a failure later',
    file: 'virt/status/observe.ts',
    find: 'Math.max(0, ageMs(trouble.word))',
    replace: 'ageMs(trouble.word)',
    noticedBy: debounce,
  },
];

const faultDefects: readonly VmStatusDefect[] = [
  {
    name: 'a machine that was stopped by force has crashed',
    file: judge,
    find: "vmi?.phase !== 'Failed' || vmi.deleting === true",
    replace: "vmi?.phase !== 'Failed'",
    noticedBy: faults,
  },
  {
    name: 'a guest that is not ready has lost its node',
    file: judge,
    find: 'vmi.notReady !== undefined && vmi.notReady.reason === undefined;',
    replace: 'vmi.notReady !== undefined;',
    noticedBy: faults,
  },
  {
    name: 'credentials of an address are shown to the tenant',
    file: 'virt/status/faults.ts',
    find: String.raw`    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1')`,
    replace: '',
    noticedBy: faults,
  },
  {
    name: 'a quota that is used up is a refusal like any other',
    file: 'virt/status/refusal.ts',
    find: '  quotaFault,\n',
    replace: '',
    noticedBy: faults,
  },
];

const factDefects: readonly VmStatusDefect[] = [
  {
    name: 'a machine with running: true has no run strategy',
    file: 'virt/facts/vm.ts',
    find: "running === true ? 'Always' : undefined",
    replace: 'undefined',
    noticedBy: facts,
  },
  {
    name: 'the bridges within a guest are its addresses',
    file: 'virt/facts/addresses.ts',
    find: 'attached.length > 0 ? attached : addressesIn(all)',
    replace: 'addressesIn(all)',
    noticedBy: facts,
  },
  {
    name: 'a stage of an import is an error',
    file: 'virt/facts/data-volume.ts',
    find: "only(stuckReasons, saying(conditions, 'Running', 'False'))",
    replace: "saying(conditions, 'Running', 'False')",
    noticedBy: facts,
  },
  {
    name: 'a text keeps its control characters',
    file: 'virt/facts/reading.ts',
    find: ".replaceAll(unprintable, ' ')",
    replace: '',
    noticedBy: unit('virt/status/property.test.ts'),
  },
  {
    name: 'a number that no column holds is kept',
    file: 'virt/facts/reading.ts',
    find: ' && value <= 0x7fff_ffff',
    replace: '',
    noticedBy: facts,
  },
];

export const mappingDefects: readonly VmStatusDefect[] = [
  ...statusDefects,
  ...debounceDefects,
  ...faultDefects,
  ...factDefects,
];
