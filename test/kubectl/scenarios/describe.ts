/** `kubectl describe` for the kinds that the sandbox serves. */
import { lines, run, scenario } from '../scenario.ts';

const workloads = `
apiVersion: v1
kind: Pod
metadata: { name: pod, labels: { app: web }, annotations: { note: hello } }
spec:
  automountServiceAccountToken: false
  containers:
  - name: main
    image: web:1
    command: [run, it]
    ports: [{ name: http, containerPort: 80 }]
    resources: { requests: { cpu: 100m, memory: 64Mi }, limits: { memory: 128Mi } }
    env:
    - { name: PLAIN, value: "1" }
    - { name: FROM, valueFrom: { configMapKeyRef: { name: cm, key: k } } }
    livenessProbe: { httpGet: { path: /healthz, port: http } }
    volumeMounts: [{ name: data, mountPath: /data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: pvc } }]
  nodeSelector: { zone: a }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: deploy }
spec:
  replicas: 2
  selector: { matchLabels: { app: d } }
  template: { metadata: { labels: { app: d } }, spec: { containers: [{ name: c, image: "i:1" }] } }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: ds }
spec:
  selector: { matchLabels: { app: ds } }
  template: { metadata: { labels: { app: ds } }, spec: { containers: [{ name: c, image: "i:1" }] } }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: sts }
spec:
  serviceName: svc
  selector: { matchLabels: { app: sts } }
  template: { metadata: { labels: { app: sts } }, spec: { containers: [{ name: c, image: "i:1" }] } }
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: rs }
spec:
  selector: { matchLabels: { app: rs } }
  template: { metadata: { labels: { app: rs } }, spec: { containers: [{ name: c, image: "i:1" }] } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: pdb }
spec: { minAvailable: 1, selector: { matchLabels: { app: web } } }
`;

const rest = `
apiVersion: v1
kind: ConfigMap
metadata: { name: cm }
data: { k: v }
---
apiVersion: v1
kind: Secret
metadata: { name: secret }
stringData: { password: hunter2 }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: sa }
---
apiVersion: v1
kind: Service
metadata: { name: svc }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: http }] }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: pvc }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, storageClassName: none }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: quota }
spec: { hard: { configmaps: "10" } }
---
apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec: { limits: [{ type: Container, default: { memory: 1Gi } }] }
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: { name: lease }
spec: { holderIdentity: me, leaseDurationSeconds: 15 }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: netpol }
spec: { podSelector: { matchLabels: { app: web } }, policyTypes: [Ingress] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: role }
rules: [{ apiGroups: [""], resources: [pods], verbs: [get, list] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: binding }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: role }
subjects: [{ kind: ServiceAccount, name: sa, namespace: "{ns}" }]
`;

const clusterWide = `
apiVersion: v1
kind: Node
metadata: { name: "node-{ns}", labels: { zone: a } }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: "pv-{ns}" }
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /x } }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: "sc-{ns}" }
provisioner: example.com/none
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: "role-{ns}" }
rules: [{ apiGroups: [apps], resources: [deployments], verbs: ["*"] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: "binding-{ns}" }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "role-{ns}" }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: jane }]
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: "priority-{ns}" }
value: 100
description: for tests
`;

export const describeScenarios = [
  scenario(
    'describe prints the kinds of a namespace',
    [
      run('create -f rest.yaml'),
      run(
        'describe cm cm',
        /^Name: +cm\nNamespace: +{ns}\nLabels: +<none>\nAnnotations: +<none>\n\nData\n====\nk:\n----\nv\n\n\nBinaryData\n====\n\nEvents: +<none>\n$/,
      ),
      run(
        'describe secret secret',
        /^Name: +secret\nNamespace: +{ns}\nLabels: +<none>\nAnnotations: +<none>\n\nType: +Opaque\n\nData\n====\npassword: +7 bytes\n$/,
      ),
      run('describe sa sa', lines('Name: sa', 'Image pull secrets: <none>')),
      run(
        'describe svc svc',
        lines(
          'Name: svc',
          'Selector: app=web',
          'Type: ClusterIP',
          'IP Families: IPv4',
          'IP: *',
          'Port: <unset> 80/TCP',
          'TargetPort: http/TCP',
          'Session Affinity: None',
          'Internal Traffic Policy: Cluster',
        ),
      ),
      run(
        'describe pvc pvc',
        lines(
          'Name: pvc',
          'StorageClass: none',
          'Status: Pending',
          'Volume:',
          'Access Modes:',
          'VolumeMode: Filesystem',
          'Used By: <none>',
        ),
      ),
      run('describe quota quota', lines('Name: quota', 'Resource Used Hard', 'configmaps * 10'), { eventually: true }),
      run('describe limits limits', lines('Name: limits', 'Container memory - - 1Gi 1Gi -')),
      run(
        'describe lease lease',
        lines(
          'Name: lease',
          'API Version: coordination.k8s.io/v1',
          'Kind: Lease',
          'Holder Identity: me',
          'Lease Duration Seconds: 15',
        ),
      ),
      run(
        'describe netpol netpol',
        lines('Name: netpol', 'PodSelector: app=web', 'Policy Types: Ingress', 'Not affecting egress traffic'),
      ),
      run('describe role role', lines('Name: role', 'pods [] [] [get list]')),
      run('describe rolebinding binding', lines('Kind: Role', 'Name: role', 'ServiceAccount sa {ns}')),
      run(
        'describe ns {ns}',
        lines(
          'Name: {ns}',
          'Labels: kubernetes.io/metadata.name={ns}',
          'Status: Active',
          'Resource Quotas',
          'Name: quota',
          'Resource Limits',
        ),
      ),
      run('describe cm/cm secret/secret', [/^Name: +cm\n/, /\n\n\nName: +secret\n/]),
      run('describe cm -l nothing=there', '', { err: 'No resources found in {ns} namespace.\n' }),
    ],
    { 'rest.yaml': rest },
  ),
  scenario(
    'describe prints workloads and pods',
    [
      run('wait --for=create sa/default --timeout=90s', /condition met/),
      run('create -f workloads.yaml', /pod\/pod created/),
      run(
        'describe pod pod',
        lines(
          'Name: pod',
          'Priority: 0',
          'Service Account: default',
          'Labels: app=web',
          'Annotations: note: hello',
          'Status: Pending',
          'Image: web:1',
          'cpu: 100m',
          'PLAIN: 1',
          "FROM: <set to the key 'k' of config map 'cm'> Optional: false",
          '/data from data (rw)',
          'ClaimName: pvc',
          'QoS Class: Burstable',
          'Node-Selectors: zone=a',
          'Liveness: http-get http://:http/healthz delay=0s timeout=1s period=10s #success=1 #failure=3',
        ),
      ),
      run(
        'describe deploy deploy',
        lines(
          'Name: deploy',
          'Selector: app=d',
          'StrategyType: RollingUpdate',
          'RollingUpdateStrategy: 25% max unavailable, 25% max surge',
          'Image: i:1',
        ),
      ),
      run('describe ds ds', lines('Name: ds', 'Selector: app=ds', 'Desired Number of Nodes Scheduled: 0')),
      run('describe sts sts', lines('Name: sts', 'Update Strategy: RollingUpdate', 'Partition: 0')),
      run('describe rs rs', lines('Name: rs', 'Replicas: 0 current / 1 desired')),
      run('describe pdb pdb', lines('Name: pdb', 'Min available: 1', 'Selector: app=web')),
      run('get pod', /^NAME +READY +STATUS +RESTARTS +AGE\npod +0\/1 +Pending +0 +\S+\n$/),
      run(
        'get pod -o wide',
        /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE +NOMINATED NODE +READINESS GATES\npod +0\/1 +Pending +0 +\S+ +<none> +<none> +<none> +<none>\n$/,
      ),
      run('get deploy,ds,sts,rs,pdb', [
        /^deployment\.apps\/deploy +0\/2 +0 +0 +\S+$/m,
        /^daemonset\.apps\/ds +0 +0 +0 +0 +0 +<none> +\S+$/m,
        /^statefulset\.apps\/sts +0\/1 +\S+$/m,
        /^replicaset\.apps\/rs +1 +0 +0 +\S+$/m,
        /^poddisruptionbudget\.policy\/pdb +1 +N\/A +0 +\S+$/m,
      ]),
    ],
    { 'workloads.yaml': workloads },
  ),
  scenario(
    'describe prints cluster-wide kinds',
    [
      run('create -f cluster.yaml'),
      run(
        'describe node node-{ns}',
        lines(
          'Name: node-{ns}',
          'Labels: zone=a',
          'Unschedulable: false',
          'Addresses:',
          'Non-terminated Pods: (0 in total)',
        ),
      ),
      run(
        'describe pv pv-{ns}',
        lines('Name: pv-{ns}', 'Reclaim Policy: Retain', 'Access Modes: RWO', 'Capacity: 1Gi', 'Path: /x'),
      ),
      run(
        'describe sc sc-{ns}',
        lines(
          'Name: sc-{ns}',
          'IsDefaultClass: No',
          'Provisioner: example.com/none',
          'VolumeBindingMode: Immediate',
          'ReclaimPolicy: Delete',
        ),
      ),
      run('describe clusterrole role-{ns}', lines('Name: role-{ns}', 'deployments.apps [] [] [*]')),
      run('describe clusterrolebinding binding-{ns}', lines('Kind: ClusterRole', 'User jane')),
      run(
        'describe priorityclass priority-{ns}',
        lines('Name: priority-{ns}', 'Value: 100', 'PreemptionPolicy: PreemptLowerPriority', 'Description: for tests'),
      ),
      run('get node node-{ns}', /^NAME +STATUS +ROLES +AGE +VERSION\nnode-{ns} +Unknown +<none> +\S+ *\n$/),
      run(
        'get pv pv-{ns}',
        /^NAME +CAPACITY +ACCESS MODES +RECLAIM POLICY +STATUS +CLAIM +STORAGECLASS +VOLUMEATTRIBUTESCLASS +REASON +AGE\npv-{ns} +1Gi +RWO +Retain +(Available|Pending) +<unset> +\S+\n$/,
      ),
      run(
        'get sc sc-{ns}',
        /^NAME +PROVISIONER +RECLAIMPOLICY +VOLUMEBINDINGMODE +ALLOWVOLUMEEXPANSION +AGE\nsc-{ns} +example\.com\/none +Delete +Immediate +false +\S+\n$/,
      ),
      run('cordon node-{ns}', 'node/node-{ns} cordoned\n'),
      run('get node node-{ns}', /Unknown,SchedulingDisabled/),
      run('taint node node-{ns} key=value:NoSchedule', 'node/node-{ns} tainted\n'),
      run('get node node-{ns} -o jsonpath=\'{.spec.taints[?(@.key=="key")].effect}\'', 'NoSchedule'),
      run('uncordon node-{ns}', 'node/node-{ns} uncordoned\n'),
      run('delete -f cluster.yaml', /persistentvolume "pv-{ns}" deleted/),
    ],
    { 'cluster.yaml': clusterWide },
  ),
];
