/** The figures of the contestants side by side, by section, with our ratio to the rival. */
import type { Column } from '../runtime/report.ts';
import { align } from '../sandbox/report.ts';

const own = 'ssvirt';
const rival = 'Go';

export function report(columns: readonly Column[]): string {
  const compared = [own, rival].every((name) => columns.some((column) => column.name === name));
  const head = ['', 'unit', ...columns.map(({ name }) => name), ...(compared ? [`${own} / ${rival}`] : [])];
  const all = columns.flatMap(({ figures }) => figures.all);
  const sections = [...new Set(all.map(({ section }) => section))];
  const lines = sections.flatMap((section) => {
    const names = new Map(all.filter((figure) => figure.section === section).map(({ name, unit }) => [name, unit]));
    const rows = [...names].map(([name, unit]) => {
      const values = new Map(columns.map((column) => [column.name, valueOf(column, section, name)]));
      return [name, unit, ...[...values.values()].map(number), ...(compared ? [ratio(values)] : [])];
    });
    return [[`**${section}**`, ...head.slice(1).map(() => '')], ...rows];
  });
  return align([head, ...lines]);
}

function valueOf({ figures }: Column, section: string, name: string): number | undefined {
  return figures.all.find((figure) => figure.section === section && figure.name === name)?.value;
}

function ratio(values: ReadonlyMap<string, number | undefined>): string {
  const [ours, theirs] = [values.get(own), values.get(rival)];
  return ours === undefined || theirs === undefined || theirs === 0 ? '' : `${(ours / theirs).toPrecision(2)}×`;
}

function number(value: number | undefined): string {
  if (value === undefined) return '';
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
