/** What a writer knows of an object. A write whose answer was lost leaves two possible models. */
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';

export const finalizer = 'soak.example.org/hold';

export interface Model {
  readonly exists: boolean;
  /** Deleted, but held by a finalizer. */
  readonly leaving: boolean;
  readonly held: boolean;
  readonly fields: ReadonlyMap<string, string>;
}

export const absent: Model = { exists: false, leaving: false, held: false, fields: new Map() };

export type Change = (model: Model) => Model;

export const created =
  (held: boolean, fields: readonly (readonly [string, string])[]): Change =>
  () => ({ exists: true, leaving: false, held, fields: new Map(fields) });

export const written =
  (field: string, value: string): Change =>
  (model) => ({ ...model, fields: new Map([...model.fields, [field, value]]) });

export const deleted: Change = (model) => (model.held ? { ...model, leaving: true } : absent);

export const heldBy =
  (held: boolean): Change =>
  (model) =>
    model.leaving && !held ? absent : { ...model, held };

export type ReadField = (object: KubeObject, field: string) => string | undefined;

/** How an object differs from this model; undefined if they agree. */
export function disagreement(model: Model, object: KubeObject | undefined, read: ReadField): string | undefined {
  if (object === undefined) return model.exists ? 'it is not there' : undefined;
  if (!model.exists) return 'it is there';
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if ((deletionTimestamp !== undefined) !== model.leaving)
    return model.leaving ? 'it is not being deleted' : 'it is being deleted';
  if (finalizers.includes(finalizer) !== model.held) return model.held ? 'its finalizer is gone' : 'it has a finalizer';
  for (const [field, value] of model.fields) {
    const found = read(object, field);
    if (found !== value) return `${field} is ${found ?? 'not there'} instead of ${value}`;
  }
  return undefined;
}

/** The possible models of one object. There is one, except while the outcome of the last write is unknown. */
export class Belief {
  #models: readonly Model[];
  #uid: string | undefined;
  readonly #read: ReadField;

  constructor(model: Model, read: ReadField) {
    this.#models = [model];
    this.#read = read;
  }

  /** Undefined while in doubt. */
  get model(): Model | undefined {
    return this.#models.length === 1 ? this.#models[0] : undefined;
  }

  /** Records a write that the answer confirms. Returns a complaint if the answer does not show it. */
  acknowledge(change: Change, answer: KubeObject | undefined): string | undefined {
    this.#models = this.#models.map(change);
    if (this.model?.exists === false) this.#uid = undefined;
    // A delete is answered with a Status or with the last state of the object.
    return answer === undefined || this.model?.exists === false ? undefined : this.settle(answer);
  }

  doubt(change: Change): void {
    this.#models = [...this.#models, ...this.#models.map(change)];
  }

  /** Takes the server's state of the object, which ends every doubt. Returns a complaint if no model fits. */
  settle(object: KubeObject | undefined): string | undefined {
    const complaints = this.#models.map((model) => disagreement(model, object, this.#read));
    const fitting = complaints.lastIndexOf(undefined);
    const uid = object?.metadata.uid;
    const strange =
      uid !== undefined && this.#uid !== undefined && uid !== this.#uid ? 'its uid has changed' : undefined;
    this.#uid = uid;
    const model = this.#models[fitting];
    // Reports a difference once: from here on the object counts as it is.
    this.#models = [model ?? adopt(object, this.#models[0] as Model, this.#read)];
    return model === undefined ? complaints.join(', or ') : strange;
  }
}

function adopt(object: KubeObject | undefined, last: Model, read: ReadField): Model {
  if (object === undefined) return absent;
  const fields = [...last.fields.keys()].flatMap((field) => {
    const value = read(object, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  return {
    exists: true,
    leaving: object.metadata.deletionTimestamp !== undefined,
    held: object.metadata.finalizers?.includes(finalizer) ?? false,
    fields: new Map(fields),
  };
}
