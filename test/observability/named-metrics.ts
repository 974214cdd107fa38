/** The metrics that dashboards, alert rules and runbooks name. */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';

const deploy = resolve(import.meta.dirname, '../../deploy');
export const runbooks: string = resolve(import.meta.dirname, '../../docs/operator/runbooks');

export interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource: { readonly uid: string };
  readonly targets: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly tags: readonly string[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
}

export function dashboards(): ReadonlyMap<string, Dashboard> {
  const files = globSync('dashboards/*.json', { cwd: deploy }).toSorted();
  return new Map(files.map((file) => [file, JSON.parse(readFileSync(join(deploy, file), 'utf8')) as Dashboard]));
}

export function alertRules(): readonly Rule[] {
  return globSync('alerts/*.yaml', { cwd: deploy }).flatMap((file) => {
    const { groups } = parse(readFileSync(join(deploy, file), 'utf8')) as {
      readonly groups: readonly { readonly rules: readonly Rule[] }[];
    };
    return groups.flatMap(({ rules }) => rules);
  });
}

/** The queries in runbooks: each line of their blocks in PromQL. */
function queries(): readonly Expression[] {
  return globSync('*.md', { cwd: runbooks }).flatMap((file) => {
    const blocks = readFileSync(join(runbooks, file), 'utf8').matchAll(/^```promql\n(.*?)^```$/gms);
    const lines = [...blocks].flatMap(([, text = '']) => text.trim().split('\n'));
    return lines.map((expr) => ({ where: file, expr }));
  });
}

export interface Expression {
  readonly where: string;
  readonly expr: string;
}

/** Every expression, with its location. */
export function expressions(): readonly Expression[] {
  const panels = [...dashboards()].flatMap(([file, { panels: all }]) =>
    all.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `${file}: ${title}`, expr }))),
  );
  return [...panels, ...alertRules().map(({ alert, expr }) => ({ where: alert, expr })), ...queries()];
}

export interface Selector {
  readonly metric: string;
  /** The contents of its braces; empty if there are none. */
  readonly matchers: string;
}

/** The names in an expression that are neither functions, labels nor words of PromQL, each with its selectors. */
export function selectorsIn(expr: string): readonly Selector[] {
  const bare = expr.replaceAll(/\[[^\]]*\]/g, '').replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '');
  const found = bare.matchAll(/\b([a-zA-Z_:][a-zA-Z0-9_:]*)\b(?!\s*\()(?:\{([^}]*)\})?/g);
  return [...found]
    .map(([, metric = '', matchers = '']) => ({ metric, matchers }))
    .filter(({ metric }) => !/^(and|or|unless|bool|by|without|on|ignoring|offset|e)$/.test(metric));
}

export function metricsIn(expr: string): readonly string[] {
  return selectorsIn(expr).map(({ metric }) => metric);
}
