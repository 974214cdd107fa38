/**
 * Leaders that die, freeze, block and lose their network, as real processes. In each scenario the old leader must
 * notice before it reconciles again, another must take over, and the history on the server must show no newer state
 * overwritten by an older writer.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { holderOf, leases } from '../../packages/kube/src/leader-election/lease.ts';
import { startHarness, type Harness, type HarnessKind } from '../runtime/harness.ts';
import { until } from '../runtime/until.ts';
import { contenders, type Contender, type Contenders } from './contenders.ts';
import { History, violations } from './history.ts';
import { names, patience, type Settings } from './settings.ts';
import { startSilentProxy } from './silent-proxy.ts';

interface Stage {
  readonly harness: Harness;
  readonly namespace: string;
  readonly history: History;
  readonly crew: Contenders;
  /** The first one, at work. */
  leader(settings?: Partial<Settings>, through?: Harness['cluster']): Promise<Contender>;
  standby(settings?: Partial<Settings>): Promise<Contender>;
  /** Waits until this one has written three times. */
  acts(contender: Contender): Promise<void>;
}

/** What all scenarios must show at their end. `old` is the leader that was disturbed. */
async function clean(stage: Stage, old: Contender, standby: Contender): Promise<void> {
  const { history } = stage;
  await stage.acts(standby);
  assert.deepEqual(violations(history.writes), []);
  const last = history.writes.findLastIndex(({ writer }) => writer === old.identity);
  assert.ok(last >= 0 && history.writes.slice(last + 1).every(({ writer }) => writer === standby.identity));
}

const count = ({ said }: Contender, did: string): number => said.filter((one) => one.did === did).length;

export function leadershipScenarios(kind: HarnessKind): void {
  describe(
    `leaders as processes, on ${kind === 'sandbox' ? 'the sandbox' : 'a kube-apiserver'}`,
    { concurrency: 4 },
    () => {
      let harness: Harness;
      before(async () => {
        harness = await startHarness(kind);
      });
      after(() => harness?.stop());

      const scenario = (name: string, play: (stage: Stage) => Promise<void>): void =>
        void test(name, { timeout: 180_000 }, () => onStage(harness, play));

      scenario('L5: a leader that is killed is followed by the standby', async (stage) => {
        const old = await stage.leader();
        const standby = await stage.standby();
        await old.next('has read');
        old.signal('SIGKILL');
        await clean(stage, old, standby);
      });

      scenario(
        'split brain: a leader that was stopped until another had acted writes nothing when it goes on',
        async (stage) => {
          const { old, standby } = await stopped(stage);
          const begun = count(old, 'begins');
          old.signal('SIGCONT');
          assert.equal(await old.end(), 1);
          assert.deepEqual(old.said.at(-1)?.why, 'LeadershipLost', 'its write was refused before it left');
          assert.equal(count(old, 'begins'), begun, 'and it began no other reconcile');
          await clean(stage, old, standby);
        },
      );

      scenario(
        'L6: without a look at the term, the resourceVersion refuses what a stopped leader writes',
        async (stage) => {
          const { old, standby } = await stopped(stage, { fences: 'version' });
          old.signal('SIGCONT');
          await old.until('is refused', () => old.said.at(-1)?.did === 'was refused');
          assert.equal(old.said.at(-1)?.why, 'Conflict');
          assert.equal(await old.end(), 1);
          await clean(stage, old, standby);
        },
      );

      scenario(
        'L6: without any fence the history shows the damage, so that these tests prove something',
        async (stage) => {
          const { old, standby } = await stopped(stage, { fences: 'none' });
          old.signal('SIGCONT');
          await until('the damage is done', () => violations(stage.history.writes).length > 0, patience);
          assert.match(violations(stage.history.writes).join('\n'), new RegExp(`by ${old.identity}: epoch`));
          await stage.acts(standby);
        },
      );

      scenario(
        'L7: a leader whose event loop is blocked until another has acted writes nothing afterwards',
        async (stage) => {
          const old = await stage.leader();
          const standby = await stage.standby();
          old.block();
          await stage.acts(standby);
          const [begun, wrote] = [count(old, 'begins'), count(old, 'wrote')];
          await old.unblock();
          assert.equal(await old.end(), 1);
          assert.equal(old.said.at(-1)?.why, 'LeadershipLost');
          assert.deepEqual([count(old, 'begins'), count(old, 'wrote')], [begun, wrote]);
          await clean(stage, old, standby);
        },
      );

      scenario(
        'L5: a leader that is cut off ends before another leads, and what it sent arrives too late',
        async (stage) => {
          const proxy = await startSilentProxy(stage.harness.cluster);
          try {
            const old = await stage.leader({}, { ...stage.harness.cluster, ...proxy.credentials });
            const standby = await stage.standby();
            await old.next('has read'); // the write that follows is held by the proxy
            proxy.silence();
            assert.equal(await old.end(), 1);
            await stage.acts(standby);
            proxy.heal();
            const [stopping = Infinity, leads = 0] = [old.logged('stopping'), standby.logged('became the leader')];
            assert.ok(stopping < leads, `the old one stopped ${stopping - leads} ms too late`);
            await clean(stage, old, standby);
          } finally {
            await proxy.stop();
          }
        },
      );

      scenario('L4: a leader that is asked to stop finishes, releases and is followed at once', async (stage) => {
        const old = await stage.leader();
        const standby = await stage.standby();
        old.signal('SIGTERM');
        assert.equal(await old.end(), 0);
        assert.equal(count(old, 'begins'), count(old, 'wrote'), 'what it began it finished');
        await clean(stage, old, standby);
      });

      scenario('M4: a second signal ends a process that cannot stop', async (stage) => {
        const old = await stage.leader({ stubborn: true });
        old.signal('SIGTERM');
        await until('the first one was heard', () => old.logged('signal received') !== undefined, patience);
        assert.equal(old.ended, false);
        old.signal('SIGINT');
        assert.equal(await old.end(), 1);
        const lease = await stage.harness.direct.get(leases, { namespace: stage.namespace, name: names.lease });
        assert.equal(holderOf(lease), old.identity, 'and its lease must expire');
      });
    },
  );
}

/** A leader that is stopped after it has read and before it writes, until the standby has acted. */
async function stopped(
  stage: Stage,
  settings: Partial<Settings> = {},
): Promise<{ old: Contender; standby: Contender }> {
  const old = await stage.leader(settings);
  const standby = await stage.standby();
  old.freeze();
  await stage.acts(standby);
  return { old, standby };
}

async function onStage(harness: Harness, play: (stage: Stage) => Promise<void>): Promise<void> {
  const namespace = await harness.namespace('leadership');
  const history = await History.begin(harness.direct, { namespace, name: names.state });
  const crew = await contenders(namespace);
  const acts = async (contender: Contender): Promise<void> => {
    const before = history.by(contender.identity).length;
    await contender.until('has acted', () => history.by(contender.identity).length >= before + 3);
  };
  try {
    await play({
      harness,
      namespace,
      history,
      crew,
      acts,
      async leader(settings = {}, through = harness.cluster) {
        const contender = await crew.start('old', { through, ...settings });
        await contender.until('leads', () => contender.said.some(({ did }) => did === 'has read'));
        return contender;
      },
      async standby(settings = {}) {
        const contender = await crew.start('new', { through: harness.cluster, ...settings });
        await contender.until('waits for the lease', () => contender.logged('new leader') !== undefined);
        return contender;
      },
    });
  } finally {
    await crew.stop();
    await history.end();
  }
}
