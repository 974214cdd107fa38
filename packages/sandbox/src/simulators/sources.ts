/** Sources of the simulators' controllers besides informers: fixed keys, and changes of dials and faults. */
import type { Target } from '@ssvirt/kube/controller/handlers';
import type { Source, StartedSource } from '@ssvirt/kube/controller/source';
import type { Dials, SimulatedFault } from './dials.ts';
import { changedFaults } from './faults.ts';
import type { World } from './world.ts';

const started: StartedSource = {
  hasSynced: true,
  synced: () => Promise.resolve(),
  trouble: () => undefined,
};

/** `given` enqueues the keys once at the start, whether an object exists or not. */
export function given(name: string, targets: () => Iterable<Target>): Source {
  return {
    name,
    start(sink) {
      for (const target of targets()) sink.enqueue({ cluster: sink.cluster, ...target });
      return started;
    },
  };
}

/** `faultsTurned` enqueues the targets of a fault when it is added or removed. */
export function faultsTurned(world: World, targetsOf: (fault: SimulatedFault) => Iterable<Target>): Source {
  return {
    name: 'faults',
    start(sink) {
      let before = world.dials.faults;
      const look = (): void => {
        const after = world.dials.faults;
        if (after === before) return;
        const changed = changedFaults(before, after);
        before = after;
        for (const fault of changed)
          for (const target of targetsOf(fault)) sink.enqueue({ cluster: sink.cluster, ...target });
      };
      const stop = world.onDialsChanged(look);
      sink.signal.addEventListener('abort', stop, { once: true });
      return started;
    },
  };
}

/** `dialTurned` enqueues the targets when the dial changes. */
export function dialTurned(world: World, dial: keyof Dials, targets: () => Iterable<Target>): Source {
  return {
    name: `dial ${dial}`,
    start(sink) {
      const read = (): string => JSON.stringify(world.dials[dial]);
      let before = read();
      const look = (): void => {
        const after = read();
        if (after === before) return;
        before = after;
        for (const target of targets()) sink.enqueue({ cluster: sink.cluster, ...target });
      };
      const stop = world.onDialsChanged(look);
      sink.signal.addEventListener('abort', stop, { once: true });
      return started;
    },
  };
}
