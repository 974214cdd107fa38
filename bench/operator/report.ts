/** The figures by section, as a Markdown table that is readable as plain text. */
import type { Figures } from '../sandbox/figures.ts';
import { align } from '../sandbox/report.ts';

export function report({ all }: Figures): string {
  const sections = [...new Set(all.map(({ section }) => section))];
  const lines = sections.flatMap((section) => [
    [`**${section}**`, '', ''],
    ...all
      .filter((figure) => figure.section === section)
      .map(({ name, unit, value }) => [name, unit === '' ? '' : unit, number(value)]),
  ]);
  return align([['', 'unit', 'ssvirt'], ...lines]);
}

function number(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
