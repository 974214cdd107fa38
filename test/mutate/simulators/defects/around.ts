/** What is around KubeVirt: CDI, templates, nodes, load balancers; and the dials. */
import { together, unit, type SimulatorDefect } from '../defect.ts';

const diskDefects: readonly SimulatorDefect[] = [
  {
    name: 'a disk without a populator waits for no consumer',
    file: 'cdi/phase.ts',
    find: "return facts.waits ? 'WaitForFirstConsumer' : 'Pending';",
    replace: "return 'Pending';",
    noticedBy: unit('cdi/status.test.ts'),
  },
  {
    name: 'a disk is ready while it is filled',
    file: 'cdi/conditions.ts',
    find: "{ status: 'False', reason: 'TransferRunning' }",
    replace: "{ status: 'True', reason: 'TransferRunning' }",
    noticedBy: unit('cdi/status.test.ts'),
  },
  {
    name: 'a disk does not fit into the file system of its claim',
    file: 'cdi/claim-size.ts',
    find: 'Math.ceil(Number(aligned) / (1 - overhead))',
    replace: 'Number(aligned)',
    noticedBy: unit('cdi/claim-spec.test.ts'),
  },
];

const templateDefects: readonly SimulatorDefect[] = [
  {
    name: 'a required parameter may be empty',
    file: 'templates/process.ts',
    find: "if (parameter['required'] !== true) return { parameter };",
    replace: 'return { parameter };',
    noticedBy: unit('templates/process.test.ts'),
  },
  {
    name: 'a number that is a parameter becomes text',
    file: 'templates/process.ts',
    find: ': jsonOrText(whole);',
    replace: ': whole;',
    noticedBy: unit('templates/process.test.ts'),
  },
  {
    name: 'objects stay in the namespace that they name',
    file: 'templates/process.ts',
    find: 'const { namespace: _namespace, ...rest } = metadata;',
    replace: 'const rest = metadata;',
    noticedBy: unit('templates/process.test.ts'),
  },
  {
    name: 'a Deployment is ready before anything of it is available',
    file: 'templates/instances/readiness.ts',
    find: "available?.['status'] === 'True'",
    replace: 'true',
    noticedBy: unit('templates/instances/rules.test.ts'),
  },
  {
    name: 'a TemplateInstance that goes leaves its objects',
    file: 'templates/instances/controller.ts',
    find: '(await Promise.all((status?.objects ?? []).map(({ ref }) => this.#delete(ref)))).flat();',
    replace: 'status === null ? ["" as string] : [];',
    noticedBy: together(
      'templates.test.ts',
      'an instance creates the objects with the values of a Secret, and takes them along when it goes',
      'a template is processed, and nothing is kept',
    ),
  },
];

const nodeDefects: readonly SimulatorDefect[] = [
  {
    name: 'a node that is cordoned takes pods',
    file: 'node/node-fit.ts',
    find: "if (spec?.['unschedulable'] === true && !tolerates(pod, UNSCHEDULABLE)) return",
    replace: 'if (false) return',
    noticedBy: unit('node/node-fit.test.ts'),
  },
  {
    name: 'who found no room does not look again when there is some',
    file: 'node/scheduler.ts',
    find: 'if (this.#waiting.size === 0) return;',
    replace: 'return;',
    noticedBy: together(
      'nodes.test.ts',
      'who finds no room runs when there is some',
      'a guest that powers itself off stays off',
    ),
  },
  {
    name: 'readiness gates do not count',
    file: 'node/pod-status.ts',
    find: "listAt(pod.spec, 'readinessGates').flatMap(",
    replace: "listAt(pod.spec, 'noGates').flatMap(",
    noticedBy: unit('node/pod-status.test.ts'),
  },
  {
    name: 'a guest that needs longer than its grace period shuts down all the same',
    file: 'node/domain/ending.ts',
    find: 'dials.shutdownMs <= grace && ',
    replace: '',
    noticedBy: unit('node/domain/next-step.test.ts'),
  },
  {
    name: 'a guest that is to crash boots',
    file: 'node/domain/boot.ts',
    find: "if (scene.hasFault('crash-loop')) {",
    replace: 'if (false) {',
    noticedBy: unit('node/domain/next-step.test.ts'),
  },
  {
    name: 'a guest keeps the address of the node that it left',
    file: 'node/domain/boot.ts',
    find: "first['ipAddress'] === podIP) return undefined;",
    replace: "first['ipAddress'] !== '') return undefined;",
    noticedBy: unit('node/domain/next-step.test.ts'),
  },
];

const serviceDefects: readonly SimulatorDefect[] = [
  {
    name: 'two services have one address',
    file: 'load-balancers/simulator.ts',
    find: 'if (!this.#holders.has(address)) return address;',
    replace: 'return address;',
    noticedBy: together(
      'nodes.test.ts',
      'a service of type LoadBalancer has an address while it is one',
      'a guest that powers itself off stays off',
    ),
  },
  {
    name: 'a service of a class of its own gets an address from us',
    file: 'load-balancers/addresses.ts',
    find: "textAt(spec, 'loadBalancerClass') === '' &&",
    replace: '',
    noticedBy: unit('load-balancers/addresses.test.ts'),
  },
];

const dialDefects: readonly SimulatorDefect[] = [
  {
    name: 'a bad value sets its dial back',
    file: 'dial-values.ts',
    find: 'dials = known?.read(known.show(current), dials) ?? dials;',
    replace: '',
    noticedBy: unit('dial-values.test.ts'),
  },
  {
    name: 'a fault in one namespace is one in all',
    file: 'faults.ts',
    find: '(fault.namespace === undefined || fault.namespace === namespace) &&',
    replace: '',
    noticedBy: unit('faults.test.ts'),
  },
];

export const aroundDefects: readonly SimulatorDefect[] = [
  ...diskDefects,
  ...templateDefects,
  ...nodeDefects,
  ...serviceDefects,
  ...dialDefects,
];
