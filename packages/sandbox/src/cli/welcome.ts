/** `Welcome` is the text that a running sandbox prints. Every line that looks like a command works as it is. */

export interface Welcome {
  readonly clusters: readonly { readonly name: string; readonly url: string }[];
  /** An absolute path, because the user continues in another terminal. */
  readonly kubeconfig: string;
  /** The folder of the state, if it is persistent. */
  readonly data?: string | undefined;
  readonly milliseconds: number;
  readonly hasKubectl: boolean;
  /** Whether there are VMs to show, and templates to create one from. */
  readonly hasMachines?: boolean;
}

/** The namespace of the samples and of the templates in the tour. */
const DEMO = 'demo';

export function welcome(about: Welcome): string {
  const { clusters, kubeconfig, data, milliseconds, hasKubectl, hasMachines = false } = about;
  const file = shellWord(kubeconfig);
  const addresses = clusters.map(({ name, url }) => `  ${name.padEnd(12)} ${url}`);
  const another = clusters[1]?.name;
  const parts = [
    `The sandbox is up after ${milliseconds} ms. It serves the Kubernetes API at:`,
    addresses.join('\n'),
    `Try it in another terminal${hasKubectl ? '' : ' (kubectl is not on the PATH here: https://kubernetes.io/docs/tasks/tools/)'}:`,
    `  kubectl --kubeconfig ${file} ${hasMachines ? 'get vm --all-namespaces' : 'get ns'}`,
    'Or set the kubeconfig once, and omit the flag:',
    [`  export KUBECONFIG=${file}`, ...(hasMachines ? [] : firstSteps)].join('\n'),
    ...(hasMachines ? ['Create a VM from a template, wait until it runs, stop it, look around, delete it:', tour] : []),
    ...(another === undefined
      ? []
      : [
          `The kubeconfig has a context for each cluster; the first one is the default:\n\n  kubectl --context ${another} get ns`,
        ]),
    data === undefined
      ? 'You are the administrator. State is in memory and ends with this process; use --data DIR to keep it.'
      : `You are the administrator. State is stored in ${data}.`,
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

/** The requests of virtctl, made with kubectl only. */
const tour = [
  `  echo '{"parameters":{"NAME":"web"}}' | kubectl create --raw ${templates}/fedora/create -f -`,
  `  kubectl -n ${DEMO} wait vm web --for=jsonpath='{.status.printableStatus}'=Running --timeout=2m`,
  `  echo '{}' | kubectl replace --raw ${machines}/web/stop -f -`,
  `  kubectl -n ${DEMO} get vm,vmi,pod,pvc`,
  `  kubectl -n ${DEMO} delete vm web`,
].join('\n');

/** Quotes a word for a shell where needed: folder names can contain spaces. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
