/** Apply on the client and on the server, diff, replace. */
import { fails, lines, run, scenario, table } from '../scenario.ts';

const deployment = (containers: string, extra = ''): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 1
  ${extra}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
${containers}
`;
const web = '      - { name: web, image: "web:1", ports: [{ containerPort: 80 }] }';
const web2 = '      - { name: web, image: "web:2", ports: [{ containerPort: 80 }] }';
const side = '      - { name: side, image: "side:1" }';

const config = (data: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: a }
data: ${data}
`;

export const applyScenarios = [
  scenario(
    'apply creates, changes, leaves alone, and removes what is no longer in the manifest',
    [
      run('apply -f one.yaml', 'configmap/a created\n'),
      run('apply -f one.yaml', 'configmap/a unchanged\n'),
      run('apply -f two.yaml', 'configmap/a configured\n'),
      run("get cm a -o jsonpath='{.data}'", '{"x":"9","z":"3"}'),
      run('apply view-last-applied cm a', /^apiVersion: v1\ndata:\n  x: "9"\n  z: "3"\nkind: ConfigMap\n/),
      run('patch cm a --type=merge -p \'{"data":{"by":"hand"}}\''),
      run('apply -f one.yaml', 'configmap/a configured\n'),
      run("get cm a -o jsonpath='{.data}'", '{"by":"hand","w":"2","x":"1"}'),
      run('apply -f one.yaml -o yaml', /^apiVersion: v1\ndata:\n  by: hand\n/),
      run('apply -f one.yaml -o name', 'configmap/a\n'),
    ],
    { 'one.yaml': config('{ x: "1", w: "2" }'), 'two.yaml': config('{ x: "9", z: "3" }') },
  ),
  scenario(
    'apply merges lists of containers by their names (strategic merge patch)',
    [
      run('apply -f one.yaml', 'deployment.apps/web created\n'),
      run('patch deploy web -p \'{"spec":{"template":{"spec":{"containers":[{"name":"injected","image":"i"}]}}}}\''),
      run('apply -f two.yaml', 'deployment.apps/web configured\n'),
      run(
        "get deploy web -o jsonpath='{range .spec.template.spec.containers[*]}{.name}={.image} {end}'",
        /^(?=.*web=web:2 )(?=.*injected=i )(?=.*side=side:1 ).*$/,
      ),
      run('apply -f one.yaml', 'deployment.apps/web configured\n'),
      run(
        "get deploy web -o jsonpath='{range .spec.template.spec.containers[*]}{.name}={.image} {end}'",
        /^(?=.*web=web:1 )(?=.*injected=i )(?!.*side).*$/,
      ),
      run("get deploy web -o jsonpath='{.metadata.generation}'", '4'),
    ],
    { 'one.yaml': deployment(web), 'two.yaml': deployment(`${web2}\n${side}`) },
  ),
  scenario(
    'apply warns about objects that it did not create, and prunes what left the manifest',
    [
      run('create configmap a --from-literal=x=0'),
      run('apply -f one.yaml', 'configmap/a configured\n', {
        err: /^Warning: resource configmaps\/a is missing the kubectl\.kubernetes\.io\/last-applied-configuration annotation which is required by kubectl apply\./,
      }),
      run('apply -f both.yaml -l app=shop', 'configmap/p created\nconfigmap/q created\n'),
      run(
        'apply -f less.yaml -l app=shop --prune --prune-allowlist=core/v1/ConfigMap',
        'configmap/p unchanged\nconfigmap/q pruned\n',
      ),
      run('get cm -l app=shop -o name', 'configmap/p\n'),
    ],
    {
      'one.yaml': config('{ x: "1" }'),
      'both.yaml': `
apiVersion: v1
kind: ConfigMap
metadata: { name: p, labels: { app: shop } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: q, labels: { app: shop } }
`,
      'less.yaml': `
apiVersion: v1
kind: ConfigMap
metadata: { name: p, labels: { app: shop } }
`,
    },
  ),
  scenario(
    'apply --applyset keeps a set of objects and prunes what left it',
    [
      run(
        'apply -f both.yaml --namespace={ns} --prune --applyset=configmaps/set',
        'configmap/p created\nconfigmap/q created\n',
        {
          env: { KUBECTL_APPLYSET: 'true' },
          err: /^(Warning: .*\n)?$/,
        },
      ),
      run(
        'apply -f less.yaml --namespace={ns} --prune --applyset=configmaps/set',
        'configmap/p unchanged\nconfigmap/q pruned\n',
        {
          env: { KUBECTL_APPLYSET: 'true' },
          err: /^(Warning: .*\n)?$/,
        },
      ),
      fails('get cm q', 'Error from server (NotFound): configmaps "q" not found\n'),
    ],
    {
      'both.yaml': `
apiVersion: v1
kind: ConfigMap
metadata: { name: p }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: q }
`,
      'less.yaml': `
apiVersion: v1
kind: ConfigMap
metadata: { name: p }
`,
    },
  ),
  scenario(
    'apply --server-side owns fields, meets conflicts, and takes over by force',
    [
      run('apply --server-side -f one.yaml', 'configmap/a serverside-applied\n'),
      run('apply --server-side -f one.yaml', 'configmap/a serverside-applied\n'),
      run(
        "get cm a --show-managed-fields -o jsonpath='{.metadata.managedFields[*].manager}/{.metadata.managedFields[*].operation}'",
        'kubectl/Apply',
      ),
      fails(
        'apply --server-side --field-manager=other -f two.yaml',
        `error: Apply failed with 1 conflict: conflict with "kubectl": .data.x
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
`,
      ),
      run(
        'apply --server-side --field-manager=other --force-conflicts -f two.yaml',
        'configmap/a serverside-applied\n',
      ),
      run("get cm a -o jsonpath='{.data}'", '{"w":"2","x":"9","z":"3"}'),
      fails(
        'apply --server-side -f one.yaml',
        /^error: Apply failed with 1 conflict: conflict with "other": \.data\.x\n/,
      ),
      run('apply --server-side -f three.yaml', 'configmap/a serverside-applied\n'),
      run("get cm a -o jsonpath='{.data}'", '{"x":"9","z":"3"}'),
      run('create cm b --from-literal=x=1'),
      fails(
        'apply --server-side -f b.yaml',
        /^error: Apply failed with 1 conflict: conflict with "kubectl-create" using v1: \.data\.x\n/,
      ),
    ],
    {
      'one.yaml': config('{ x: "1", w: "2" }'),
      'two.yaml': config('{ x: "9", z: "3" }'),
      'three.yaml': config('{ z: "3" }'),
      'b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\ndata: { x: "2" }\n',
    },
  ),
  scenario(
    'objects move from client-side to server-side apply without a conflict',
    [
      run('apply -f one.yaml', 'deployment.apps/web created\n'),
      run('apply --server-side -f two.yaml', 'deployment.apps/web serverside-applied\n'),
      run(
        "get deploy web -o jsonpath='{range .spec.template.spec.containers[*]}{.name}={.image} {end}'",
        'web=web:2 side=side:1 ',
      ),
      run(
        "get deploy web --show-managed-fields -o jsonpath='{range .metadata.managedFields[*]}{.manager}/{.operation} {end}'",
        'kubectl-last-applied/Apply kubectl/Apply ',
      ),
    ],
    { 'one.yaml': deployment(web), 'two.yaml': deployment(`${web2}\n${side}`) },
  ),
  scenario(
    'diff shows what apply would change, and only that',
    [
      run('apply -f one.yaml'),
      run('diff -f one.yaml', ''),
      {
        args: 'diff -f two.yaml',
        code: 1,
        err: '',
        out: [/^diff -u -N /, /^-  x: "1"$/m, /^-  w: "2"$/m, /^\+  x: "9"$/m, /^\+  z: "3"$/m, /^ kind: ConfigMap$/m],
      },
      {
        args: 'diff --server-side --force-conflicts --field-manager=d -f two.yaml',
        code: 1,
        err: '',
        out: [/^-  x: "1"$/m, /^\+  x: "9"$/m],
      },
      { args: 'diff -f new.yaml', code: 1, err: '', out: [/^\+kind: ConfigMap$/m, /^\+  name: new$/m] },
      run("get cm a -o jsonpath='{.data}'", '{"w":"2","x":"1"}'),
      fails('get cm new', /NotFound/),
    ],
    {
      'one.yaml': config('{ x: "1", w: "2" }'),
      'two.yaml': config('{ x: "9", z: "3" }'),
      'new.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: new }\n',
    },
  ),
  scenario(
    'replace puts a whole object, refuses an old version, and can delete first',
    [
      run('create -f one.yaml', 'configmap/a created\n'),
      run("get cm a -o jsonpath='{.metadata.uid}'", /./, { save: 'uid' }),
      run('replace -f two.yaml', 'configmap/a replaced\n'),
      run("get cm a -o jsonpath='{.data}{.metadata.uid}'", '{"x":"9"}{uid}'),
      fails(
        'replace -f old.yaml',
        /^Error from server \(Conflict\): error when replacing "old\.yaml": Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again\n$/,
      ),
      run('replace --force -f one.yaml', /^configmap "a" deleted( from {ns} namespace)?\nconfigmap\/a replaced\n$/),
      run("get cm a -o jsonpath='{.data}'", '{"x":"1"}'),
      fails(
        'replace -f absent.yaml',
        'Error from server (NotFound): error when replacing "absent.yaml": configmaps "absent" not found\n',
      ),
    ],
    {
      'one.yaml': config('{ x: "1" }'),
      'two.yaml': config('{ x: "9" }'),
      'old.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, resourceVersion: "1" }\n',
      'absent.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: absent }\n',
    },
  ),
  scenario(
    '--dry-run=server checks and changes nothing, --dry-run=client prints',
    [
      run('create cm a --from-literal=x=1 --dry-run=server', 'configmap/a created (server dry run)\n'),
      fails('get cm a', /NotFound/),
      run(
        'create cm a --from-literal=x=1 --dry-run=client -o yaml',
        /^apiVersion: v1\ndata:\n  x: "1"\nkind: ConfigMap\nmetadata:\n  (creationTimestamp: null\n  )?name: a\n/,
      ),
      run('apply -f one.yaml --dry-run=server', 'configmap/a created (server dry run)\n'),
      run('apply -f one.yaml --server-side --dry-run=server', 'configmap/a serverside-applied (server dry run)\n'),
      run('apply -f one.yaml', 'configmap/a created\n'),
      run('patch cm a --type=merge -p \'{"data":{"x":"5"}}\' --dry-run=server -o jsonpath={.data}', '{"x":"5"}'),
      run('delete cm a --dry-run=server', /^configmap "a" deleted( from {ns} namespace)? \(server dry run\)\n$/),
      run('label cm a l=v --dry-run=server', 'configmap/a labeled (server dry run)\n'),
      run("get cm a -o jsonpath='{.data}{.metadata.labels}'", '{"x":"1"}'),
      fails(
        'create -f bad.yaml --dry-run=server',
        /^The ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of/,
      ),
    ],
    { 'one.yaml': config('{ x: "1" }'), 'bad.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: Bad_Name }\n' },
  ),
  scenario(
    'manifests come as several documents, as a List, from a folder, from standard input, and with generated names',
    [
      run('apply -f many', 'configmap/m1 created\nsecret/m2 created\n'),
      run('apply -f list.yaml', 'configmap/l1 created\nconfigmap/l2 created\n'),
      run('apply -f -', 'configmap/s created\n', { input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: s }\n' }),
      run('create -f generated.yaml', /^configmap\/gen-[a-z0-9]{5} created\n$/),
      fails('apply -f generated.yaml', /cannot use generate name with apply/),
      run('create -k kustomized', 'configmap/k-a created\n'),
      run(
        'delete -f list.yaml',
        /^configmap "l1" deleted( from {ns} namespace)?\nconfigmap "l2" deleted( from {ns} namespace)?\n$/,
      ),
      run('get cm l1 l2 --ignore-not-found', ''),
    ],
    {
      'many/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m1 }\n',
      'many/b.json': '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"m2"}}',
      'list.yaml': `apiVersion: v1
kind: List
items:
- { apiVersion: v1, kind: ConfigMap, metadata: { name: l1 } }
- { apiVersion: v1, kind: ConfigMap, metadata: { name: l2 } }
`,
      'generated.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { generateName: gen- }\n',
      'kustomized/kustomization.yaml': 'namePrefix: k-\nresources: [a.yaml]\n',
      'kustomized/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
    },
  ),
];

export const editScenarios = [
  scenario('edit changes an object through an editor', [
    run('create cm a --from-literal=x=before'),
    run('edit cm a', 'configmap/a edited\n', { editor: 'sed -i s/before/after/' }),
    run("get cm a -o jsonpath='{.data.x}'", 'after'),
    run('edit cm a', '', { editor: 'true', err: 'Edit cancelled, no changes made.\n' }),
    fails('edit cm a', /^error: (Edit cancelled, no valid changes were saved\.|configmaps "a" is invalid)/m, {
      editor: 'sed -i s/name:.a$/name:.Z_/',
    }),
    run('edit cm a -o yaml', /^  x: again$/m, { editor: 'sed -i s/after/again/' }),
    run('edit cm a --output-patch', /^Patch: \{"data":\{"x":"last"\}\}\nconfigmap\/a edited\n$/, {
      editor: 'sed -i s/again/last/',
    }),
    fails('edit cm nope', 'Error from server (NotFound): configmaps "nope" not found\n', { editor: 'true' }),
  ]),
  scenario('patch speaks strategic merge, merge and JSON patch', [
    run('create deployment web --image=a', 'deployment.apps/web created\n'),
    run(
      'patch deploy web -p \'{"spec":{"template":{"spec":{"containers":[{"name":"a","env":[{"name":"E","value":"1"}]}]}}}}\'',
      'deployment.apps/web patched\n',
    ),
    run(
      "get deploy web -o jsonpath='{.spec.template.spec.containers[0].image}{.spec.template.spec.containers[0].env[0].name}'",
      'aE',
    ),
    run(
      'patch deploy web --type=merge -p \'{"spec":{"replicas":3,"template":{"metadata":{"annotations":{"a":"b"}}}}}\'',
      'deployment.apps/web patched\n',
    ),
    run(
      'patch deploy web --type=json -p \'[{"op":"replace","path":"/spec/replicas","value":5},{"op":"remove","path":"/spec/template/metadata/annotations/a"}]\'',
      'deployment.apps/web patched\n',
    ),
    run("get deploy web -o jsonpath='{.spec.replicas}{.spec.template.metadata.annotations}'", '5'),
    run(
      'patch deploy web --type=json -p \'[{"op":"test","path":"/spec/replicas","value":5}]\'',
      'deployment.apps/web patched (no change)\n',
    ),
    fails(
      'patch deploy web --type=json -p \'[{"op":"test","path":"/spec/replicas","value":6}]\'',
      /^The request is invalid: the server rejected our request due to an error in our request\n$/,
    ),
    fails(
      'patch deploy web --type=json -p \'[{"op":"remove","path":"/spec/nope"}]\'',
      /^The request is invalid: the server rejected our request due to an error in our request\n$/,
    ),
    fails(
      'patch deploy web --type=merge -p \'{"spec":{"replicas":"many"}}\'',
      /^(Error from server \(BadRequest\)|The request is invalid)[^]*(cannot unmarshal|json: )/,
    ),
    run(
      'patch deploy web -p \'{"spec":{"template":{"spec":{"containers":[{"name":"a","$patch":"delete"},{"name":"b","image":"b"}]}}}}\'',
      'deployment.apps/web patched\n',
    ),
    run("get deploy web -o jsonpath='{.spec.template.spec.containers[*].name}'", 'b'),
    run(
      'patch deploy web --subresource=status --type=merge -p \'{"status":{"readyReplicas":2,"replicas":2}}\'',
      'deployment.apps/web patched\n',
    ),
    run('get deploy web', table('NAME READY UP-TO-DATE AVAILABLE AGE\nweb 2/5 0 0 *')),
    run('patch -f - --type=merge -p \'{"data":{"k":"v"}}\' --local -o yaml', lines('k: v'), {
      input: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
    }),
    fails('patch deploy nope -p {}', 'Error from server (NotFound): deployments.apps "nope" not found\n'),
  ]),
];
