/** What is measured. A server's figures are collected by name, so that those of several servers stand in one row. */
/** Without a unit it is a count. */
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
