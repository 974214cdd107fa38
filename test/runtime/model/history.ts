/** The history of the Widgets of a namespace, from the answers to their writer. */
import type { Widget } from '../widget.ts';

export interface State {
  readonly resourceVersion: string;
  /** Whether it matches the selector of a selecting informer. */
  readonly selected: boolean;
}

export interface Life {
  readonly name: string;
  readonly states: State[];
  ended: boolean;
}

export class History {
  /** By uid: a reused name starts another life. */
  readonly lives = new Map<string, Life>();

  wrote({ metadata }: Widget): void {
    const { uid = '', name = '', resourceVersion = '', labels } = metadata;
    let life = this.lives.get(uid);
    if (life === undefined) this.lives.set(uid, (life = { name, states: [], ended: false }));
    // A write that changes nothing adds no state.
    if (life.states.at(-1)?.resourceVersion !== resourceVersion)
      life.states.push({ resourceVersion, selected: labels?.['tier'] === 'in' });
  }

  deleted(uid: string): void {
    const life = this.lives.get(uid);
    if (life !== undefined) life.ended = true;
  }
}
