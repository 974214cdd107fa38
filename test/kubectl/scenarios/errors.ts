/** Error messages of kubectl, and what it knows about the server. */
import { fails, lines, run, scenario } from '../scenario.ts';

const conditionOf = (kind: string): string => `
apiVersion: v1
kind: ${kind}
metadata: { name: x }
`;

export const errorScenarios = [
  scenario(
    'mistakes get the answers that people know',
    [
      fails('get podz', 'error: the server doesn\'t have a resource type "podz"\n'),
      fails('get pod nope', 'Error from server (NotFound): pods "nope" not found\n'),
      fails('get deploy nope', 'Error from server (NotFound): deployments.apps "nope" not found\n'),
      fails('describe pod nope', 'Error from server (NotFound): pods "nope" not found\n'),
      fails('get pod nope -n absent-{ns}', 'Error from server (NotFound): namespaces "absent-{ns}" not found\n'),
      fails('create cm x -n absent-{ns}', 'error: failed to create configmap: namespaces "absent-{ns}" not found\n'),
      fails('apply -f broken.yaml', /^error: error parsing broken\.yaml: error converting YAML to JSON: yaml: /),
      fails(
        'apply -f nokind.yaml',
        /^error: error validating "nokind\.yaml": error validating data: kind not set; if you choose to ignore these errors, turn validation off with --validate=false\n$/,
      ),
      fails(
        'apply -f unknown.yaml',
        /^error: resource mapping not found for name: "x" namespace: "" from "unknown\.yaml": no matches for kind "Nope" in version "v1"\nensure CRDs are installed first\n$/,
      ),
      fails(
        'apply -f oldversion.yaml',
        /no matches for kind "Deployment" in version "apps\/v1beta1"\nensure CRDs are installed first\n$/,
      ),
      fails('apply -f absent.yaml', 'error: the path "absent.yaml" does not exist\n'),
      fails(
        'create -f wrongtype.yaml',
        /^Error from server \(BadRequest\): error when creating "wrongtype\.yaml": (ConfigMap|Deployment) in version "v1" cannot be handled as a (ConfigMap|Deployment): json: cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32\n$/,
      ),
      fails(
        'create -f invalid.yaml',
        'The Deployment "x" is invalid: spec.template.metadata.labels: Invalid value: {"app":"b"}: `selector` does not match template `labels`\n',
      ),
      fails('create -f required.yaml', /^The Service "x" is invalid: spec\.ports: Required value\n$/),
      fails(
        'create -f badname.yaml',
        /^The ConfigMap "A" is invalid: metadata\.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '\.', and must start and end with an alphanumeric character \(e\.g\. 'example\.com', regex used for validation is '\[a-z0-9\]\(\[-a-z0-9\]\*\[a-z0-9\]\)\?\(\\\.\[a-z0-9\]\(\[-a-z0-9\]\*\[a-z0-9\]\)\?\)\*'\)\n$/,
      ),
      fails(
        'create -f otherns.yaml --namespace={ns}',
        /^error: the namespace from the provided object "elsewhere" does not match the namespace "{ns}"\. You must pass '--namespace=elsewhere' to perform this operation\.\n$/,
      ),
      fails('get', /You must specify the type of resource to get/),
      fails('top nodes', 'error: Metrics API not available\n'),
      fails('get cm --token=wrong', 'error: You must be logged in to the server (Unauthorized)\n'),
    ],
    {
      'broken.yaml': 'apiVersion: v1\nkind: [\n',
      'nokind.yaml': 'apiVersion: v1\nmetadata: { name: x }\n',
      'unknown.yaml': conditionOf('Nope'),
      'oldversion.yaml': 'apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: { name: x }\n',
      'wrongtype.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: x }\nspec: { replicas: many }\n',
      'invalid.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: x }
spec:
  selector: { matchLabels: { app: a } }
  template: { metadata: { labels: { app: b } }, spec: { containers: [{ name: c, image: i }] } }
`,
      'required.yaml': 'apiVersion: v1\nkind: Service\nmetadata: { name: x }\nspec: { selector: { a: b } }\n',
      'badname.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: A }\n',
      'otherns.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x, namespace: elsewhere }\n',
    },
  ),
  scenario(
    'unknown and duplicate fields are refused, warned of, or ignored',
    [
      fails(
        'create -f typo.yaml',
        'Error from server (BadRequest): error when creating "typo.yaml": Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.containers[0].imagePolicy", unknown field "spec.restart"\n',
      ),
      fails(
        'apply -f typo.yaml',
        /strict decoding error: unknown field "spec\.containers\[0\]\.imagePolicy", unknown field "spec\.restart"\n$/,
      ),
      fails(
        'apply --server-side -f typo.yaml',
        /\.spec\.restart: field not declared in schema|unknown field "spec\.restart"/,
      ),
      run('create -f typo.yaml --validate=warn --dry-run=server', 'pod/x created (server dry run)\n', {
        err: 'Warning: unknown field "spec.containers[0].imagePolicy"\nWarning: unknown field "spec.restart"\n',
      }),
      run('create -f typo.yaml --validate=ignore --dry-run=server', 'pod/x created (server dry run)\n'),
      run('create -f typo.yaml --validate=false --dry-run=server', 'pod/x created (server dry run)\n'),
      fails(
        'create -f list.yaml',
        /error validating "list\.yaml": error validating data: ValidationError\(ConfigMap\): unknown field "dat" in io\.k8s\.api\.core\.v1\.ConfigMap; if you choose to ignore these errors/,
      ),
      run('create cm c --from-literal=a=b'),
      fails('patch cm c --type=merge -p \'{"dat":{}}\'', /.*/, { code: 0, out: 'configmap/c patched (no change)\n' }),
    ],
    {
      'typo.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: x }\nspec: { restart: Never, containers: [{ name: c, image: i, imagePolicy: Always }] }\n',
      'list.yaml':
        'apiVersion: v1\nkind: List\nitems: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: x }, dat: { a: b } }]\n',
    },
  ),
  scenario('the server tells what it is and what it serves', [
    run('version', /^Client Version: v1\.\d+\.\S+\nKustomize Version: \S+\nServer Version: v1\.36\.\d+\S*\n$/, {
      err: /^(WARNING: version difference .*\n)?$/i,
    }),
    run('version -o json', /"serverVersion": \{[^}]*"minor": "36"/, { err: /^(WARNING: .*\n)?$/i }),
    run('cluster-info', /Kubernetes control plane.* is running at .*https:\/\//),
    run(
      'api-versions',
      lines(
        'v1',
        'apps/v1',
        'apiextensions.k8s.io/v1',
        'rbac.authorization.k8s.io/v1',
        'events.k8s.io/v1',
        'coordination.k8s.io/v1',
      ),
    ),
    run(
      'api-resources',
      lines(
        'NAME SHORTNAMES APIVERSION NAMESPACED KIND',
        'pods po v1 true Pod',
        'namespaces ns v1 false Namespace',
        'deployments deploy apps/v1 true Deployment',
        'customresourcedefinitions crd,crds apiextensions.k8s.io/v1 false CustomResourceDefinition',
      ),
    ),
    run('api-resources -o wide --api-group=apps', [
      /^deployments +deploy +apps\/v1 +true +Deployment +create,delete,deletecollection,get,list,patch,update,watch +all$/m,
    ]),
    run('api-resources --namespaced=false -o name', lines('nodes', 'namespaces', 'storageclasses.storage.k8s.io')),
    run(
      'api-resources --verbs=create --api-group=authorization.k8s.io -o name',
      'localsubjectaccessreviews.authorization.k8s.io\nselfsubjectaccessreviews.authorization.k8s.io\nselfsubjectrulesreviews.authorization.k8s.io\nsubjectaccessreviews.authorization.k8s.io\n',
    ),
    run(
      'api-resources --categories=all --api-group=apps -o name',
      'daemonsets.apps\ndeployments.apps\nreplicasets.apps\nstatefulsets.apps\n',
    ),
    run('config view --minify -o jsonpath={.contexts[0].name}', /./),
  ]),
  scenario('explain knows the fields of built-in kinds', [
    run('explain pod', [
      /^KIND: +Pod\nVERSION: +v1\n\nDESCRIPTION:\n/,
      /^FIELDS:\n  apiVersion\t<string>\n/m,
      /^  spec\t<PodSpec>$/m,
    ]),
    run('explain pod.spec.containers', [
      /^FIELD: containers <\[\]Container>$/m,
      /^  image\t<string>$/m,
      /^  name\t<string> -required-$/m,
      /^  env\t<\[\]EnvVar>$/m,
    ]),
    run('explain pod.spec.restartPolicy', [
      /^FIELD: restartPolicy <string>\nENUM:\n    Always\n    Never\n    OnFailure\n/m,
    ]),
    run('explain deploy.spec.strategy.rollingUpdate', [
      /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n/,
      /^  maxSurge\t<IntOrString>$/m,
    ]),
    run('explain svc --recursive', [/^  spec\t<ServiceSpec>$/m, /^      nodePort\t<integer>$/m]),
    run('explain pods --api-version=v1', /^KIND: +Pod\n/),
    run('explain pod.spec --output=plaintext-openapiv2', [
      /^RESOURCE: spec <Object>$/m,
      /^   containers\t<\[\]Object> -required-$/m,
    ]),
    run('explain crd.spec.versions.schema', /^FIELD: schema <CustomResourceValidation>$/m),
    fails('explain pod.spec.nope', 'error: field "nope" does not exist\n'),
    fails('explain podz', /the server doesn't have a resource type "podz"\n$/),
  ]),
];
