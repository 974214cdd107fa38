/** Reads the recorded steps of a real server. */
import { readFileSync } from 'node:fs';
import type { Status } from '../../../server/api/status.ts';
import type { KubeObject } from '../../../values/json.ts';

export interface ObservedStep {
  readonly verb: 'create' | 'put' | 'patch' | 'apply';
  readonly apiVersion: string;
  readonly kind: string;
  readonly manager: string;
  readonly subresource: string;
  readonly force: boolean;
  readonly now: string;
  /** The stored object before the step, if it is not the result of the previous step. */
  readonly live?: KubeObject;
  /** The applied configuration, or the object that an update stores. */
  readonly input: KubeObject;
  /** The stored object; `error` says why nothing was stored. */
  readonly result?: KubeObject;
  readonly error?: Status;
}

export interface Observed {
  readonly name: string;
  readonly resource: string;
  readonly steps: readonly ObservedStep[];
}

export function readObserved(): Observed[] {
  return JSON.parse(readFileSync(new URL('observed.json', import.meta.url), 'utf8')) as Observed[];
}
