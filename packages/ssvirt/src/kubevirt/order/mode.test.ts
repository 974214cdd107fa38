import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { decideMode, provisioner, type ModeDecision, type ModeInput, type TemplateClass } from './mode.ts';
import type { WebhookRecord } from './resource.ts';

const now = Date.parse('2026-01-11T12:00:00Z');
const minutes = 60_000;

/** Orders among the first 10 %, and among the last 1 %. */
const [early, late] = ['order-32', 'order-135'];

const base: ModeInput = {
  uid: early,
  templateID: 'osac.templates.ocp_virt_vm',
  template: 'native',
  hasAapMarks: false,
  desired: 'v2',
  controllerMode: true,
  rolloutPercentage: 0,
  quietPeriodMs: 15 * minutes,
  now,
};

/**
 * The mode, then `+` if it is recorded, `>mode` if that mode takes over, `!reason` if that is refused; or the problem's
 * reason; or how long it waits.
 */
function word(decision: ModeDecision): string {
  if ('problem' in decision) return decision.problem.reason;
  if ('waitMs' in decision) return `wait ${decision.waitMs / minutes}m`;
  const { mode, record, takesOver, refused } = decision;
  const then = takesOver === undefined ? '' : `>${takesOver}`;
  return `${mode}${record ? '+' : ''}${then}${refused === undefined ? '' : `!${refused.reason}`}`;
}

type Row = readonly [expected: string, reason: string, input: Partial<ModeInput>];

function table(common: Partial<ModeInput>, rows: readonly Row[]): void {
  for (const [expected, reason, input] of rows)
    test(`is ${expected}: ${reason}`, () => {
      assert.equal(word(decideMode({ ...base, ...common, ...input })), expected);
    });
}

const byController = { provisionedBy: 'controller' } as const;
const byAap = { provisionedBy: 'aap' } as const;
const wantsController = { managedBy: 'controller' } as const;
const wantsAap = { managedBy: 'aap' } as const;
const off = { controllerMode: false } as const;
const all = { rolloutPercentage: 100 } as const;

suite('the mode of a new order', () => {
  table({}, [
    ['aap+', 'nothing is said, and nothing rolled out', {}],
    ['controller+', 'the annotation decides', wantsController],
    ['aap+', 'the annotation decides against the rollout', { ...wantsAap, ...all }],
    ['controller+', 'it is among the first 10 %', { rolloutPercentage: 10 }],
    ['aap+', 'it is not among the first 99 %', { uid: late, rolloutPercentage: 99 }],
    ['controller+', 'all are rolled out', { uid: late, ...all }],
    ['aap+', 'controller mode is off for all', { ...wantsController, ...off }],
    ['aap+', 'controller mode is off, whatever the rollout', { ...all, ...off }],
    ['UnknownManagedBy', 'the manager is unknown', { managedBy: 'Controller' }],
    ['UnknownManagedBy', 'an empty annotation names no manager', { managedBy: '' }],
    ['UnknownManagedBy', 'what every object has is no mode', { managedBy: 'constructor' }],
    ['aap+', 'AAP has left its marks on it', { hasAapMarks: true, ...all }],
    ['controller+', 'the annotation outweighs the marks', { hasAapMarks: true, ...wantsController }],
  ]);
});

suite('the mode of an order that has changed', () => {
  table({ reconciled: 'v1' }, [
    ['controller', 'the controller has made it', byController],
    ['controller', 'the rollout was taken back since', { ...byController, uid: late }],
    ['aap', 'AAP has made it', byAap],
    ['aap', 'the rollout has grown since', { ...byAap, ...all }],
    ['aap+', 'AAP has made it before there were records', { hasAapMarks: true, ...all }],
    ['aap+', 'it goes back to AAP by the annotation', { ...byController, ...wantsAap }],
    ['controller+', 'it goes to the controller by the annotation', { ...byAap, ...wantsController }],
    ['aap+', 'controller mode was switched off', { ...byController, ...off }],
    ['aap+', 'controller mode is off, also for the annotation', { ...byController, ...wantsController, ...off }],
    ['UnknownManagedBy', 'the manager is unknown', { ...byController, managedBy: 'me' }],
  ]);
});

suite('the mode of an order that is as ordered', () => {
  table({ reconciled: 'v2' }, [
    ['controller', 'the controller mends drift', byController],
    ['aap', 'AAP has made it', byAap],
    ['aap+', 'AAP has made it before there were records', { hasAapMarks: true }],
    ['controller>aap', 'AAP takes over at the next change', { ...byController, ...wantsAap }],
    ['aap>controller', 'the controller takes over at the next change', { ...byAap, ...wantsController }],
    [
      'aap+>controller',
      'the same of an order from before there were records',
      { hasAapMarks: true, ...wantsController },
    ],
    ['aap', 'the rollout has grown since', { ...byAap, ...all }],
    ['controller', 'the rollout was taken back since', { ...byController, uid: late }],
    ['aap>aap', 'controller mode is off: nothing is mended, and its record stays', { ...byController, ...off }],
    ['aap', 'controller mode is off, and the annotation means nothing', { ...byAap, ...wantsController, ...off }],
    ['UnknownManagedBy', 'the manager is unknown', { ...byController, managedBy: 'me' }],
    ['aap>controller', 'AAP has done what the controller gave up', { ...byAap, fallbackConfigVersion: 'v2' }],
  ]);
});

suite('a version that the controller has given up', () => {
  table({ fallbackConfigVersion: 'v2', ...byController }, [
    ['aap+>controller', 'AAP does this one', {}],
    ['aap+>controller', 'also where the annotation says otherwise', wantsController],
    ['controller', 'the next one is tried again', { desired: 'v3' }],
    ['controller+', 'the next one, after AAP has done this one', { ...byAap, desired: 'v3', reconciled: 'v2' }],
    ['controller+', 'the next one, after AAP has failed too', { ...byAap, desired: 'v3', webhook: accepted('v2', 60) }],
    [
      'aap',
      'AAP was asked for others since',
      { ...byAap, desired: 'v4', reconciled: 'v3', webhook: accepted('v3', 60) },
    ],
    ['controller', 'AAP knows no OrderTemplates', { template: 'custom' }],
    [
      'aap>controller',
      'no quiet period before AAP itself',
      { ...byAap, ...wantsController, webhook: accepted('v1', 0) },
    ],
  ]);
});

suite('a template with a floating IP', () => {
  table({ template: 'floating-ip' }, [
    ['aap+', 'only AAP can do it', all],
    ['FloatingIPTemplate', 'the controller is asked for', wantsController],
    ['FloatingIPTemplate', 'the controller is asked for, and off', { ...wantsController, ...off }],
    ['aap+', 'AAP is asked for', wantsAap],
    ['aap+', 'the order had another template before', { ...byController, reconciled: 'v1' }],
    ['aap!FloatingIPTemplate', 'what AAP has made runs on', { ...byAap, ...wantsController, reconciled: 'v2' }],
    ['aap>aap', 'the controller cannot mend it', { ...byController, reconciled: 'v2' }],
  ]);
});

suite('a template that does not exist here', () => {
  table({ template: 'unknown' }, [
    ['aap+', 'AAP may know it', all],
    ['aap+', 'AAP is asked for', wantsAap],
    ['UnsupportedTemplate', 'the controller is asked for', wantsController],
    ['UnsupportedTemplate', 'the controller has made the order', { ...byController, reconciled: 'v1' }],
    ['aap', 'AAP has made the order', { ...byAap, reconciled: 'v1' }],
    ['aap+', 'controller mode is off', { ...wantsController, ...off }],
    [
      'aap!UnsupportedTemplate',
      'its OrderTemplate was deleted: what it made runs on',
      { ...byController, reconciled: 'v2' },
    ],
    ['aap!UnsupportedTemplate', 'what AAP has made runs on', { ...byAap, ...wantsController, reconciled: 'v2' }],
    ['aap>aap', 'the annotation names a way on', { ...byController, ...wantsAap, reconciled: 'v2' }],
  ]);
});

suite('an OrderTemplate', () => {
  table({ template: 'custom' }, [
    ['controller+', 'the other mode cannot do it, whatever the rollout', { uid: late }],
    ['controller+', 'the controller is asked for', wantsController],
    ['aap+', 'AAP is asked for: its business', wantsAap],
    ['controller', 'the controller has made it', { ...byController, reconciled: 'v1' }],
    ['UnsupportedTemplate', 'the order was left to AAP so far', { ...byAap, reconciled: 'v1' }],
    ['UnsupportedTemplate', 'controller mode is off', off],
    ['UnsupportedTemplate', 'controller mode is off, also for the annotation', { ...wantsController, ...off }],
    ['UnsupportedTemplate', 'controller mode is off at a change', { ...byController, reconciled: 'v1', ...off }],
    [
      'aap!UnsupportedTemplate',
      'controller mode is off: what it made runs on',
      { ...byController, reconciled: 'v2', ...off },
    ],
    ['aap!UnsupportedTemplate', 'one of that id came after AAP had made the order', { ...byAap, reconciled: 'v2' }],
  ]);
});

function accepted(configVersion: string, ago: number, more: Partial<WebhookRecord> = {}): WebhookRecord {
  const time = new Date(now - ago * minutes).toISOString();
  const acceptance = { acceptedTime: time, acceptedConfigVersion: configVersion };
  return { action: 'create', configVersion, attempts: 1, lastAttemptTime: time, ...acceptance, ...more };
}

suite('the controller takes over from AAP', () => {
  const failed = { acceptedTime: undefined, acceptedConfigVersion: undefined, lastError: 'no' } as unknown as object;
  const silent = { ...failed, unansweredTime: new Date(now - 2 * minutes).toISOString() };
  table({ ...byAap, ...wantsController, reconciled: 'v1' }, [
    ['controller+', 'AAP was never asked', {}],
    ['wait 10m', 'AAP has taken it five minutes ago', { webhook: accepted('v2', 5) }],
    ['wait 15m', 'AAP has just taken it', { webhook: accepted('v2', 0) }],
    ['controller+', 'AAP was quiet for long enough', { webhook: accepted('v2', 15) }],
    ['controller+', 'AAP has done what it was last asked for', { webhook: accepted('v1', 5) }],
    ['controller+', 'AAP has never taken it', { webhook: accepted('v2', 5, failed) }],
    ['wait 13m', 'AAP has not answered, and may have taken it', { webhook: accepted('v2', 5, silent) }],
    [
      'wait 10m',
      'AAP works on an older one, and has not taken the newer',
      { webhook: accepted('v0', 5, { configVersion: 'v2', lastError: 'no' }) },
    ],
    ['wait 20m', 'a clock goes a little wrong', { webhook: accepted('v2', -5) }],
    ['controller+', 'a clock was very wrong', { webhook: accepted('v2', -60 * 24) }],
    ['controller+', 'the time is none', { webhook: accepted('v2', 0, { acceptedTime: 'soon' }) }],
    ['aap', 'AAP goes on itself', { ...wantsAap, webhook: accepted('v2', 5) }],
    ['wait 10m', 'nothing was ever made', { reconciled: undefined, webhook: accepted('v2', 5) }],
  ]);

  test('says what it waits for', () => {
    const decision = decideMode({ ...base, ...byAap, ...wantsController, webhook: accepted('v1', 5) });
    assert.ok('why' in decision);
    assert.match(decision.why, /config version "v1" may be running/);
  });
});

/** Every combination of the inputs. */
const classes: readonly TemplateClass[] = ['native', 'custom', 'floating-ip', 'unknown'];
const inputs: fc.Arbitrary<ModeInput> = fc.record({
  uid: fc.uuid(),
  templateID: fc.constant('t'),
  template: fc.constantFrom(...classes),
  managedBy: fc.constantFrom(undefined, 'controller', 'aap', 'both'),
  provisionedBy: fc.constantFrom(undefined, 'controller' as const, 'aap' as const),
  hasAapMarks: fc.boolean(),
  desired: fc.constant('v2'),
  reconciled: fc.constantFrom(undefined, 'v1', 'v2'),
  fallbackConfigVersion: fc.constantFrom(undefined, 'v1', 'v2'),
  controllerMode: fc.boolean(),
  rolloutPercentage: fc.integer({ min: 0, max: 100 }),
  webhook: fc.constantFrom(undefined, accepted('v1', 5), accepted('v2', 5), accepted('v2', 60)),
  quietPeriodMs: fc.constant(15 * minutes),
  now: fc.constant(now),
});

const checks = { numRuns: 3000 };

suite('whatever is asked for', () => {
  test('an order that is recorded never moves by percentage', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 0, max: 100 }), (input, rolloutPercentage) => {
        fc.pre(provisioner(input) !== undefined);
        assert.deepEqual(decideMode({ ...input, rolloutPercentage }), decideMode(input));
      }),
      checks,
    );
  });

  test('an order that is as ordered keeps its record, and AAP is not called for it by a switch', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const decision = decideMode({ ...input, reconciled: 'v2', hasAapMarks: true });
        if (!('mode' in decision)) return assert.equal(word(decision), 'UnknownManagedBy');
        if (decision.record) assert.deepEqual([input.provisionedBy, decision.mode], [undefined, 'aap']);
        return undefined;
      }),
      checks,
    );
  });

  test('the controller does nothing while it is off, nor with a template that it cannot do', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const decision = decideMode(input);
        if (!('mode' in decision) || decision.mode === 'aap') return;
        assert.equal(input.controllerMode, true);
        assert.ok(input.template === 'native' || input.template === 'custom');
      }),
      checks,
    );
  });

  test('what was decided and recorded is decided again', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const decision = decideMode(input);
        if (!('mode' in decision) || !decision.record) return;
        const again = decideMode({ ...input, provisionedBy: decision.mode });
        assert.deepEqual(again, { ...decision, record: false });
      }),
      checks,
    );
  });

  test('every problem has a way out in its message', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const decision = decideMode(input);
        const problem = 'problem' in decision ? decision.problem : 'refused' in decision ? decision.refused : undefined;
        if (problem !== undefined)
          assert.match(problem.message, /(set it to|set the annotation|by the annotation|ask an)/);
      }),
      checks,
    );
  });
});
