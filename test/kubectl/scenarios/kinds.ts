/** The tables of the kinds that are served, and raw requests. */
import { fails, run, scenario, table } from '../scenario.ts';

const manifests = `
apiVersion: v1
kind: Endpoints
metadata: { name: ep }
subsets: [{ addresses: [{ ip: 10.1.2.3 }], ports: [{ port: 80 }] }]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: slice }
addressType: IPv4
endpoints: [{ addresses: [10.1.2.3] }]
ports: [{ name: http, port: 80 }]
---
apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec: { limits: [{ type: Pod, max: { cpu: "2" } }] }
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: { name: lease }
spec: { holderIdentity: me }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: netpol }
spec: { podSelector: { matchLabels: { app: web } } }
---
apiVersion: apps/v1
kind: ControllerRevision
metadata: { name: revision }
data: { any: thing }
revision: 7
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: pvc }
spec: { accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } }, storageClassName: slow }
---
apiVersion: v1
kind: ReplicationController
metadata: { name: rc }
spec: { replicas: 2, selector: { app: rc }, template: { metadata: { labels: { app: rc } }, spec: { containers: [{ name: c, image: i }] } } }
---
apiVersion: v1
kind: Service
metadata: { name: lb }
spec: { type: LoadBalancer, ports: [{ name: a, port: 80 }, { name: b, port: 443, protocol: TCP }] }
---
apiVersion: v1
kind: Service
metadata: { name: headless }
spec: { clusterIP: None, ports: [{ port: 80 }] }
`;

const clusterWide = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: "validating-{ns}" }
webhooks:
- name: a.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: { url: "https://127.0.0.1:1/x" }
  rules: [{ apiGroups: [none.example.com], apiVersions: [v1], operations: [CREATE], resources: [nothing] }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: "mutating-{ns}" }
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: "priority-{ns}" }
value: 5
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: "pv-{ns}" }
spec: { capacity: { storage: 5Gi }, accessModes: [ReadWriteOnce, ReadOnlyMany], hostPath: { path: /x }, storageClassName: slow }
`;

export const kindScenarios = [
  scenario(
    'each kind is printed in its own columns',
    [
      run('create -f kinds.yaml', undefined, {
        err: /^(Warning: v1 Endpoints is deprecated in v1\.33\+; use discovery\.k8s\.io\/v1 EndpointSlice\n)?$/,
      }),
      run('get endpoints ep', table('NAME ENDPOINTS AGE\nep 10.1.2.3:80 *'), { err: /^(Warning: .*\n)?$/ }),
      run('get endpointslice slice', table('NAME ADDRESSTYPE PORTS ENDPOINTS AGE\nslice IPv4 80 10.1.2.3 *')),
      run('get limits', /^NAME +CREATED AT\nlimits +\S+Z\n$/),
      run('get lease', table('NAME HOLDER AGE\nlease me *')),
      run('get netpol', table('NAME POD-SELECTOR AGE\nnetpol app=web *')),
      run('get controllerrevision', table('NAME CONTROLLER REVISION AGE\nrevision <none> 7 *')),
      run(
        'get pvc',
        /^NAME +STATUS +VOLUME +CAPACITY +ACCESS MODES +STORAGECLASS +VOLUMEATTRIBUTESCLASS +AGE\npvc +Pending +slow +<unset> +\S+\n$/,
      ),
      run('get pvc -o wide', /^NAME .* AGE +VOLUMEMODE\npvc +Pending +slow +<unset> +\S+ +Filesystem\n$/),
      run('get rc', table('NAME DESIRED CURRENT READY AGE\nrc 2 0 0 *')),
      run('get rc -o wide', table('NAME DESIRED CURRENT READY AGE CONTAINERS IMAGES SELECTOR\nrc 2 0 0 * c i app=rc')),
      run('get svc', [
        /^headless +ClusterIP +None +<none> +80\/TCP +\S+$/m,
        /^lb +LoadBalancer +10\.\S+ +<pending> +80:3\d{4}\/TCP,443:3\d{4}\/TCP +\S+$/m,
      ]),
      run('get svc lb --server-print=false', table('NAME AGE\nlb *')),
      run('get ns {ns} -o wide', table('NAME STATUS AGE\n{ns} Active *')),
      run('get cm,lease,netpol --no-headers -o custom-columns=K:.kind -l none', '', {
        err: /^(No resources found.*\n)?$/,
      }),
    ],
    { 'kinds.yaml': manifests },
  ),
  scenario(
    'each cluster-wide kind is printed in its own columns',
    [
      run('create -f cluster.yaml'),
      run('get validatingwebhookconfigurations validating-{ns}', table('NAME WEBHOOKS AGE\nvalidating-{ns} 1 *')),
      run('get mutatingwebhookconfigurations mutating-{ns}', table('NAME WEBHOOKS AGE\nmutating-{ns} 0 *')),
      run(
        'get priorityclass priority-{ns}',
        table('NAME VALUE GLOBAL-DEFAULT AGE PREEMPTIONPOLICY\npriority-{ns} 5 false * PreemptLowerPriority'),
      ),
      run(
        'get pv pv-{ns}',
        /^NAME +CAPACITY .*\npv-{ns} +5Gi +RWO,ROX +Retain +(Available|Pending) +slow +<unset> +\S+\n$/,
      ),
      run('get apiservice v1.apps', table('NAME SERVICE AVAILABLE AGE\nv1.apps Local True *')),
      run('describe apiservice v1.', [/^Kind: +APIService$/m, /^ +Reason: +Local$/m]),
      run('get ns default kube-system', [/^default +Active +\S+$/m, /^kube-system +Active +\S+$/m]),
      run('delete -f cluster.yaml'),
    ],
    { 'cluster.yaml': clusterWide },
  ),
  scenario(
    'raw requests create, replace and delete, and a pod is evicted',
    [
      run('wait --for=create sa/default --timeout=90s', /condition met/),
      run(
        'create --raw /api/v1/namespaces/{ns}/configmaps -f cm.json',
        /^\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{"name":"raw","namespace":"{ns}"/,
      ),
      run('replace --raw /api/v1/namespaces/{ns}/configmaps/raw -f cm.json', /"name":"raw"/),
      run(
        'delete --raw /api/v1/namespaces/{ns}/configmaps/raw',
        /^\{"kind":"Status","apiVersion":"v1","metadata":\{\},"status":"Success","details":\{"name":"raw","kind":"configmaps","uid":"[^"]+"\}\}/,
      ),
      fails('create --raw /api/v1/namespaces/{ns}/configmaps -f broken.json', /^Error from server \(BadRequest\): /),
      run('run p --image=i', 'pod/p created\n'),
      run('create --raw /api/v1/namespaces/{ns}/pods/p/eviction -f evict.json', /"status":"Success"/),
      run('get pod p --ignore-not-found', '', { eventually: true }),
    ],
    {
      'cm.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"raw"}}',
      'broken.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":',
      'evict.json': '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}',
    },
  ),
  scenario(
    'a node is drained of its pods',
    [
      run('wait --for=create sa/default --timeout=90s', /condition met/),
      run('create -f node.yaml', 'node/node-{ns} created\n'),
      run('create -f pod.yaml', 'pod/p created\n'),
      run('get pod -o wide', /p +0\/1 +Pending +0 +\S+ +<none> +node-{ns} /),
      run('get pod --field-selector spec.nodeName=node-{ns} -o name', 'pod/p\n'),
      run('describe node node-{ns}', [/^Non-terminated Pods: +\(1 in total\)$/m]),
      fails(
        'drain node-{ns} --timeout=90s',
        /cannot delete Pods? (that )?declare no controller|cannot delete Pods not managed by/,
        { out: /^node\/node-{ns} cordoned\n/ },
      ),
      run('delete pod p --force --grace-period=0', /^pod "p" force deleted/, {
        err: /^Warning: Immediate deletion does not wait for confirmation/,
      }),
      run('drain node-{ns} --timeout=90s', 'node/node-{ns} already cordoned\nnode/node-{ns} drained\n', {
        eventually: true,
      }),
      run('delete node node-{ns}', 'node "node-{ns}" deleted\n'),
    ],
    {
      'node.yaml': 'apiVersion: v1\nkind: Node\nmetadata: { name: "node-{ns}" }\n',
      'pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { nodeName: "node-{ns}", containers: [{ name: c, image: i }] }\n',
    },
  ),
  scenario(
    'the last applied configuration can be read, set and edited, and roles be reconciled',
    [
      run('create cm a --from-literal=x=1'),
      run('apply set-last-applied -f a.yaml --create-annotation', 'configmap/a configured\n'),
      run('apply view-last-applied cm/a -o json', /"x": "1"/),
      run('apply edit-last-applied cm/a', 'configmap/a edited\n', { editor: 'sed -i s/x:/v:/', err: /.*/ }),
      run('auth reconcile -f role.yaml', /^role\.rbac\.authorization\.k8s\.io\/r reconciled\n/, {
        err: /^\treconciliation required create\n\tmissing rules added:\n/,
      }),
      run('create -f a.yaml --edit', 'configmap/b created\n', { editor: 'sed -i "s/name: a/name: b/"' }),
    ],
    {
      'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n',
      'role.yaml':
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: r, namespace: "{ns}" }\nrules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]\n',
    },
  ),
];
