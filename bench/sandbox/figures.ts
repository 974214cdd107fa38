/** `Figures` collects the figures of one server by name, so that those of several servers can share a row. */
/** An empty unit means a count. */
export type Unit = '' | '/s' | 'ms' | 's' | 'MB' | 'KB' | 'CPU s' | '%' | '×';

export interface Figure {
  readonly section: string;
  readonly name: string;
  readonly unit: Unit;
  readonly value: number;
}

export class Figures {
  readonly all: Figure[] = [];

  add(section: string, name: string, unit: Unit, value: number): void {
    this.all.push({ section, name, unit, value });
  }
}
