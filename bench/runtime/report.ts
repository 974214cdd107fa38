/** The figures of several contestants side by side, with their ratios to one of them. */
import type { Figures } from '../sandbox/figures.ts';
import { align } from '../sandbox/report.ts';

export interface Column {
  readonly name: string;
  readonly figures: Figures;
}

export function compare(columns: readonly Column[], reference: string): string {
  const rival = columns.find(({ name }) => name === reference);
  const against = rival === undefined ? [] : columns.filter((column) => column !== rival);
  const head = ['', 'unit', ...columns.map(({ name }) => name), ...against.map(({ name }) => `${name} / ${reference}`)];
  const rows = (columns[0]?.figures.all ?? []).map(({ section, name, unit }) => {
    const value = ({ figures }: Column): number | undefined =>
      figures.all.find((figure) => figure.section === section && figure.name === name)?.value;
    const base = rival === undefined ? undefined : value(rival);
    const ratio = (column: Column): string => {
      const own = value(column);
      return own === undefined || base === undefined || base === 0 ? 'n/a' : `${(own / base).toFixed(2)}×`;
    };
    return [`${section}: ${name}`, unit, ...columns.map((column) => number(value(column))), ...against.map(ratio)];
  });
  return align([head, ...rows]);
}

function number(value: number | undefined): string {
  if (value === undefined) return 'n/a';
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
