/** What a newcomer reads when the sandbox is up. Every line that looks like a command is one, and works as it stands. */

export interface Welcome {
  readonly clusters: readonly { readonly name: string; readonly url: string }[];
  /** An absolute path, since people go on in another terminal. */
  readonly kubeconfig: string;
  /** The folder that keeps the state, if one does. */
  readonly data?: string | undefined;
  readonly milliseconds: number;
  readonly hasKubectl: boolean;
  /** Whether there are virtual machines to look at, and templates to make one from. */
  readonly hasMachines?: boolean;
}

/** Where the samples are, and the templates that the tour uses. */
const DEMO = 'demo';

export function welcome(about: Welcome): string {
  const { clusters, kubeconfig, data, milliseconds, hasKubectl, hasMachines = false } = about;
  const file = shellWord(kubeconfig);
  const addresses = clusters.map(({ name, url }) => `  ${name.padEnd(12)} ${url}`);
  const another = clusters[1]?.name;
  const parts = [
    `The sandbox is up after ${milliseconds} ms. It serves the Kubernetes API at`,
    addresses.join('\n'),
    `Try it in another terminal${hasKubectl ? '' : ' (kubectl is not on the PATH here: https://kubernetes.io/docs/tasks/tools/)'}:`,
    `  kubectl --kubeconfig ${file} ${hasMachines ? 'get vm --all-namespaces' : 'get ns'}`,
    'Or name the kubeconfig once, and go on without the flag:',
    [`  export KUBECONFIG=${file}`, ...(hasMachines ? [] : firstSteps)].join('\n'),
    ...(hasMachines
      ? ['Make a machine from a template, wait until it runs, stop it, look around, delete it:', tour]
      : []),
    ...(another === undefined
      ? []
      : [
          `Each cluster has a context in it, and the first one is the default:\n\n  kubectl --context ${another} get ns`,
        ]),
    data === undefined
      ? 'You are the administrator. State is in memory and ends with this process; --data DIR keeps it.'
      : `You are the administrator. State is kept in ${data}.`,
    'Stop with Ctrl-C.',
  ];
  return `${parts.join('\n\n')}\n`;
}

const firstSteps = [
  '  kubectl create configmap hello --from-literal=who=world',
  '  kubectl get configmap hello -o yaml',
  '  kubectl api-resources',
];

const templates = `/apis/subresources.template.kubevirt.io/v1beta1/namespaces/${DEMO}/virtualmachinetemplates`;
const machines = `/apis/subresources.kubevirt.io/v1/namespaces/${DEMO}/virtualmachines`;

/** The calls that virtctl makes, with nothing but kubectl. */
const tour = [
  `  echo '{"parameters":{"NAME":"web"}}' | kubectl create --raw ${templates}/fedora/create -f -`,
  `  kubectl -n ${DEMO} wait vm web --for=jsonpath='{.status.printableStatus}'=Running --timeout=2m`,
  `  echo '{}' | kubectl replace --raw ${machines}/web/stop -f -`,
  `  kubectl -n ${DEMO} get vm,vmi,pod,pvc`,
  `  kubectl -n ${DEMO} delete vm web`,
].join('\n');

/** Quoted for a shell where it has to be: folders have spaces in their names. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
