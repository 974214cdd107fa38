/** The figures of several servers side by side, with their ratios to the last of them. */
import type { Figure, Unit } from './figures.ts';

export interface Column {
  readonly server: string;
  readonly figures: readonly Figure[];
}

export interface Row {
  readonly section: string;
  readonly name: string;
  readonly unit: Unit;
  /** By server. */
  readonly values: Readonly<Record<string, number>>;
  /** By server: its value as a multiple of the real one's. */
  readonly ratios: Readonly<Record<string, number>>;
}

export const reference = 'real';

export function rowsOf(columns: readonly Column[]): readonly Row[] {
  const first = columns[0]?.figures ?? [];
  const sections = [...new Set(first.map(({ section }) => section))];
  const sorted = sections.flatMap((section) => first.filter((figure) => figure.section === section));
  return sorted.map(({ section, name, unit }) => {
    const values: Record<string, number> = {};
    for (const { server, figures } of columns) {
      const found = figures.find((figure) => figure.section === section && figure.name === name);
      if (found !== undefined) values[server] = found.value;
    }
    return { section, name, unit, values, ratios: ratiosOf(values) };
  });
}

function ratiosOf(values: Readonly<Record<string, number>>): Record<string, number> {
  const real = values[reference];
  if (real === undefined || real <= 0) return {};
  const others = Object.entries(values).filter(([server]) => server !== reference);
  return Object.fromEntries(others.map(([server, value]) => [server, value / real]));
}

/** A Markdown table that is readable as plain text, for use in the documentation. */
export function table(rows: readonly Row[], servers: readonly string[]): string {
  const compared = servers.includes(reference) ? servers.filter((server) => server !== reference) : [];
  const head = ['', 'unit', ...servers, ...compared.map((server) => `${server} / ${reference}`)];
  const lines = sectioned(rows).flatMap(([section, members]) => [
    [`**${section}**`, ...Array.from({ length: head.length - 1 }, () => '')],
    ...members.map(({ name, unit, values, ratios }) => [
      name,
      unit,
      ...servers.map((server) => number(values[server])),
      ...compared.map((server) => ratio(ratios[server])),
    ]),
  ]);
  return align([head, ...lines]);
}

function sectioned(rows: readonly Row[]): readonly [string, readonly Row[]][] {
  const sections = [...new Set(rows.map(({ section }) => section))];
  return sections.map((section) => [section, rows.filter((row) => row.section === section)]);
}

export function align(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0), 3));
  const cell = (text: string, column: number): string =>
    column < 2 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  const format = (line: readonly string[]): string => `| ${line.map(cell).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [format(lines[0] ?? []), rule, ...lines.slice(1).map(format)].join('\n');
}

function number(value: number | undefined): string {
  if (value === undefined) return 'n/a';
  return Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const ratio = (value: number | undefined): string => (value === undefined ? 'n/a' : `${number(value)}×`);
