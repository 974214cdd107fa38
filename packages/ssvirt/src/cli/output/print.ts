/** Prints one object or a list on stdout, in the requested format. */
import { stringify } from 'yaml';
import { columns } from './columns.ts';
import { plain } from './plain.ts';
import { note, say } from './streams.ts';
import { cells, headers, type Format, type View } from './view.ts';

export function printOne<T>(view: View<T>, format: Format, one: T): void {
  say(format === 'json' || format === 'yaml' ? data(format, one) : text(view, format, [one]));
}

/** In JSON and YAML the output is always a list, even with one object or none. */
export function printList<T>(view: View<T>, format: Format, all: readonly T[]): void {
  if (format === 'json' || format === 'yaml') say(data(format, all));
  else if (all.length === 0) note(`no ${view.plural}`);
  else say(text(view, format, all));
}

/** Formats any data, for commands whose text form is not a table. */
export function data(format: 'json' | 'yaml', value: unknown): string {
  return format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : stringify(value, { lineWidth: 0 });
}

function text<T>(view: View<T>, format: Exclude<Format, 'json' | 'yaml'>, all: readonly T[]): string {
  const lines =
    format === 'name'
      ? all.map((one) => plain(view.name(one)))
      : columns([headers(view, format), ...all.map((one) => cells(view, format, one))], '');
  return lines.map((line) => `${line}\n`).join('');
}
