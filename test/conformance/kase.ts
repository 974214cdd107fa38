import type { Case, CaseOptions, Script } from './script.ts';

export function kase(name: string, run: (t: Script) => Promise<void>, options: CaseOptions = {}): Case {
  return { name, run, ...options };
}
