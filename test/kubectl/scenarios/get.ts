/** `kubectl get` in all its forms, and watching. */
import { fails, isWatching, run, scenario, table } from '../scenario.ts';

const three = `
apiVersion: v1
kind: ConfigMap
metadata: { name: a, labels: { tier: front, size: big } }
data: { k: "1" }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: b, labels: { tier: back } }
data: { k: "2", l: "3" }
---
apiVersion: v1
kind: Secret
metadata: { name: c, labels: { tier: back } }
stringData: { password: hunter2 }
`;

export const getScenarios = [
  scenario(
    'get prints tables, names, YAML, JSON, jsonpath, templates and columns',
    [
      run('create -f three.yaml', 'configmap/a created\nconfigmap/b created\nsecret/c created\n'),
      run('wait --for=create configmap/kube-root-ca.crt --timeout=90s', /condition met/),
      run('get configmap', table('NAME DATA AGE\na 1 *\nb 2 *\nkube-root-ca.crt 1 *')),
      run('get cm a', table('NAME DATA AGE\na 1 *')),
      run('get cm a -o wide', table('NAME DATA AGE\na 1 *')),
      run(
        'get cm/a secret/c',
        /^NAME +DATA +AGE\nconfigmap\/a +1 +\S+\n\nNAME +TYPE +DATA +AGE\nsecret\/c +Opaque +1 +\S+\n$/,
      ),
      run('get cm a --no-headers', /^a +1 +\S+\n$/),
      run('get cm a --show-labels', table('NAME DATA AGE LABELS\na 1 * size=big,tier=front')),
      run('get cm -l tier -L tier', table('NAME DATA AGE TIER\na 1 * front\nb 2 * back')),
      run('get cm a --show-kind', table('NAME DATA AGE\nconfigmap/a 1 *')),
      run('get cm -l tier -o name', 'configmap/a\nconfigmap/b\n'),
      run('get cm a -o yaml', [
        /^apiVersion: v1\ndata:\n  k: "1"\nkind: ConfigMap\nmetadata:\n/,
        /^  creationTimestamp: "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"$/m,
        /^  labels:\n    size: big\n    tier: front\n  name: a\n  namespace: {ns}\n  resourceVersion: "\d+"\n  uid: [0-9a-f-]{36}\n$/m,
      ]),
      run('get cm a -o yaml --show-managed-fields', [
        /^    manager: kubectl-create$/m,
        /^      f:data:\n        \.: \{\}\n        f:k: \{\}$/m,
      ]),
      run(
        'get cm a -o json',
        /^\{\n    "apiVersion": "v1",\n    "data": \{\n        "k": "1"\n    \},\n    "kind": "ConfigMap",/,
      ),
      run("get cm a -o jsonpath='{.data.k}'", '1'),
      run("get cm -l tier -o jsonpath='{range .items[*]}{.metadata.name}={.data.k};{end}'", 'a=1;b=2;'),
      run("get cm a -o go-template='{{.metadata.name}}/{{.data.k}}'", 'a/1'),
      run('get cm -l tier -o custom-columns=WHO:.metadata.name,K:.data.k', table('WHO K\na 1\nb 2')),
      run("get secret c -o jsonpath='{.data.password}'", 'aHVudGVyMg=='),
      run('get -f three.yaml -o name', 'configmap/a\nconfigmap/b\nsecret/c\n'),
      run('get cm,secret -l tier=back -o name', 'configmap/b\nsecret/c\n'),
    ],
    { 'three.yaml': three },
  ),
  scenario(
    'get selects by labels and fields, sorts, pages, and looks into all namespaces',
    [
      run('create -f three.yaml'),
      run('get cm -l tier=front -o name', 'configmap/a\n'),
      run('get cm -l tier!=front,tier -o name', 'configmap/b\n'),
      run("get cm -l 'tier in (front,back)' -o name", 'configmap/a\nconfigmap/b\n'),
      run("get cm -l 'tier notin (front),tier' -o name", 'configmap/b\n'),
      run("get cm -l 'tier,!size' -o name", 'configmap/b\n'),
      run('get cm --field-selector metadata.name=b', table('NAME DATA AGE\nb 2 *')),
      run('get cm --field-selector metadata.name!=a -l tier -o name', 'configmap/b\n'),
      run('get secret --field-selector type=Opaque -o name', 'secret/c\n'),
      run('get cm -l tier --sort-by=.data.k', table('NAME DATA AGE\na 1 *\nb 2 *')),
      run('get cm -l tier --sort-by=.metadata.name -o name --chunk-size=1', 'configmap/a\nconfigmap/b\n'),
      run('get cm -l tier --chunk-size=1', table('NAME DATA AGE\na 1 *\nb 2 *')),
      run(
        'get secret -A --field-selector metadata.namespace={ns} -l tier',
        table('NAMESPACE NAME TYPE DATA AGE\n{ns} c Opaque 1 *'),
      ),
      run('get cm -l tier=none', '', { err: 'No resources found in {ns} namespace.\n' }),
      run('get cm -A -l tier=none', '', { err: 'No resources found\n' }),
      run('get cm nothing --ignore-not-found', ''),
      fails(
        'get cm --field-selector spec.x=1',
        /^Error from server \(BadRequest\): Unable to find "\/v1, Resource=configmaps" that match label selector "", field selector "spec\.x=1": "spec\.x" is not a known field selector: only "metadata\.name", "metadata\.namespace"\n$/,
      ),
      fails("get cm -l '=='", /unable to parse requirement|found '==', expected/),
    ],
    { 'three.yaml': three },
  ),
  scenario('get -w shows what happens, as rows and as events', [
    run('get cm -l watched -w -o name -v=6', undefined, { background: 'names', begun: isWatching }),
    run('get cm -l watched -w --output-watch-events -v=6', undefined, { background: 'rows', begun: isWatching }),
    run('create cm first --from-literal=x=1'),
    run('label cm first watched=yes', 'configmap/first labeled\n'),
    run('patch cm first --type=merge -p \'{"data":{"y":"2"}}\'', 'configmap/first patched\n'),
    run('', /^EVENT +NAME +DATA +AGE\nADDED +first +1 +\S+\nMODIFIED +first +2 +\S+\n/, { finish: 'rows' }),
    run('label cm first watched-', 'configmap/first unlabeled\n'),
    run('', 'configmap/first\nconfigmap/first\nconfigmap/first\n', { finish: 'names' }),
    run('get cm first -w -o jsonpath={.data}', undefined, { background: 'one' }),
    run('', /^\{"x":"1","y":"2"\}/, { finish: 'one' }),
  ]),
  scenario('get --raw reaches any path', [
    run('get --raw /healthz', 'ok'),
    run('get --raw /livez', 'ok'),
    run('get --raw /readyz', 'ok'),
    run("get --raw '/readyz?verbose'", /^\[\+\]ping ok\n[^]*readyz check passed\n$/),
    run('get --raw /version', /"gitVersion": "v1\.36\./),
    run(
      'get --raw /api',
      /^\{"kind":"APIVersions","versions":\["v1"\],"serverAddressByClientCIDRs":\[\{"clientCIDR":"0\.0\.0\.0\/0","serverAddress":"[^"]+"\}\]\}\n$/,
    ),
    run(
      'get --raw /api/v1/namespaces/{ns}/configmaps?limit=500',
      /^\{"kind":"ConfigMapList","apiVersion":"v1","metadata":\{"resourceVersion":"\d+"\},"items":\[/,
    ),
    fails('get --raw /nope', 'Error from server (NotFound): the server could not find the requested resource\n'),
    fails(
      'get --raw /api/v1/namespaces/{ns}/configmaps/nope',
      'Error from server (NotFound): configmaps "nope" not found\n',
    ),
  ]),
  scenario('get knows subresources and several kinds at once', [
    run('create deployment web --image=x --replicas=2', 'deployment.apps/web created\n'),
    run('get deploy web --subresource=scale', table('NAME DESIRED AVAILABLE AGE\nweb 2 0 *')),
    run(
      "get deploy web --subresource=scale -o jsonpath='{.kind}/{.apiVersion} {.spec.replicas}'",
      'Scale/autoscaling/v1 2',
    ),
    run('get deploy web --subresource=status -o name', 'deployment.apps/web\n'),
    run('get all', /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\ndeployment\.apps\/web +0\/2 +0 +0 +\S+\n$/),
    run('get deploy,svc', table('NAME READY UP-TO-DATE AVAILABLE AGE\ndeployment.apps/web 0/2 0 0 *')),
    run(
      'get deploy -o wide',
      table('NAME READY UP-TO-DATE AVAILABLE AGE CONTAINERS IMAGES SELECTOR\nweb 0/2 0 0 * x x app=web'),
    ),
    run('get deployments.apps web -o name', 'deployment.apps/web\n'),
    run('get deployments.v1.apps web -o name', 'deployment.apps/web\n'),
  ]),
];
