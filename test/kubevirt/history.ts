/** The sequence of compared states of each object; equal neighbors are merged. */
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type { Identity } from './identity.ts';
import { Roll } from './identity.ts';
import type { State } from './states.ts';
import { comparedKinds, gone, sameState, stateOf } from './states.ts';
import type { RecordedEvent } from './transcripts.ts';

export interface Sighting {
  readonly state: State;
  /** The step during which it was seen. */
  readonly step: number;
}

export class History {
  readonly objects = new Map<Identity, Sighting[]>();
  readonly #roll = new Roll();

  /** Returns the identity of a compared object. */
  see(type: RecordedEvent['type'], kind: string, object: JsonObject, step: number): Identity | undefined {
    if (!comparedKinds.includes(kind)) return undefined;
    const identity = this.#roll.identify(kind, object, type === 'ADDED');
    const sightings = this.objects.get(identity) ?? [];
    this.objects.set(identity, sightings);
    const state = type === 'DELETED' ? gone : stateOf(kind, object);
    const last = sightings.at(-1);
    if (last === undefined || !sameState(last.state, state)) sightings.push({ state, step });
    return identity;
  }

  states(identity: Identity): readonly State[] {
    return (this.objects.get(identity) ?? []).map(({ state }) => state);
  }
}
