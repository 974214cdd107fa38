/** Defects in the built-in kinds and in how objects are shown and read. */
import type { Defect } from '../defect.ts';

export const kinds: readonly Defect[] = [
  {
    name: 'a port of a Service has no targetPort of its own',
    file: 'kinds/service.ts',
    find: "port['targetPort'] = numberAt(port, 'port')",
    replace: "port['targetPort'] = 0",
    topics: ['builtin'],
  },
  {
    name: 'stringData of a Secret loses against data',
    file: 'kinds/secret.ts',
    find: "data[key] = Buffer.from(value).toString('base64')",
    replace: "data[key] ??= Buffer.from(value).toString('base64')",
    topics: ['builtin'],
  },
  {
    name: 'an immutable ConfigMap can be changed',
    file: 'kinds/config-map.ts',
    find: "old['immutable'] === true",
    replace: "object['immutable'] !== true",
    topics: ['builtin'],
  },
  {
    name: 'an image without a tag is not pulled again',
    file: 'kinds/pod-defaults.ts',
    find: "parts['tag'] === undefined || parts['tag'] === 'latest'",
    replace: "parts['tag'] === 'latest'",
    topics: ['builtin'],
  },
  {
    name: 'a Deployment gets a new generation with every write',
    file: 'kinds/generation.ts',
    find: "if (jsonEqual(object['spec'], old['spec'])) keep",
    replace: 'if (object === old) keep',
    topics: ['writes', 'builtin'],
  },
  {
    name: 'restarts of a pod are those of its last container',
    file: 'table/pod-cells.ts',
    find: '`${ready}/${total}`',
    replace: '`${ready}/${total + 1}`',
    topics: ['negotiation'],
  },
  {
    name: 'later tables of a watch repeat their columns',
    file: 'table/render.ts',
    find: 'options.noHeaders === true ? null',
    replace: 'objects.length === 0 ? null',
    topics: ['watch'],
  },
  {
    name: 'includeObject=None is not honoured',
    file: 'table/render.ts',
    find: "if (include === 'None') return null;",
    replace: '',
    topics: ['negotiation'],
  },
];
