/** `SettingSource` is an unparsed value: its text and its source. */
export type SettingSource =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'flag'; readonly name: string };

export interface Setting {
  readonly path: string;
  readonly text: string | readonly string[];
  /** What a relative path in the text is relative to. */
  readonly folder: string;
  readonly source: SettingSource;
}

/** `Settings` holds the settings from one source. */
export interface Settings {
  readonly settings: readonly Setting[];
  readonly problems: readonly string[];
}

export function showSource(source: SettingSource): string {
  switch (source.kind) {
    case 'default':
      return 'the default';
    case 'file':
      return `${source.file}:${source.line}:${source.column}`;
    case 'environment':
    case 'flag':
      return source.name;
  }
}

/** Everything that is wrong with a configuration, one sentence per problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    super(`cannot use the configuration because of ${count}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}
