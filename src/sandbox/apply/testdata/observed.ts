/** What a real server did, step by step. */
import { readFileSync } from 'node:fs';
import type { Status } from '../../api/status.ts';
import type { KubeObject } from '../../json.ts';

export interface ObservedStep {
  readonly verb: 'create' | 'put' | 'patch' | 'apply';
  readonly apiVersion: string;
  readonly kind: string;
  readonly manager: string;
  readonly subresource: string;
  readonly force: boolean;
  readonly now: string;
  /** What was stored before the step, where that is not the result of the step before. */
  readonly live?: KubeObject;
  /** The applied configuration, or the object that an update would store. */
  readonly input: KubeObject;
  /** What was stored, or why it was not. */
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
