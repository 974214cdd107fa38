/** Merges the figures of all rounds: medians, and the slowest of all. */
import { Figures, type Figure } from '../sandbox/figures.ts';
import { median } from '../sandbox/percentiles.ts';

export function mediansOf(rounds: readonly Figures[]): Figures {
  const all = new Figures();
  for (const { section, name, unit } of rounds[0]?.all ?? []) {
    const values = rounds.map((round) => valueOf(round, section, name));
    all.add(section, name, unit, name === 'orders that failed' ? Math.max(...values) : median(values));
    if (name.endsWith(', slowest') && !name.startsWith('raw'))
      all.add(section, `${name} of all rounds`, unit, Math.max(...values));
  }
  return all;
}

function valueOf({ all }: Figures, section: string, name: string): number {
  const found = all.find((figure: Figure) => figure.section === section && figure.name === name);
  if (found === undefined) throw new Error(`a round has no figure "${name}"`);
  return found.value;
}
