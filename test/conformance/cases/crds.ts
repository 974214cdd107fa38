import { array, crd, groupOf, object, widget, widgetSchema, widgets } from '../builders.ts';
import { kase } from '../kase.ts';
import { at, crdPath } from '../script.ts';
import type { Case, Script } from '../script.ts';
import type { Json, JsonObject } from '../../../packages/sandbox/src/values/json.ts';

const specSchema = (properties: JsonObject, rest: JsonObject = {}): JsonObject =>
  object({ spec: object(properties, rest) });

/** Creates a widget of each spec, by name w0, w1, …, and records the answers. */
async function each(t: Script, schema: JsonObject, specs: readonly Json[]): Promise<string> {
  await t.crd(crd(t.token, { schema }));
  const ns = await t.namespace();
  for (const [i, spec] of specs.entries()) await t.post(widgets(t.token, ns), widget(t.token, `w${i}`, { spec }));
  return widgets(t.token, ns);
}

/** Tries to create a CRD with a schema, and records how it is refused. */
async function refused(t: Script, schemas: readonly JsonObject[]): Promise<void> {
  for (const schema of schemas) await t.post(`${crdPath}?dryRun=All`, crd(t.token, { schema }));
}

export const crds: Case[] = [
  kase('POST CR with status and unknown top field', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    await t.post(
      widgets(t.token, ns),
      widget(t.token, 'a', { spec: { colour: 'red' }, status: { phase: 'Up' }, unknown: { a: 1 } }),
    );
  }),
  kase('8. CRDs: creation, conditions and deletion', async (t) => {
    const definition = crd(t.token);
    const name = `widgets.${groupOf(t.token)}`;
    await t.post(crdPath, definition);
    await t.served(definition);
    await t.until(
      `${crdPath}/${name}`,
      (answer) =>
        JSON.stringify(at(answer, 'status', 'conditions')).includes('"Established","status":"True"') ||
        JSON.stringify(at(answer, 'status', 'conditions') ?? []).includes('InitialNamesAccepted'),
    );
    const ns = await t.namespace();
    await t.post(widgets(t.token, ns), widget(t.token, 'a'));
    await t.delete(`${crdPath}/${name}`);
    await t.until(`${crdPath}/${name}`, ({ status }) => status === 404);
    await t.until(widgets(t.token, ns), ({ status }) => status === 404);
  }),
  kase('8. CRDs: definitions that are refused', async (t) => {
    const base = crd(t.token);
    const change = (edit: (spec: JsonObject, whole: JsonObject) => void): JsonObject => {
      const copy = structuredClone(base);
      edit(copy['spec'] as JsonObject, copy);
      return copy;
    };
    const version = (spec: JsonObject): JsonObject => (spec['versions'] as JsonObject[])[0] as JsonObject;
    await t.post(
      crdPath,
      change((_, whole) => (whole['metadata'] = { name: 'other.name' })),
    );
    await t.post(
      crdPath,
      change((spec) => (spec['scope'] = 'Everywhere')),
    );
    await t.post(
      crdPath,
      change((spec) => (spec['versions'] = [])),
    );
    await t.post(
      crdPath,
      change((spec) => (version(spec)['storage'] = false)),
    );
    await t.post(
      crdPath,
      change((spec) => delete version(spec)['schema']),
    );
    await t.post(
      crdPath,
      change((spec) => (version(spec)['name'] = 'V_1')),
    );
    await t.post(
      crdPath,
      change((spec) => (spec['names'] = { plural: 'Widgets', kind: 'widget' })),
    );
    await t.post(
      crdPath,
      change((spec) => (spec['group'] = 'nodots')),
    );
    await t.post(
      crdPath,
      change(
        (spec) => (version(spec)['additionalPrinterColumns'] = [{ name: 'x', type: 'colour', jsonPath: 'spec.x' }]),
      ),
    );
    await t.post(
      crdPath,
      change((spec) => (version(spec)['subresources'] = { scale: {} })),
    );
    await t.post(
      crdPath,
      change((spec) => (spec['preserveUnknownFields'] = true)),
    );
    await t.post(
      crdPath,
      change((spec) => (spec['conversion'] = { strategy: 'Magic' })),
    );
    await t.post(
      crdPath,
      change((spec) => (spec['group'] = 'widgets.k8s.io')),
    );
  }),
  kase('8. CRDs: schemas that are not structural', (t) =>
    refused(t, [
      { type: 'object', properties: { spec: { properties: { a: { type: 'string' } } } } },
      object({ spec: {} }),
      object({ spec: { type: 'object', additionalProperties: true, properties: { a: { type: 'string' } } } }),
      object({ spec: { type: 'thing' } }),
      { type: 'array', items: { type: 'string' } },
      object({ spec: array({ type: 'string' }, { 'x-kubernetes-list-type': 'pile' }) }),
      object({ spec: array(object({ n: { type: 'string' } }), { 'x-kubernetes-list-type': 'map' }) }),
      object({
        spec: array(object({ n: { type: 'string' } }), {
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['n'],
        }),
      }),
      object({ spec: array(object({ n: { type: 'string' } }), { 'x-kubernetes-list-type': 'set' }) }),
      object({ spec: { type: 'string', default: 5 } }),
      object({ spec: object({ a: { type: 'integer', default: 500, maximum: 5 } }) }),
      object({ spec: { type: 'string', pattern: '(' } }),
      object({ spec: { type: 'string', $ref: '#/x' } }),
      object({ spec: { type: 'string', nullable: true, uniqueItems: true } }),
      object({ metadata: object({ name: { type: 'string', pattern: 'a' }, labels: { type: 'object' } }) }),
      object({ spec: { type: 'object', 'x-kubernetes-int-or-string': true } }),
      object({ spec: object({}, { 'x-kubernetes-validations': [{ rule: 'self.x ==' }] }) }),
      object({ spec: object({}, { 'x-kubernetes-validations': [{ rule: 'self.x == 1' }] }) }),
      object({ spec: object({ x: { type: 'integer' } }, { 'x-kubernetes-validations': [{ rule: 'self.x' }] }) }),
      object({
        spec: object(
          { x: { type: 'integer' } },
          { 'x-kubernetes-validations': [{ rule: 'self.x > 1', message: 'a\nb' }] },
        ),
      }),
      object({ spec: { type: 'string', allOf: [{ type: 'string' }] } }),
      object({
        spec: object({ a: { type: 'string' } }, { required: ['a'], anyOf: [{ properties: { b: { minLength: 1 } } }] }),
      }),
    ]),
  ),
  kase('8. CRDs: defaulting', async (t) => {
    const path = await each(
      t,
      specSchema({
        a: { type: 'string', default: 'x' },
        b: object({ c: { type: 'integer', default: 1 }, d: { type: 'string' } }, { default: { d: 'deep' } }),
        e: object({ f: { type: 'boolean', default: true } }),
        g: array(object({ h: { type: 'string', default: 'i' } })),
        m: { type: 'object', additionalProperties: object({ n: { type: 'integer', default: 7 } }) },
        z: { type: 'string', default: 'nil', nullable: true },
        y: { type: 'string', default: 'not-nil' },
        l: array({ type: 'string' }, { default: ['p', 'q'] }),
      }),
      [
        {},
        { b: {} },
        { e: {} },
        { g: [{}, { h: 'own' }] },
        { m: { k: {} } },
        { z: null, y: null },
        { a: '', l: [] },
        null,
      ],
    );
    await t.patch('merge', `${path}/w6`, { spec: { a: null, l: null } });
    await t.post(path, widget(t.token, 'without-spec'));
  }),
  kase('8. CRDs: pruning', async (t) => {
    await each(
      t,
      specSchema({
        known: { type: 'string' },
        deep: object({ known: { type: 'string' } }),
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { strict: object({ a: { type: 'string' } }) },
        },
        map: { type: 'object', additionalProperties: object({ a: { type: 'string' } }) },
        list: array(object({ a: { type: 'string' } })),
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
      }),
      [
        { known: 'a', unknown: 1, deep: { known: 'b', unknown: { x: 1 } } },
        { free: { anything: [1, { x: 2 }], strict: { a: 'x', b: 'gone' } } },
        { map: { k: { a: '1', b: '2' } }, list: [{ a: '1', b: '2' }] },
        {
          template: {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'p', unknown: 1, labels: { a: 'b' } },
            spec: { x: 1 },
          },
        },
        { template: { kind: 'Pod' } },
        { any: [1, 'two', { three: 3 }] },
        { any: 5, known: null },
      ],
    );
  }),
  kase('invalid field', async (t) => {
    await each(t, widgetSchema, [
      { size: 0 },
      { size: 101 },
      { size: 'three' },
      { size: 1.5 },
      { colour: 'pink' },
      { colour: 5 },
      { name: 'far-too-long-name', size: -1 },
      { name: 'Upper' },
      { tags: ['a', 'a'] },
      { tags: [1] },
      { ports: [{ name: 'a' }, { name: 'a' }] },
      { ports: [{ port: 1 }] },
      { ports: 'none' },
      { options: { a: 1 } },
      { limit: true },
      { open: 'closed' },
      { nested: { on: 'yes', depth: 'deep' } },
      'text',
      [],
    ]);
    await t.crd(crd(t.token, { plural: 'gadgets', kind: 'Gadget', schema: widgetSchema }));
    const ns = await t.namespace('strict');
    await t.post(`${widgets(t.token, ns)}?fieldValidation=Strict`, widget(t.token, 'a', { spec: { sizes: 1 } }));
  }),
  kase('8. CRDs: structural schema validation of numbers and texts', async (t) => {
    await each(
      t,
      specSchema({
        i: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true, multipleOf: 2 },
        n: { type: 'number', minimum: 0.5 },
        i32: { type: 'integer', format: 'int32' },
        s: { type: 'string', minLength: 2, maxLength: 4 },
        part: { type: 'string', pattern: '[0-9]+x' },
        date: { type: 'string', format: 'date-time' },
        uuid: { type: 'string', format: 'uuid' },
        ip: { type: 'string', format: 'ipv4' },
        bytes: { type: 'string', format: 'byte' },
        uri: { type: 'string', format: 'uri' },
        duration: { type: 'string', format: 'duration' },
        email: { type: 'string', format: 'email' },
        e: { type: 'integer', enum: [1, 2] },
        b: { type: 'boolean' },
      }),
      [
        { i: 1 },
        { i: 10 },
        { i: 3 },
        {
          i: 4,
          n: 0.5,
          s: 'ab',
          date: '2020-01-02T03:04:05Z',
          uuid: '11111111-2222-4333-8444-555555555555',
          ip: '1.2.3.4',
          bytes: 'YWI=',
          uri: 'http://x',
          duration: '5m',
          email: 'a@b.c',
          e: 1,
          b: true,
        },
        { n: 0.4 },
        { n: 1 },
        { i32: 3000000000 },
        { s: 'a' },
        { s: 'abcde' },
        { s: 'äöüß' },
        { part: 'a12xb' },
        { part: 'a12b' },
        { date: 'today' },
        { uuid: 'x' },
        { ip: '1.2.3' },
        { bytes: '%%' },
        { uri: 'not a uri' },
        { duration: 'long' },
        { email: 'none' },
        { e: 3 },
        { b: 'true' },
        { i: null },
        { i: 2.0, n: 1e3 },
      ],
    );
  }),
  kase('8. CRDs: structural schema validation of objects, lists and logic', async (t) => {
    await each(
      t,
      specSchema(
        {
          a: { type: 'string' },
          b: { type: 'string' },
          c: { type: 'integer' },
          l: array({ type: 'integer' }, { minItems: 1, maxItems: 2 }),
          o: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: { type: 'string' } },
          r: object({ x: { type: 'string' }, y: { type: 'string' } }, { required: ['x', 'y'] }),
          n: { type: 'string', nullable: true },
        },
        {
          required: ['a'],
          oneOf: [{ required: ['b'] }, { required: ['c'] }],
          not: { properties: { a: { enum: ['never'] } }, required: ['a'] },
        },
      ),
      [
        {},
        { a: 'x' },
        { a: 'x', b: 'y' },
        { a: 'x', b: 'y', c: 1 },
        { a: 'never', b: 'y' },
        { a: 'x', c: 1, l: [] },
        { a: 'x', c: 1, l: [1, 2, 3] },
        { a: 'x', c: 1, l: ['1'] },
        { a: 'x', c: 1, o: {} },
        { a: 'x', c: 1, o: { p: '1', q: '2', r: '3' } },
        { a: 'x', c: 1, r: {} },
        { a: 'x', c: 1, r: { x: '' } },
        { a: null, c: 1 },
        { a: 'x', c: 1, n: null },
      ],
    );
  }),
  kase('8. CRDs: x-kubernetes-int-or-string', async (t) => {
    await each(
      t,
      specSchema({
        v: { 'x-kubernetes-int-or-string': true },
        w: {
          'x-kubernetes-int-or-string': true,
          anyOf: [{ type: 'integer' }, { type: 'string' }],
          pattern: '^[0-9]+%?$',
        },
      }),
      [{ v: 1 }, { v: '1%' }, { v: 1.5 }, { v: true }, { v: [] }, { v: null }, { w: '50%' }, { w: 'half' }, { w: 50 }],
    );
  }),
  kase('8. CRDs: CEL rules', async (t) => {
    const path = await each(
      t,
      specSchema(
        {
          min: { type: 'integer' },
          max: {
            type: 'integer',
            'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'max is immutable' }],
          },
          name: {
            type: 'string',
            'x-kubernetes-validations': [
              {
                rule: 'self.startsWith("x-")',
                messageExpression: '"name " + self + " must start with x-"',
                reason: 'FieldValueForbidden',
              },
            ],
          },
          cpu: {
            type: 'string',
            'x-kubernetes-validations': [
              { rule: 'isQuantity(self) && quantity(self).compareTo(quantity("2")) <= 0', message: 'at most 2 CPUs' },
            ],
          },
          items: array(object({ k: { type: 'string' }, v: { type: 'integer' } }, { required: ['k'] }), {
            maxItems: 10,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            'x-kubernetes-validations': [{ rule: 'self.all(i, !has(i.v) || i.v > 0)' }],
          }),
          url: {
            type: 'string',
            maxLength: 50,
            'x-kubernetes-validations': [
              { rule: 'isURL(self) && url(self).getScheme() == "https"', fieldPath: undefined },
            ],
          },
        },
        {
          'x-kubernetes-validations': [
            {
              rule: '!has(self.min) || !has(self.max) || self.min <= self.max',
              message: 'min must not be above max',
              fieldPath: '.min',
            },
            { rule: '!has(self.name) || size(self.name) < 10' },
          ],
        },
      ),
      [
        { min: 1, max: 2 },
        { min: 3, max: 2 },
        { name: 'y' },
        { name: 'x-far-too-long' },
        { cpu: '500m' },
        { cpu: '3' },
        { cpu: 'much' },
        { items: [{ k: 'a', v: 1 }, { k: 'b' }] },
        { items: [{ k: 'a', v: -1 }] },
        { url: 'https://example.com' },
        { url: 'http://example.com' },
        { min: 5, max: 1, name: 'zzzzzzzzzzzz' },
      ],
    );
    await t.patch('merge', `${path}/w0`, { spec: { max: 5 } });
    await t.patch('merge', `${path}/w0`, { spec: { min: 0 } });
    await t.patch('merge', `${path}/w0`, { spec: { max: null } });
    await t.patch('merge', `${path}/w0`, { spec: { max: 9 } });
  }),
  kase('8. CRDs: CEL functions of Kubernetes', async (t) => {
    const rules: Record<string, string> = {
      regex: 'self.s.find("[0-9]+") == "12" && self.s.findAll("[a-z]").size() == 2 && self.s.matches("^a")',
      lists: 'self.l.sum() == 6 && self.l.min() == 1 && self.l.isSorted() && self.w.indexOf("b") == 1',
      strings:
        'self.s.upperAscii() == "A12B" && self.c.split(",").size() == 2 && self.s.substring(1) == "12b" && self.s.replace("12", "x") == "axb" && self.w.join("-") == "a-b-a" && self.s.charAt(1) == "1"',
      quantities:
        'quantity("1Gi").isGreaterThan(quantity("1000M")) && quantity("1k").asInteger() == 1000 && quantity("1").add(1).sub(quantity("500m")).asApproximateFloat() == 1.5',
      'equal quantities':
        '!quantity("1k").isGreaterThan(quantity("1000")) && !quantity("1k").isLessThan(quantity("1000")) && quantity("1k").compareTo(quantity("1000")) == 0 && quantity("1k") == quantity("1000")',
      ips: 'ip("10.0.0.1").family() == 4 && cidr("10.0.0.0/8").containsIP("10.1.1.1") && !isIP("x")',
      macros:
        'self.l.exists(x, x > 1) && self.l.map(x, x * 2) == [2, 4, 6] && self.l.filter(x, x > 2) == [3] && self.l.exists_one(x, x == 1)',
      optional: 'self.?none.orValue("d") == "d" && self.?s.hasValue()',
      times: 'duration("1h").getMinutes() == 60 && timestamp("2020-01-01T00:00:00Z").getFullYear() == 2020',
      formats: '!format.dns1123Label().validate(self.s).hasValue() && format.named("uuid").hasValue()',
      semver: 'semver("1.2.3").isLessThan(semver("1.10.0")) && isSemver("1.0.0")',
      wrong: 'self.s == "something else"',
      division: '1 / self.zero == 1',
    };
    await t.crd(
      crd(t.token, {
        schema: object({
          spec: object(
            {
              s: { type: 'string', maxLength: 20 },
              c: { type: 'string', maxLength: 5 },
              l: array({ type: 'integer' }, { maxItems: 5 }),
              w: array({ type: 'string', maxLength: 5 }, { maxItems: 5 }),
              none: { type: 'string', maxLength: 5 },
              zero: { type: 'integer' },
            },
            {
              'x-kubernetes-validations': Object.entries(rules).map(([name, rule]) => ({
                rule,
                message: `${name} failed`,
              })),
            },
          ),
        }),
      }),
    );
    const ns = await t.namespace();
    await t.post(
      widgets(t.token, ns),
      widget(t.token, 'a', { spec: { s: 'a12b', c: 'a,b', l: [1, 2, 3], w: ['a', 'b', 'a'], zero: 0 } }),
    );
  }),
  kase('8. CRDs: CEL transition rules and ratcheting', async (t) => {
    const definition = crd(t.token, { schema: specSchema({ a: { type: 'string' }, b: { type: 'string' } }) });
    await t.crd(definition);
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/w`;
    await t.quiet.post(widgets(t.token, ns), widget(t.token, 'w', { spec: { a: 'bad', b: 'x' } }));
    await t.quiet.patch('json', `${crdPath}/widgets.${groupOf(t.token)}`, [
      {
        op: 'replace',
        path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a',
        value: { type: 'string', enum: ['good'] },
      },
    ]);
    for (let i = 0; ; i++) {
      const probe = await t.client.send({
        method: 'POST',
        path: `${widgets(t.token, ns)}?dryRun=All`,
        body: widget(t.token, 'probe', { spec: { a: 'bad' } }),
      });
      if (probe.status === 422) break;
      if (i > 400) throw new Error('the new schema did not come into force');
      await new Promise((wake) => setTimeout(wake, 25));
    }
    await t.patch('merge', path, { spec: { b: 'y' } });
    await t.patch('merge', path, { spec: { a: 'worse' } });
    await t.patch('merge', path, { spec: { a: 'good' } });
    await t.patch('merge', path, { spec: { a: 'bad' } });
  }),
  kase('8. CRDs: additionalPrinterColumns (Table)', async (t) => {
    await t.crd(
      crd(t.token, {
        version: {
          additionalPrinterColumns: [
            { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'how big' },
            { name: 'Colour', type: 'string', jsonPath: '.spec.colour' },
            { name: 'On', type: 'boolean', jsonPath: '.spec.nested.on' },
            { name: 'Tags', type: 'string', jsonPath: '.spec.tags' },
            { name: 'First', type: 'string', jsonPath: '.spec.tags[0]', priority: 1 },
            { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
            { name: 'Made', type: 'date', jsonPath: '.metadata.creationTimestamp' },
            { name: 'Wrong', type: 'integer', jsonPath: '.spec.colour' },
            { name: 'Limit', type: 'string', format: 'byte', jsonPath: '.spec.limit' },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      }),
    );
    const ns = await t.namespace();
    await t.quiet.post(
      widgets(t.token, ns),
      widget(t.token, 'a', { spec: { colour: 'red', tags: ['x', 'y'], limit: 5 } }),
    );
    await t.quiet.patch('merge', `${widgets(t.token, ns)}/a/status`, {
      status: {
        conditions: [
          { type: 'Other', status: 'x' },
          { type: 'Ready', status: 'True' },
        ],
      },
    });
    await t.quiet.post(widgets(t.token, ns), widget(t.token, 'b'));
    const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
    const table = await t.client.send({ method: 'GET', path: widgets(t.token, ns), headers: { accept } });
    const rows = at(table, 'rows') as { cells: Json[] }[];
    t.note('columns', at(table, 'columnDefinitions') ?? null);
    t.note(
      'cells without the ages',
      rows.map(({ cells }) => cells.filter((_, i) => i !== 7 && i !== 10)),
    );
    t.note(
      'the date columns are ages',
      rows.every(({ cells }) => /^\d+[ms]/.test(String(cells[7])) && /^\d+[ms]/.test(String(cells[10]))),
    );
  }),
  kase('8. CRDs: without printer columns a table has name and age', async (t) => {
    await t.crd(crd(t.token));
    const ns = await t.namespace();
    await t.quiet.post(widgets(t.token, ns), widget(t.token, 'a'));
    await t.get(widgets(t.token, ns), { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } });
    await t.get(`${widgets(t.token, ns)}/a?includeObject=None`, {
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    });
  }),
  kase('8. CRDs: scale subresource', async (t) => {
    await t.crd(
      crd(t.token, {
        version: {
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.size',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.phase',
            },
          },
        },
      }),
    );
    const ns = await t.namespace();
    const path = `${widgets(t.token, ns)}/a`;
    const made = await t.post(widgets(t.token, ns), widget(t.token, 'a', { spec: { size: 2 } }));
    await t.get(`${path}/scale`);
    await t.quiet.patch('merge', `${path}/status`, { status: { replicas: 1, phase: 'app=x' } });
    await t.get(`${path}/scale`);
    await t.put(`${path}/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: ns },
      spec: { replicas: 5 },
    });
    await t.patch('merge', `${path}/scale`, { spec: { replicas: 6 } });
    await t.patch('merge', `${path}/scale`, { spec: { replicas: -1 } });
    await t.patch('merge', `${path}/scale`, { spec: { replicas: 600 } });
    await t.put(`${path}/scale`, {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: ns, resourceVersion: String(at(made, 'metadata', 'resourceVersion')) },
      spec: { replicas: 7 },
    });
    await t.get(path);
    await t.get(`${widgets(t.token, ns)}/none/scale`);
  }),
  kase('8. CRDs: several versions', async (t) => {
    const version = (name: string, served: boolean, storage: boolean, rest: JsonObject = {}): JsonObject => ({
      name,
      served,
      storage,
      schema: {
        openAPIV3Schema: specSchema({
          size: { type: 'integer', default: name === 'v1' ? 1 : 2 },
          [name]: { type: 'string' },
        }),
      },
      ...rest,
    });
    const definition = crd(t.token, {
      spec: {
        versions: [
          version('v1', true, true),
          version('v1beta1', true, false, { deprecated: true }),
          version('v1alpha1', true, false, { deprecated: true, deprecationWarning: 'use v1, please' }),
          version('v0', false, false),
        ],
      },
    });
    await t.crd(definition);
    const ns = await t.namespace();
    await t.post(widgets(t.token, ns), widget(t.token, 'a', { spec: { v1: 'x', v1beta1: 'y' } }));
    await t.get(`${widgets(t.token, ns, 'v1beta1')}/a`);
    await t.post(widgets(t.token, ns, 'v1beta1'), {
      ...widget(t.token, 'b', { spec: { v1: 'x', v1beta1: 'y' } }),
      apiVersion: `${groupOf(t.token)}/v1beta1`,
    });
    await t.get(`${widgets(t.token, ns)}/b`);
    await t.get(widgets(t.token, ns, 'v1alpha1'));
    await t.get(widgets(t.token, ns, 'v0'));
    await t.patch('merge', `${widgets(t.token, ns, 'v1beta1')}/a`, { spec: { size: 9 } });
    await t.until(`/apis/${groupOf(t.token)}`, ({ status }) => status === 200);
  }),
  kase('8. CRDs: selectableFields', async (t) => {
    await t.crd(
      crd(t.token, { version: { selectableFields: [{ jsonPath: '.spec.colour' }, { jsonPath: '.spec.size' }] } }),
    );
    const ns = await t.namespace();
    for (const [name, colour, size] of [
      ['a', 'red', 1],
      ['b', 'green', 2],
      ['c', 'red', 2],
    ] as const)
      await t.quiet.post(widgets(t.token, ns), widget(t.token, name, { spec: { colour, size } }));
    for (const selector of [
      'spec.colour=red',
      'spec.colour!=red',
      'spec.colour=red,spec.size=2',
      'metadata.name=b',
      'spec.name=x',
      `metadata.namespace=${ns}`,
    ]) {
      await t.get(`${widgets(t.token, ns)}?fieldSelector=${encodeURIComponent(selector)}`);
    }
  }),
  kase('8. CRDs: of cluster scope', async (t) => {
    await t.crd(crd(t.token, { scope: 'Cluster' }));
    const path = `/apis/${groupOf(t.token)}/v1/widgets`;
    await t.post(path, widget(t.token, 'a', { spec: { size: 2 } }));
    await t.get(path);
    await t.get(widgets(t.token, 'default'));
    await t.post(path, widget(t.token, 'b', {}, { namespace: 'default' }));
    await t.patch('merge', `${path}/a/status`, { status: { phase: 'Up' } });
    await t.delete(`${path}/a`);
  }),
  kase('8. CRDs: names that clash', async (t) => {
    await t.crd(crd(t.token));
    const second = crd(t.token, { plural: 'widgetries', kind: 'Widget' });
    await t.post(crdPath, second);
    const name = `widgetries.${groupOf(t.token)}`;
    t.defer(() => t.client.send({ method: 'DELETE', path: `${crdPath}/${name}` }));
    await t.until(`${crdPath}/${name}`, (answer) => JSON.stringify(at(answer, 'status') ?? {}).includes('NotAccepted'));
  }),
  kase('8. CRDs: the status of a definition cannot be written with it', async (t) => {
    await t.crd(crd(t.token));
    const path = `${crdPath}/widgets.${groupOf(t.token)}`;
    await t.patch('merge', path, { spec: { names: { shortNames: ['wdg'] } } });
    await t.patch('merge', path, { spec: { group: 'other.example.com' } });
    await t.patch('merge', path, { spec: { scope: 'Cluster' } });
    await t.patch('merge', path, { spec: { versions: [] } });
  }),
];
