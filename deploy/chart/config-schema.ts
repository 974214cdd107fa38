/**
 * The JSON schema of `config` in the chart's values, derived from the typed configuration: Helm rejects what the
 * processes would reject, before anything is installed.
 */
import { schema as configKeys } from '../../packages/base/src/config/keys.ts';
import type { Key, Section } from '../../packages/base/src/config/schema.ts';

export type Json = { readonly [name: string]: unknown };

/** The sections that the processes of the chart read. */
const sections = ['log', 'api', 'controller', 'operator', 'cloudkit', 'images', 'database'] as const;

/** Keys that the chart sets itself, from its own values or from mount paths. */
const chartsOwn =
  /^(api\.(listen|publicUrl|tls|initialAdmin)|database\.(url|passwordFile)|cloudkit\.aap\.(tokenFile|caFile)|\w+\.(kubeconfig|context|namespace|kubevirtConfigsNamespace|metricsAddr|healthAddr|openMetrics))$/;

export function configSchema(): Json {
  const properties = Object.fromEntries(
    sections.map((name) => [name, sectionSchema(configKeys.members[name], [name])] as const),
  );
  return { type: 'object', additionalProperties: false, properties };
}

function sectionSchema({ doc, members }: Section, path: readonly string[]): Json {
  const properties = Object.entries(members)
    .filter(([name]) => !chartsOwn.test([...path, name].join('.')))
    .map(([name, member]) => [
      name,
      member.kind === 'section' ? sectionSchema(member, [...path, name]) : keySchema(member),
    ]);
  return {
    type: 'object',
    description: doc,
    additionalProperties: false,
    properties: Object.fromEntries(properties) as Json,
  };
}

function keySchema({ doc, type }: Key): Json {
  return { description: doc, ...typeSchema(type.name) };
}

function typeSchema(name: string): Json {
  const [, choices] = /^one of (.+)$/.exec(name) ?? [];
  if (choices !== undefined) return { type: 'string', enum: choices.split(', ') };
  const [, least, most] = /^int (?:from|of) (\d+)(?: to (\d+))?/.exec(name) ?? [];
  if (least !== undefined)
    return { type: 'integer', minimum: Number(least), ...(most === undefined ? {} : { maximum: Number(most) }) };
  const [, item] = /^list of (.+)$/.exec(name) ?? [];
  if (item !== undefined) return { type: 'array', items: typeSchema(item) };
  if (name === 'bool') return { type: 'boolean' };
  if (name === 'duration')
    return { type: ['string', 'integer'], pattern: '^(0|(\\d+(\\.\\d+)?(ns|us|µs|ms|s|m|h))+)$' };
  if (name === 'URL') return { type: 'string', pattern: '^https?://' };
  return { type: 'string' };
}
