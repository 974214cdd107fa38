/** Waiting, deletion with finalizers and owners, the life of namespaces, events. */
import { fails, isWatching, run, scenario, table } from '../scenario.ts';

const child = (owner: string, uid: string): string => `
apiVersion: v1
kind: ConfigMap
metadata:
  name: child-of-${owner}
  ownerReferences: [{ apiVersion: v1, kind: ConfigMap, name: ${owner}, uid: "${uid}", blockOwnerDeletion: true }]
`;

export const lifeScenarios = [
  scenario('wait waits for JSON paths, conditions, creation and deletion', [
    run('create deployment web --image=a'),
    run('wait deploy/web --for=jsonpath={.spec.replicas}=1 --timeout=90s', 'deployment.apps/web condition met\n'),
    run('wait deploy/web --for=jsonpath={.status.readyReplicas} --timeout=90s', undefined, { background: 'ready' }),
    run(
      'patch deploy web --subresource=status --type=merge -p \'{"status":{"replicas":1,"readyReplicas":1,"conditions":[{"type":"Available","status":"True","reason":"X","message":"Y"}]}}\'',
    ),
    run('', 'deployment.apps/web condition met\n', { finish: 'ready' }),
    run('wait deploy/web --for=condition=Available --timeout=90s', 'deployment.apps/web condition met\n'),
    run('wait deploy --all --for=condition=Available=True --timeout=90s', 'deployment.apps/web condition met\n'),
    // Long enough for one check, even on a busy host.
    fails(
      'wait deploy/web --for=condition=Progressing --timeout=15s',
      'error: timed out waiting for the condition on deployments/web\n',
    ),
    fails(
      'wait deploy/nope --for=condition=Available --timeout=90s',
      'Error from server (NotFound): deployments.apps "nope" not found\n',
    ),
    // It prints nothing about an object that is gone before its first check.
    run('wait deploy/web --for=delete --timeout=90s -v=6', undefined, { background: 'gone', begun: isWatching }),
    run('wait cm/late --for=create --timeout=90s', undefined, { background: 'made' }),
    run('create cm late'),
    run('', 'configmap/late condition met\n', { finish: 'made' }),
    run('delete deploy web', /^deployment\.apps "web" deleted/),
    run('', 'deployment.apps/web condition met\n', { finish: 'gone' }),
    run('wait deploy/web --for=delete --timeout=90s', ''),
  ]),
  scenario('delete waits for finalizers', [
    run('create cm a'),
    run('patch cm a --type=merge -p \'{"metadata":{"finalizers":["example.com/hold"]}}\''),
    run('delete cm a --wait=false', /^configmap "a" deleted( from {ns} namespace)?\n$/),
    run("get cm a -o jsonpath='{.metadata.finalizers}{.metadata.deletionGracePeriodSeconds}'", '["example.com/hold"]0'),
    run("get cm a -o jsonpath='{.metadata.deletionTimestamp}'", /^\d{4}-/),
    fails(
      'delete cm a --timeout=15s',
      /^([EIW]\d+ .*\n)*error: timed out waiting for the condition on configmaps\/a\n$/,
      {
        out: /^configmap "a" deleted/,
      },
    ),
    fails(
      'patch cm a --type=merge -p \'{"metadata":{"finalizers":["example.com/hold","example.com/more"]}}\'',
      /^The ConfigMap "a" is invalid: metadata\.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers \[\]string\{"example\.com\/more"\}\n$/,
    ),
    run('wait cm/a --for=delete --timeout=90s', undefined, { background: 'waiting' }),
    run('patch cm a --type=json -p \'[{"op":"remove","path":"/metadata/finalizers"}]\'', 'configmap/a patched\n'),
    run('get cm a --ignore-not-found', '', { eventually: true }),
  ]),
  scenario('delete by name, label, file and all', [
    run('create cm a'),
    run('create cm b'),
    run('create cm c'),
    run('label cm b c x=y'),
    run('delete cm a', /^configmap "a" deleted( from {ns} namespace)?\n$/),
    fails('delete cm a', 'Error from server (NotFound): configmaps "a" not found\n'),
    run('delete cm a --ignore-not-found', ''),
    run(
      'delete cm -l x=y',
      /^configmap "b" deleted( from {ns} namespace)?\nconfigmap "c" deleted( from {ns} namespace)?\n$/,
    ),
    run('delete cm -l x=y', /^No resources found\n$/),
    run('create secret generic s'),
    run('delete secret --all', /^secret "s" deleted/),
    run('create cm d'),
    run('delete cm/d -o name', 'configmap/d\n'),
    fails('delete cm', 'error: resource(s) were provided, but no name was specified\n'),
  ]),
  scenario('owners take their children along, unless they are orphaned', [
    ...['back', 'fore', 'orphan'].flatMap((name) => [
      run(`create cm ${name}`),
      run(`get cm ${name} -o jsonpath={.metadata.uid}`, undefined, { save: name }),
    ]),
    run('create -f -', undefined, { input: child('back', '{back}') }),
    run('create -f -', undefined, { input: child('fore', '{fore}') }),
    run('create -f -', undefined, { input: child('orphan', '{orphan}') }),
    run('delete cm back --cascade=background'),
    run('get cm back child-of-back --ignore-not-found', '', { eventually: true }),
    run('delete cm fore --cascade=foreground'),
    run('get cm fore child-of-fore --ignore-not-found', ''),
    run('delete cm orphan --cascade=orphan'),
    run("get cm child-of-orphan -o jsonpath='{.metadata.name}{.metadata.ownerReferences}'", 'child-of-orphan'),
    run('get cm orphan --ignore-not-found', ''),
  ]),
  scenario('a namespace is deleted with its content', [
    run('create ns {ns}-x', 'namespace/{ns}-x created\n'),
    run('get ns {ns}-x', table('NAME STATUS AGE\n{ns}-x Active *')),
    run('create cm a -n {ns}-x', 'configmap/a created\n'),
    run('create secret generic s -n {ns}-x', 'secret/s created\n'),
    run('create cm held -n {ns}-x'),
    run('patch cm held -n {ns}-x --type=merge -p \'{"metadata":{"finalizers":["example.com/hold"]}}\''),
    run('delete ns {ns}-x --wait=false', 'namespace "{ns}-x" deleted\n'),
    run('get ns {ns}-x', table('NAME STATUS AGE\n{ns}-x Terminating *')),
    fails(
      'create cm late -n {ns}-x',
      /^error: failed to create configmap: configmaps "late" is forbidden: unable to create new content in namespace {ns}-x because it is being terminated\n$/,
    ),
    run('get cm,secret -n {ns}-x -o name', 'configmap/held\n', { eventually: true }),
    run(
      'get ns {ns}-x -o jsonpath=\'{.status.conditions[?(@.type=="NamespaceFinalizersRemaining")].status}\'',
      'True',
      { eventually: true },
    ),
    run('patch cm held -n {ns}-x --type=merge -p \'{"metadata":{"finalizers":null}}\''),
    run('get ns {ns}-x --ignore-not-found', '', { eventually: true }),
    fails('create cm later -n {ns}-x', /^error: failed to create configmap: namespaces "{ns}-x" not found\n$/),
    fails(
      'delete ns default',
      /^Error from server \(Forbidden\): namespaces "default" is forbidden: this namespace may not be deleted\n$/,
    ),
  ]),
  scenario('events are listed by kubectl events, get and describe', [
    run('create cm a'),
    run("get cm a -o jsonpath='{.metadata.uid}'", undefined, { save: 'uid' }),
    run('create -f -', 'event/a.1 created\n', {
      input: `
apiVersion: v1
kind: Event
metadata: { name: a.1 }
involvedObject: { apiVersion: v1, kind: ConfigMap, name: a, namespace: "{ns}", uid: "{uid}" }
type: Warning
reason: Noted
message: something was seen
count: 3
firstTimestamp: "2026-01-01T00:00:00Z"
lastTimestamp: "2026-01-01T00:10:00Z"
source: { component: tester }
`,
    }),
    run(
      'events',
      /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n\S+ \(x3 over \S+\) +Warning +Noted +ConfigMap\/a +something was seen\n$/,
    ),
    run('events --for cm/a --types=Warning', /Noted/),
    run('events --for cm/b', '', { err: 'No events found in {ns} namespace.\n' }),
    run(
      'get events',
      /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n\S+ +Warning +Noted +configmap\/a +something was seen\n$/,
    ),
    run('get events.events.k8s.io -o name', 'event.events.k8s.io/a.1\n'),
    run(
      'get events --field-selector involvedObject.kind=ConfigMap,involvedObject.name=a,type=Warning -o name',
      'event/a.1\n',
    ),
    run('get events --field-selector reason=Other', '', { err: 'No resources found in {ns} namespace.\n' }),
    run(
      'describe cm a',
      /^Events:\n +Type +Reason +Age +From +Message\n +---- +------ +---- +---- +-------\n +Warning +Noted +\S+ \(x3 over \S+\) +tester +something was seen\n$/m,
    ),
    fails(
      'create -f -',
      /^The Event "b\.1" is invalid: involvedObject\.namespace: Invalid value: "elsewhere": does not match event\.namespace\n$/,
      {
        input:
          'apiVersion: v1\nkind: Event\nmetadata: { name: b.1 }\ninvolvedObject: { kind: ConfigMap, name: a, namespace: elsewhere }\n',
      },
    ),
  ]),
];
