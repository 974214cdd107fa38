/** A custom CRD: columns, validation, defaults, CEL, subresources, versions. */
import { fails, lines, run, scenario, table } from '../scenario.ts';

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: "widgets.{ns}.example.com" }
spec:
  group: "{ns}.example.com"
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: ["wd-{ns}"], categories: ["shop-{ns}"] }
  versions:
  - name: v1
    served: true
    storage: true
    subresources: { status: {}, scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas } }
    additionalPrinterColumns:
    - { name: Color, type: string, jsonPath: .spec.color }
    - { name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status' }
    - { name: Size, type: integer, jsonPath: .spec.size, priority: 1, description: How big }
    - { name: Age, type: date, jsonPath: .metadata.creationTimestamp }
    selectableFields: [{ jsonPath: .spec.color }]
    schema:
      openAPIV3Schema:
        type: object
        description: A widget of the shop.
        required: [spec]
        properties:
          spec:
            type: object
            description: What is wanted.
            required: [color]
            x-kubernetes-validations:
            - { rule: "!has(self.max) || self.size <= self.max", message: size must not be above max }
            properties:
              color: { type: string, enum: [red, green], description: The paint. }
              size: { type: integer, minimum: 1, default: 3 }
              max: { type: integer }
              replicas: { type: integer, default: 1 }
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: { type: object, required: [name], properties: { name: { type: string }, count: { type: integer } } }
              port: { x-kubernetes-int-or-string: true }
              free: { type: object, x-kubernetes-preserve-unknown-fields: true }
          status:
            type: object
            properties:
              replicas: { type: integer }
              conditions: { type: array, items: { type: object, properties: { type: { type: string }, status: { type: string } } } }
  - name: v1beta1
    served: true
    storage: false
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

const widget = (spec: string, name = 'w'): string =>
  `apiVersion: "{ns}.example.com/v1"\nkind: Widget\nmetadata: { name: ${name} }\nspec: ${spec}\n`;

const files = { 'crd.yaml': definition };

const install = [
  run('apply -f crd.yaml', 'customresourcedefinition.apiextensions.k8s.io/widgets.{ns}.example.com created\n'),
  // `wait` gives up at once if the server has no conditions yet: they are null then.
  run('wait crd/widgets.{ns}.example.com --for=condition=Established --timeout=90s', /condition met/, {
    eventually: true,
  }),
  // Discovery follows a moment after the condition.
  run('get widgets.{ns}.example.com', '', { err: 'No resources found in {ns} namespace.\n', eventually: true }),
];
const remove = [
  run(
    'delete crd widgets.{ns}.example.com',
    'customresourcedefinition.apiextensions.k8s.io "widgets.{ns}.example.com" deleted\n',
  ),
];

/** CEL rules are skipped if the rest is wrong, and the message says so. */
const unchecked =
  '\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

const refusals: readonly [spec: string, message: string][] = [
  ['{ color: blue }', `\n* spec.color: Unsupported value: "blue": supported values: "red", "green"${unchecked}`],
  ['{ size: 1 }', `\n* spec.color: Required value${unchecked}`],
  ['{ color: red, size: 0 }', 'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1'],
  [
    '{ color: red, size: big }',
    `\n* spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"${unchecked}`,
  ],
  ['{ color: red, size: 5, max: 4 }', 'spec: Invalid value: size must not be above max'],
  ['{ color: red, parts: [{ name: a }, { name: a }] }', 'spec.parts[1]: Duplicate value: {"name":"a"}'],
];

export const customScenarios = [
  scenario(
    'a CRD gets its printer columns, short names, categories, defaults and selectable fields',
    [
      ...install,
      run('create -f -', 'widget.{ns}.example.com/w created\n', {
        input: widget('{ color: red, parts: [{ name: a }] }'),
      }),
      run('create -f -', 'widget.{ns}.example.com/v created\n', {
        input: widget('{ color: green, size: 9, free: { any: [thing] }, port: 5 }', 'v'),
      }),
      run('get widgets.{ns}.example.com', table('NAME COLOR READY AGE\nv green *\nw red *')),
      run('get wd-{ns} w -o wide', table('NAME COLOR READY SIZE AGE\nw red 3 *')),
      run('get shop-{ns}', /w +red/),
      run('get widgets.{ns}.example.com --field-selector spec.color=green -o name', 'widget.{ns}.example.com/v\n'),
      run(
        "get wd-{ns} w -o jsonpath='{.spec}{.metadata.generation}'",
        '{"color":"red","parts":[{"name":"a"}],"replicas":1,"size":3}1',
      ),
      run("get wd-{ns} v -o jsonpath='{.spec.free}{.spec.port}'", '{"any":["thing"]}5'),
      run('get widgets.v1beta1.{ns}.example.com w -o jsonpath={.apiVersion}', '{ns}.example.com/v1beta1'),
      run(
        'describe wd-{ns} w',
        lines('Name: w', 'API Version: {ns}.example.com/v1', 'Kind: Widget', 'Color: red', 'Size: 3', 'Events: <none>'),
      ),
      run(
        'describe crd widgets.{ns}.example.com',
        lines('Kind: CustomResourceDefinition', 'Group: {ns}.example.com', 'Plural: widgets', 'Type: Established'),
      ),
      run('get crd widgets.{ns}.example.com', /^NAME +CREATED AT\nwidgets\.{ns}\.example\.com +\S+Z\n$/),
      run(
        'api-resources --api-group={ns}.example.com',
        table('NAME SHORTNAMES APIVERSION NAMESPACED KIND\nwidgets wd-{ns} {ns}.example.com/v1 true Widget'),
      ),
      run('api-versions', lines('{ns}.example.com/v1', '{ns}.example.com/v1beta1')),
      ...remove,
      run('api-resources --api-group={ns}.example.com --cached=false -o name', '', { eventually: true }),
      fails('get wd-{ns}', 'error: the server doesn\'t have a resource type "wd-{ns}"\n', { eventually: true }),
    ],
    files,
  ),
  scenario(
    'custom resources are validated, pruned and explained by their schema',
    [
      ...install,
      ...refusals.map(([spec, message]) =>
        fails('create -f -', `The Widget "w" is invalid: ${message}\n`, { input: widget(spec) }),
      ),
      fails('create -f -', /strict decoding error: unknown field "spec\.colour"\n$/, {
        input: widget('{ color: red, colour: red }'),
      }),
      run('create -f - --validate=warn', 'widget.{ns}.example.com/w created\n', {
        input: widget('{ color: red, colour: red }'),
        err: 'Warning: unknown field "spec.colour"\n',
      }),
      run("get wd-{ns} w -o jsonpath='{.spec.colour}'", ''),
      run(
        'explain widgets.{ns}.example.com',
        [
          /^GROUP: +{ns}\.example\.com\nKIND: +Widget\nVERSION: +v1\n\nDESCRIPTION:\n    A widget of the shop\.\n/,
          /^  spec\t<Object> -required-\n    What is wanted\.$/m,
        ],
        { eventually: true },
      ),
      ...remove,
    ],
    files,
  ),
  scenario(
    'explain follows paths into custom kinds',
    [
      ...install,
      run(
        'explain wd-{ns}.spec',
        [
          /^FIELD: spec <Object>$/m,
          /^  color\t<string> -required-\n  enum: red, green\n    The paint\.$/m,
          /^  parts\t<\[\]Object>$/m,
        ],
        { eventually: true },
      ),
      run('explain wd-{ns}.spec --recursive', [
        /^  parts\t<\[\]Object>\n    count\t<integer>\n    name\t<string> -required-$/m,
        /^  port\t<Object>$/m,
      ]),
      run('explain wd-{ns}.spec.parts.count', /^FIELD: count <integer>$/m),
      fails('explain wd-{ns}.spec.nope', 'error: field "nope" does not exist\n'),
      ...remove,
    ],
    files,
  ),
  scenario(
    'status and scale are subresources of a custom kind',
    [
      ...install,
      run('create -f -', 'widget.{ns}.example.com/w created\n', {
        input: `${widget('{ color: red }')}status: { replicas: 7 }\n`,
      }),
      run("get wd-{ns} w -o jsonpath='{.status}'", ''),
      run(
        'patch wd-{ns} w --subresource=status --type=merge -p \'{"spec":{"color":"green"},"status":{"replicas":2,"conditions":[{"type":"Ready","status":"True"}]}}\'',
        'widget.{ns}.example.com/w patched\n',
      ),
      run('get wd-{ns}', table('NAME COLOR READY AGE\nw red True *')),
      run("get wd-{ns} w -o jsonpath='{.metadata.generation}{.spec.color}{.status.replicas}'", '1red2'),
      run('edit wd-{ns} w --subresource=status', 'widget.{ns}.example.com/w edited\n', {
        editor: 'sed -i "s/replicas: 2/replicas: 6/"',
      }),
      run("get wd-{ns} w -o jsonpath='{.status.replicas}'", '6'),
      run('scale wd-{ns} w --replicas=4', 'widget.{ns}.example.com/w scaled\n'),
      run("get wd-{ns} w -o jsonpath='{.spec.replicas}{.metadata.generation}'", '42'),
      run("get wd-{ns} w --subresource=scale -o jsonpath='{.spec.replicas}/{.status.replicas}'", '4/6'),
      run('get wd-{ns} w --subresource=scale', table('NAME DESIRED AVAILABLE AGE\nw 4 6 *')),
      run('wait wd-{ns}/w --for=condition=Ready --timeout=90s', 'widget.{ns}.example.com/w condition met\n'),
      run(
        'wait wd-{ns}/w --for=jsonpath={.status.replicas}=6 --timeout=90s',
        'widget.{ns}.example.com/w condition met\n',
      ),
      ...remove,
    ],
    files,
  ),
  scenario(
    'custom resources are applied from both sides, patched and edited',
    [
      ...install,
      run('apply -f a.yaml', 'widget.{ns}.example.com/w created\n'),
      run('apply -f b.yaml', 'widget.{ns}.example.com/w configured\n'),
      run('apply -f b.yaml', 'widget.{ns}.example.com/w unchanged\n'),
      run("get wd-{ns} w -o jsonpath='{.spec.parts}'", '[{"count":2,"name":"a"},{"name":"c"}]'),
      run('apply --server-side --field-manager=other -f c.yaml', 'widget.{ns}.example.com/w serverside-applied\n'),
      run("get wd-{ns} w -o jsonpath='{.spec.parts[*].name}'", 'd'),
      run('apply --server-side --field-manager=other -f b.yaml', 'widget.{ns}.example.com/w serverside-applied\n'),
      fails(
        'apply --server-side --field-manager=third -f a.yaml',
        /^error: Apply failed with \d conflicts?: conflicts? with /,
      ),
      run('patch wd-{ns} w --type=merge -p \'{"spec":{"size":8}}\'', 'widget.{ns}.example.com/w patched\n'),
      run(
        'patch wd-{ns} w --type=json -p \'[{"op":"add","path":"/spec/port","value":"http"}]\'',
        'widget.{ns}.example.com/w patched\n',
      ),
      fails(
        'patch wd-{ns} w -p \'{"spec":{"size":8}}\'',
        /application\/strategic-merge-patch\+json is not supported|the body of the request was in an unknown format/,
      ),
      run('edit wd-{ns} w', 'widget.{ns}.example.com/w edited\n', { editor: 'sed -i "s/size: 8/size: 9/"' }),
      run("get wd-{ns} w -o jsonpath='{.spec.size}{.spec.port}'", '9http'),
      {
        args: 'diff -f a.yaml',
        code: 1,
        err: '',
        out: [/^-  generation: \d+$/m, /^\+    - count: 1$|^\+  - count: 1$/m],
      },
      run('replace -f a.yaml', undefined, { err: /.*/ }),
      ...remove,
    ],
    {
      ...files,
      'a.yaml': widget('{ color: red, parts: [{ name: a, count: 1 }] }'),
      'b.yaml': widget('{ color: red, parts: [{ name: a, count: 2 }, { name: c }] }'),
      'c.yaml': widget('{ parts: [{ name: d }], color: red }'),
    },
  ),
];
