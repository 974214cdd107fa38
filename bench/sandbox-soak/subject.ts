/** An object that a writer works on, with every kind of write to it. */
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';
import type { Call } from '../sandbox/connection.ts';
import { withField, type Kind } from './kinds.ts';
import { absent, Belief, created, deleted, finalizer, heldBy, written, type Change } from './model.ts';

export interface Write {
  readonly call: Call;
  readonly expected: readonly number[];
  readonly change: Change;
}

const mergePatch = 'application/merge-patch+json';

export class Subject {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly index: number;
  readonly belief: Belief;
  /** A write was not answered in time and may still happen: the object is not touched before the next quiet point. */
  quarantined = false;

  constructor(kind: Kind, namespace: string, name: string, index: number) {
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
    this.index = index;
    this.belief = new Belief(absent, (object, field) => kind.read(object, field));
  }

  get path(): string {
    return `${this.kind.collection(this.namespace)}/${this.name}`;
  }

  get key(): string {
    return `${this.kind.kind} ${this.namespace}/${this.name}`;
  }

  create(value: string, held: boolean): Write {
    const object = withField(this.kind, this.kind.object(this.name, this.index), 'merge', value);
    if (held) object.metadata = { ...object.metadata, finalizers: [finalizer] };
    return {
      call: { method: 'POST', path: this.kind.collection(this.namespace), body: JSON.stringify(object) },
      expected: [201],
      change: created(held, [['merge', value]]),
    };
  }

  merge(field: string, value: string): Write {
    const body = JSON.stringify(this.kind.place(field, value));
    return this.#patch(body, written(field, value));
  }

  apply(manager: string, value: string): Write {
    const { apiVersion, kind } = this.kind;
    const field = `apply-${manager}`;
    const config = withField(this.kind, { apiVersion, kind, metadata: { name: this.name } }, field, value);
    return {
      call: {
        method: 'PATCH',
        path: `${this.path}?fieldManager=soak-${manager}&force=true`,
        type: 'application/apply-patch+yaml',
        body: JSON.stringify(config),
      },
      expected: [200],
      change: written(field, value),
    };
  }

  status(round: number): Write {
    return {
      call: {
        method: 'PATCH',
        path: `${this.path}/status`,
        type: mergePatch,
        body: JSON.stringify(this.kind.status?.(round) ?? {}),
      },
      expected: [200],
      change: written('status', String(round + 1)),
    };
  }

  /** Builds the update from the object as read, so that a change in between is a conflict. */
  update(read: KubeObject, value: string, conflicts: boolean): Write {
    const body = JSON.stringify(withField(this.kind, read, 'update', value));
    return {
      call: { method: 'PUT', path: this.path, body },
      expected: conflicts ? [200, 409] : [200],
      change: written('update', value),
    };
  }

  hold(held: boolean): Write {
    const finalizers = held ? [finalizer] : null;
    return this.#patch(JSON.stringify({ metadata: { finalizers } }), heldBy(held));
  }

  delete(): Write {
    return { call: { method: 'DELETE', path: this.path }, expected: [200], change: deleted };
  }

  #patch(body: string, change: Change): Write {
    return { call: { method: 'PATCH', path: this.path, type: mergePatch, body }, expected: [200], change };
  }
}
