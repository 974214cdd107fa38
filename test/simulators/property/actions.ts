/** The actions of users and faults that make up a random history. */
import fc from 'fast-check';
import { faultKinds, type DialFault } from '../../../packages/sandbox/src/simulators/dials.ts';
import { strategies, type Strategy, type Wish } from './machine.ts';

export const names = ['a', 'b', 'c', 'd'] as const;
export type Name = (typeof names)[number];

export const subresources = ['start', 'stop', 'restart', 'migrate', 'pause', 'unpause', 'softreboot'] as const;
export type Subresource = (typeof subresources)[number];

export const quotas = { pods: 'pods', vmis: 'count/virtualmachineinstances.kubevirt.io', storage: 'requests.storage' };
export type Quota = keyof typeof quotas;

export type Action =
  | { readonly do: 'create'; readonly vm: Name; readonly wish: Wish }
  | {
      readonly do: 'call';
      readonly vm: Name;
      readonly verb: Subresource;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | { readonly do: 'switch'; readonly vm: Name; readonly strategy: Strategy }
  | { readonly do: 'edit'; readonly vm: Name; readonly what: 'label' | 'memory' | 'hostname' }
  | { readonly do: 'delete'; readonly vm: Name; readonly what: 'vm' | 'vmi' | 'disk'; readonly foreground: boolean }
  | { readonly do: 'delete-pod'; readonly vm: Name; readonly force: boolean }
  | { readonly do: 'guest'; readonly vm: Name; readonly what: 'poweroff' | 'crash' }
  | {
      readonly do: 'fault';
      readonly kind: DialFault;
      readonly vm: Name;
      readonly how: 'annotation' | 'dial' | 'namespace';
    }
  | { readonly do: 'lift' }
  | { readonly do: 'quota'; readonly what: Quota }
  | { readonly do: 'no-quota' }
  | { readonly do: 'restart-simulators' }
  | { readonly do: 'virt-api'; readonly down: boolean }
  | { readonly do: 'settle' };

const vm = fc.constantFrom(...names);
/** The strategy that depends most on the past is the most frequent. */
const strategy = fc.constantFrom(...strategies, 'RerunOnFailure' as const);

export const wish: fc.Arbitrary<Wish> = fc.record({
  strategy,
  disk: fc.constantFrom('none', 'none', 'standard', 'local'),
  instancetype: fc.boolean(),
});

const bodies: Readonly<Record<Subresource, fc.Arbitrary<Readonly<Record<string, unknown>>>>> = {
  start: fc.constantFrom({}, {}, { paused: true }),
  stop: fc.constantFrom({}, {}, { gracePeriod: 0 }),
  restart: fc.constantFrom({}, {}, { gracePeriodSeconds: 0 }),
  migrate: fc.constant({}),
  pause: fc.constant({}),
  unpause: fc.constant({}),
  softreboot: fc.constant({}),
};

const call = fc
  .constantFrom(...subresources, 'start' as const, 'stop' as const)
  .chain((verb) => fc.record({ do: fc.constant('call' as const), vm, verb: fc.constant(verb), body: bodies[verb] }));

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), vm, wish }) },
  { weight: 12, arbitrary: call },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('switch' as const), vm, strategy }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      vm,
      what: fc.constantFrom('label' as const, 'memory' as const, 'hostname' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      vm,
      what: fc.constantFrom('vm' as const, 'vmi' as const, 'disk' as const),
      foreground: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete-pod' as const), vm, force: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('guest' as const),
      vm,
      what: fc.constantFrom('poweroff' as const, 'crash' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      kind: fc.constantFrom(...faultKinds),
      vm,
      how: fc.constantFrom('annotation' as const, 'dial' as const, 'namespace' as const),
    }),
  },
  { weight: 4, arbitrary: fc.constant<Action>({ do: 'lift' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('quota' as const),
      what: fc.constantFrom('pods' as const, 'vmis' as const, 'storage' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant<Action>({ do: 'no-quota' }) },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'restart-simulators' }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('virt-api' as const), down: fc.boolean() }) },
  { weight: 8, arbitrary: fc.constant<Action>({ do: 'settle' }) },
);

export interface History {
  readonly actions: readonly Action[];
  /** The last request for each VM, when all faults are lifted and nothing changes any more. */
  readonly last: readonly ('start' | 'stop' | 'restart')[];
}

/** Creates each VM first, so that there is something to act on. */
const beginning = fc
  .tuple(...names.map(() => wish))
  .map((wishes) => names.map((name, index): Action => ({ do: 'create', vm: name, wish: wishes[index] as Wish })));

export const history = (length: number): fc.Arbitrary<History> =>
  fc.record({
    actions: fc
      .tuple(beginning, fc.array(action, { minLength: Math.ceil(length / 2), maxLength: length, size: 'max' }))
      .map(([first, rest]) => [...first, ...rest]),
    last: fc.array(fc.constantFrom('start', 'stop', 'restart'), { minLength: 4, maxLength: 4 }),
  });

export function show(one: Action): string {
  const { do: verb, ...rest } = one;
  return `${verb} ${JSON.stringify(rest)}`;
}
