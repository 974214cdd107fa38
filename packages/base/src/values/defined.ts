/** `Defined` is T with every field optional, and no field that may be `undefined`. */
export type Defined<T extends object> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * `defined` returns the fields that are not undefined, to spread into an object whose optional fields must be absent
 * rather than undefined: `{ name, ...defined({ namespace }) }`.
 */
export function defined<T extends object>(fields: T): Defined<T> {
  const present: Defined<T> = {};
  // for-in takes half the time of Object.entries, and runs for every object that is built.
  for (const field in fields) {
    const value = fields[field];
    if (value !== undefined) present[field] = value as Exclude<T[typeof field], undefined>;
  }
  return present;
}
