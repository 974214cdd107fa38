/** `kubectl create …`, labels and annotations, scaling, rollouts, set, expose, run. */
import { fails, lines, run, scenario, table } from '../scenario.ts';

export const createScenarios = [
  scenario('create makes the kinds that it knows by name', [
    run('create cm c --from-literal=a=1 --from-literal=b=2', 'configmap/c created\n'),
    run('create secret generic g --from-literal=k=v', 'secret/g created\n'),
    run(
      'create secret docker-registry d --docker-server=r --docker-username=u --docker-password=p',
      'secret/d created\n',
    ),
    run("get secret d -o jsonpath='{.type}'", 'kubernetes.io/dockerconfigjson'),
    run('get secret', table('NAME TYPE DATA AGE\nd kubernetes.io/dockerconfigjson 1 *\ng Opaque 1 *')),
    run('create quota q --hard=configmaps=5,secrets=7', 'resourcequota/q created\n'),
    run('create sa s', 'serviceaccount/s created\n'),
    run('create role r --verb=get,list --resource=pods,deployments.apps', 'role.rbac.authorization.k8s.io/r created\n'),
    run('create rolebinding rb --role=r --serviceaccount={ns}:s', 'rolebinding.rbac.authorization.k8s.io/rb created\n'),
    run(
      'create clusterrole cr-{ns} --verb=get --non-resource-url=/logs',
      'clusterrole.rbac.authorization.k8s.io/cr-{ns} created\n',
    ),
    run(
      'create clusterrolebinding crb-{ns} --clusterrole=cr-{ns} --user=jane',
      'clusterrolebinding.rbac.authorization.k8s.io/crb-{ns} created\n',
    ),
    run('create service clusterip ci --tcp=80:8080', 'service/ci created\n'),
    run('create service nodeport np --tcp=80', 'service/np created\n'),
    run('create service externalname en --external-name=example.com', 'service/en created\n'),
    run('get svc -o wide', [
      /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE +SELECTOR$/m,
      /^ci +ClusterIP +10\.\d+\.\d+\.\d+ +<none> +80\/TCP +\S+ +app=ci$/m,
      /^np +NodePort +10\.\d+\.\d+\.\d+ +<none> +80:3\d{4}\/TCP +\S+ +app=np$/m,
      /^en +ExternalName +<none> +example\.com +<none> +\S+ +app=en$/m,
    ]),
    run('create deployment w --image=i --replicas=3 --port=80', 'deployment.apps/w created\n'),
    run('create pdb p --selector=app=w --min-available=50%', 'poddisruptionbudget.policy/p created\n'),
    run('create priorityclass pc-{ns} --value=10', 'priorityclass.scheduling.k8s.io/pc-{ns} created\n'),
    run('get role,rolebinding', [
      /^role\.rbac\.authorization\.k8s\.io\/r +\S+Z$/m,
      /^rolebinding\.rbac\.authorization\.k8s\.io\/rb +Role\/r +\S+$/m,
    ]),
    fails('create cm c', 'error: failed to create configmap: configmaps "c" already exists\n'),
    fails(
      'create sa Bad_Name',
      /^error: failed to create serviceaccount: ServiceAccount "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name": /,
    ),
    run('delete clusterrole/cr-{ns} clusterrolebinding/crb-{ns} priorityclass/pc-{ns}'),
  ]),
  scenario('a service account gets tokens that the server knows', [
    run('wait --for=create sa/default --timeout=90s', /condition met/),
    run('get sa default', /^NAME +(SECRETS +)?AGE\ndefault +(0 +)?\S+\n$/),
    run('create token default', /^[\w-]+\.[\w-]+\.[\w-]+$/, { save: 'token' }),
    run('auth whoami --token={token}', /system:serviceaccount:{ns}:default/),
    run('create token default --duration=1h --audience=x -o yaml', lines('kind: TokenRequest', '- x')),
    fails('create token nope', 'error: failed to create token: serviceaccounts "nope" not found\n'),
  ]),
  scenario('auth tells who one is and what one may do', [
    run('auth can-i create pods', 'yes\n'),
    run('auth can-i delete deployments.apps --all-namespaces', 'yes\n', { err: /^(Warning: .*\n)?$/ }),
    run('auth can-i get /healthz', 'yes\n'),
    run('auth can-i --list', /^Resources +Non-Resource URLs +Resource Names +Verbs[^]*\*\.\* +\[\] +\[\] +\[\*\]/),
    run('auth whoami', /^ATTRIBUTE +VALUE\nUsername +\S+\n[^]*system:masters/),
    run('auth whoami -o json', /"kind": "SelfSubjectReview"/),
  ]),
  scenario('labels and annotations are set, kept, overwritten and removed', [
    run('create cm a'),
    run('label cm a x=1 y=2', 'configmap/a labeled\n'),
    run('label cm a x=1', 'configmap/a not labeled\n'),
    fails('label cm a x=9', /^error: 'x' already has a value \(1\), and --overwrite is false\n$/),
    run('label cm a x=9 --overwrite', 'configmap/a labeled\n'),
    run('label cm a y-', 'configmap/a unlabeled\n'),
    run('label cm a --list', 'x=9\n'),
    fails('label cm a bad_=', /.*/, { code: 1 }),
    run('annotate cm a note=hello', 'configmap/a annotated\n'),
    run('annotate cm a note=bye --overwrite', 'configmap/a annotated\n'),
    fails(
      'annotate cm a note=x',
      /^error: --overwrite is false but found the following declared annotation\(s\): 'note' already has a value \(bye\)\n$/,
    ),
    run('annotate cm a note-', 'configmap/a annotated\n'),
    run('label cm --all all=yes', /configmap\/a labeled\n/),
    run("get cm a -o jsonpath='{.metadata.labels}{.metadata.annotations}'", '{"all":"yes","x":"9"}'),
  ]),
  scenario('workloads are scaled, restarted, set and exposed', [
    run('create deployment web --image=a:1 --replicas=2'),
    run('scale deploy web --replicas=4', 'deployment.apps/web scaled\n'),
    run("get deploy web -o jsonpath='{.spec.replicas}'", '4'),
    fails('scale deploy web --current-replicas=9 --replicas=1', 'error: Expected replicas to be 9, was 4\n'),
    fails('scale deploy nope --replicas=1', /deployments\.apps "nope" not found|no objects passed to scale/),
    run('set image deploy/web a=a:2', 'deployment.apps/web image updated\n'),
    run('set env deploy/web K=V', 'deployment.apps/web env updated\n'),
    run(
      'set resources deploy/web --limits=cpu=200m,memory=512Mi',
      'deployment.apps/web resource requirements updated\n',
    ),
    run('set serviceaccount deploy/web default', 'deployment.apps/web serviceaccount updated\n'),
    run(
      "get deploy web -o jsonpath='{.spec.template.spec.containers[0].image} {.spec.template.spec.containers[0].env[0].name} {.spec.template.spec.containers[0].resources.limits.cpu}'",
      'a:2 K 200m',
    ),
    run('rollout restart deploy/web', 'deployment.apps/web restarted\n'),
    run('rollout pause deploy/web', 'deployment.apps/web paused\n'),
    run('rollout resume deploy/web', 'deployment.apps/web resumed\n'),
    run('rollout status deploy/web --timeout=90s', undefined, { background: 'status' }),
    run('', /^Waiting for deployment spec update to be observed\.\.\.\n/, { finish: 'status' }),
    run("get deploy web -o jsonpath='{.metadata.generation}'", undefined, { save: 'generation' }),
    run(
      'patch deploy web --subresource=status --type=merge -p \'{"status":{"observedGeneration":{generation},"replicas":4,"updatedReplicas":4,"readyReplicas":4,"availableReplicas":4}}\'',
    ),
    run('rollout status deploy/web --timeout=90s', 'deployment "web" successfully rolled out\n'),
    run('get deploy web', table('NAME READY UP-TO-DATE AVAILABLE AGE\nweb 4/4 4 4 *')),
    run('expose deploy web --port=80 --target-port=8080', 'service/web exposed\n'),
    run("get svc web -o jsonpath='{.spec.selector.app}:{.spec.ports[0].targetPort}'", 'web:8080'),
    run('create -f -', 'statefulset.apps/set created\n', {
      input: `
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: set }
spec:
  serviceName: set
  selector: { matchLabels: { app: set } }
  template: { metadata: { labels: { app: set } }, spec: { containers: [{ name: c, image: i }] } }
`,
    }),
    run('scale sts/set --replicas=0', 'statefulset.apps/set scaled\n'),
    run('get sts', table('NAME READY AGE\nset 0/0 *')),
  ]),
  scenario('run starts a pod, which is stored and deleted', [
    run('wait --for=create sa/default --timeout=90s', /condition met/),
    run('run p --image=i --env=A=B --labels=app=p', 'pod/p created\n'),
    run(
      "get pod p -o jsonpath='{.spec.containers[0].image} {.spec.restartPolicy} {.status.phase} {.status.qosClass}'",
      'i Always Pending BestEffort',
    ),
    run('get pod --field-selector status.phase=Pending -o name', 'pod/p\n'),
    run('get pod --field-selector spec.nodeName= -o name', 'pod/p\n'),
    fails(
      'patch pod p -p \'{"spec":{"restartPolicy":"Never"}}\'',
      /^The Pod "p" is invalid: spec: Forbidden: pod updates may not change fields other than/,
    ),
    run('delete pod p --now', /^pod "p" deleted/),
    run('run q --image=i --dry-run=server -o name', 'pod/q\n'),
    fails('run R_ --image=i', /^(error: |The Pod "R_" is invalid: )/),
  ]),
  scenario('a quota counts, and refuses what is beyond it', [
    run('create quota q --hard=secrets=2,services=1'),
    run("get quota q -o jsonpath='{.status.hard.secrets}'", '2', { eventually: true }),
    run('create secret generic a', 'secret/a created\n'),
    run('create secret generic b', 'secret/b created\n'),
    fails(
      'create secret generic c',
      'error: failed to create secret secrets "c" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=2, limited: secrets=2\n',
    ),
    run('get quota q', /^NAME +(AGE +)?REQUEST +LIMIT( +AGE)?\nq +(\S+ +)?secrets: 2\/2, services: 0\/1 /),
    run('delete secret a'),
    run('create secret generic c', 'secret/c created\n', { eventually: true }),
  ]),
];
