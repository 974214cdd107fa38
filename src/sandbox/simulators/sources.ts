/** Where the simulators' work comes from besides informers: what is there from the start, and faults that come and go. */
import type { Target } from '../../kube/controller/handlers.ts';
import type { Source, StartedSource } from '../../kube/controller/source.ts';
import type { Dials, SimulatedFault } from './dials.ts';
import { changedFaults } from './faults.ts';
import type { World } from './world.ts';

const started: StartedSource = {
  hasSynced: true,
  synced: () => Promise.resolve(),
  trouble: () => undefined,
};

/** Keys that are looked at once at the start, whether there is an object or not. */
export function given(name: string, targets: () => Iterable<Target>): Source {
  return {
    name,
    start(sink) {
      for (const target of targets()) sink.enqueue({ cluster: sink.cluster, ...target });
      return started;
    },
  };
}

/** Everybody whom a fault was or is for, when one comes or is lifted. */
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

/** Everybody whom a dial is for, when it is turned to something else. */
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
