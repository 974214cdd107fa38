/** The cells of one object in the columns of its kind. */
import type { Json, KubeObject } from '../../values/json.ts';
import type { Since } from './duration.ts';

/** Writes the cells of an object, one for each column of its kind. */
export type CellWriter = (object: KubeObject, since: Since) => Json[];

export type CellWriters = { readonly [kind: string]: CellWriter };

export const name = (object: KubeObject): string => object.metadata.name ?? '';

export const age = (object: KubeObject, since: Since): string => since(object.metadata.creationTimestamp);

export const none = '<none>';
export const unset = '<unset>';
export const orElse = (text: string, otherwise: string): string => (text === '' ? otherwise : text);
