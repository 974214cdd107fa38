/**
 * Parameter values that the server generated. Only the first response contains them, so they are printed whatever
 * happens to the task.
 */
import { note } from '../output/streams.ts';
import type { Format } from '../output/view.ts';

export type GeneratedParameters = Readonly<Record<string, string>>;

export interface WithGenerated {
  readonly generatedParameters?: GeneratedParameters;
}

/** `tellGenerated` prints them on stderr; in JSON and YAML they are part of the output on stdout. */
export function tellGenerated(format: Format, { generatedParameters = {} }: WithGenerated): void {
  if (isData(format)) return;
  for (const line of linesOf(generatedParameters)) note(line);
}

export function isData(format: Format): boolean {
  return format === 'json' || format === 'yaml';
}

export function linesOf(generated: GeneratedParameters): readonly string[] {
  const all = Object.entries(generated);
  return all.length === 0
    ? []
    : ['Generated parameters (not shown again):', ...all.map(([name, value]) => `  ${name}=${value}`)];
}

/** `withGenerated` adds them to an object that was read later. */
export function withGenerated<T>(done: T, { generatedParameters }: WithGenerated): T {
  return generatedParameters === undefined ? done : { ...done, generatedParameters };
}
