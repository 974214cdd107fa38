/** Writes the chart's README from the comments of its values. */
import { isMap, isScalar, parseDocument, stringify, type Pair } from 'yaml';

export interface Described {
  readonly path: string;
  readonly text: string;
  readonly default: string;
}

/** `describedValues` returns the values whose comment begins with `--`, in file order. */
export function describedValues(valuesYaml: string): readonly Described[] {
  const { contents } = parseDocument(valuesYaml);
  return isMap(contents) ? contents.items.flatMap((pair) => describe(pair, [])) : [];
}

function describe({ key, value }: Pair, above: readonly string[]): readonly Described[] {
  if (!isScalar(key)) return [];
  const path = [...above, String(key.value)];
  const nested = isMap(value) ? value.items.flatMap((item) => describe(item, path)) : [];
  const own = textOf(key.commentBefore);
  // The parser attaches the comment before a map's first key to the map; for a reader it describes the key.
  const ofFirst = isMap(value) ? textOf(value.commentBefore) : undefined;
  const rest = ofFirst === undefined ? nested : withFirst(nested, value, path, ofFirst);
  return own === undefined ? rest : [{ path: path.join('.'), text: own, default: shown(value) }, ...rest];
}

function withFirst(
  nested: readonly Described[],
  value: unknown,
  path: readonly string[],
  text: string,
): readonly Described[] {
  const first = isMap(value) ? value.items[0] : undefined;
  if (first === undefined || !isScalar(first.key)) return nested;
  return [{ path: [...path, String(first.key.value)].join('.'), text, default: shown(first.value) }, ...nested];
}

function textOf(comment: string | null | undefined): string | undefined {
  const lines = (comment ?? '').split('\n').map((line) => line.trim());
  const start = lines.findLastIndex((line) => line.startsWith('-- '));
  return start === -1 ? undefined : lines.slice(start).join(' ').replace(/^-- /, '').trim();
}

/** The default on one line. A map whose own values are described has none. */
function shown(value: unknown): string {
  const plain: unknown = JSON.parse(JSON.stringify(value ?? null));
  if (plain === '') return "`''`";
  return `\`${stringify(plain, { collectionStyle: 'flow', lineWidth: 0, singleQuote: true }).trim()}\``;
}

export function readme(valuesYaml: string): string {
  const values = describedValues(valuesYaml);
  const isSection = ({ path }: Described): boolean => values.some((other) => other.path.startsWith(`${path}.`));
  const rows = values.map(
    (one) => `| \`${one.path}\` | ${cell(one.text)} | ${isSection(one) ? '' : cell(one.default)} |`,
  );
  return `# The chart ssvirt

<!-- Written by \`make docs\` from the comments of values.yaml. -->

Installs the processes of ssvirt, each of which is optional: the API server, the vm-controller, the machine-operator and the
cloudkit-operator, with their definitions, rights, Services and all that watches them. [How to install it](../../../docs/provider/install.md).

Names are the same in every installation (\`ssvirt-api-server\`, the ConfigMap \`ssvirt-config\` …): a cluster has one installation, preferably in the
namespace \`ssvirt-system\`. Helm rejects unknown keys and invalid values with their path.

CustomResourceDefinitions, the namespace of the KubevirtConfigs and generated Secrets remain after \`helm uninstall\`.

| value | description | default |
| ----- | ---------- | ------- |
${rows.join('\n')}

The keys of \`config\` are those of [configuration.md](../../../docs/configuration.md), except for those that the chart sets itself. Each process has
\`nodeSelector\`, \`tolerations\`, \`affinity\`, \`topologySpreadConstraints\`, \`podAnnotations\`, \`extraEnv\`, \`extraVolumes\` and \`extraVolumeMounts\`.
`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
