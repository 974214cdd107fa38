/** Fields that KubeVirt and CDI copy from pods and PVCs. */
import type { Schema } from '../../objects/schema/schema.ts';
import {
  atomicList,
  atomicTexts,
  fields,
  int32,
  int64,
  intOrText,
  keyedList,
  list,
  quantityMap,
  text,
  textMap,
  type Properties,
} from './schema.ts';

const atomic = { 'x-kubernetes-map-type': 'atomic' } as const;

export const labelSelector = (description: string): Schema =>
  fields(
    description,
    {
      matchLabels: textMap('Labels that must be there with these values.'),
      matchExpressions: atomicList(
        'Further requirements for labels; all must match.',
        requirement('The label.', 'In, NotIn, Exists or DoesNotExist.'),
      ),
    },
    atomic,
  );

const requirement = (key: string, operator: string): Schema =>
  fields(
    'One requirement.',
    {
      key: text(key),
      operator: text(operator),
      values: atomicTexts('The values that the operator compares with.'),
    },
    { required: ['key', 'operator'] },
  );

const nodeTerm = (description: string): Schema =>
  fields(
    description,
    {
      matchExpressions: atomicList(
        "Requirements for the node's labels.",
        requirement('The label.', 'In, NotIn, Exists, DoesNotExist, Gt or Lt.'),
      ),
      matchFields: atomicList(
        "Requirements for the node's fields.",
        requirement('The field.', 'In, NotIn, Exists, DoesNotExist, Gt or Lt.'),
      ),
    },
    atomic,
  );

const podTerm = (description: string): Schema =>
  fields(
    description,
    {
      labelSelector: labelSelector('Which pods count.'),
      matchLabelKeys: atomicTexts('Labels whose values have to equal those of the pod itself.'),
      mismatchLabelKeys: atomicTexts('Labels whose values have to differ from those of the pod itself.'),
      namespaceSelector: labelSelector('In which namespaces pods count.'),
      namespaces: atomicTexts("Names of namespaces in which pods count. Default: the pod's own."),
      topologyKey: text('The node label whose value says what counts as the same place.'),
    },
    { required: ['topologyKey'] },
  );

const podTerms = (description: string): Schema =>
  fields(description, {
    requiredDuringSchedulingIgnoredDuringExecution: atomicList(
      'Required rules: without a match, the pod is not scheduled.',
      podTerm('One requirement.'),
    ),
    preferredDuringSchedulingIgnoredDuringExecution: atomicList(
      'Preferred rules.',
      fields(
        'One preference.',
        { podAffinityTerm: podTerm('The preference.'), weight: int32('How much it counts: 1 to 100.') },
        { required: ['podAffinityTerm', 'weight'] },
      ),
    ),
  });

export const affinity = (): Schema =>
  fields('The nodes on which the VM should run, and pods near to it or apart from it.', {
    nodeAffinity: fields('By labels of nodes.', {
      requiredDuringSchedulingIgnoredDuringExecution: fields(
        'Required rules: without a match, the pod is not scheduled.',
        { nodeSelectorTerms: atomicList('Alternatives: one must match.', nodeTerm('One set of requirements.')) },
        { required: ['nodeSelectorTerms'], ...atomic },
      ),
      preferredDuringSchedulingIgnoredDuringExecution: atomicList(
        'Preferred rules.',
        fields(
          'One preference.',
          { preference: nodeTerm('The preference.'), weight: int32('How much it counts: 1 to 100.') },
          { required: ['preference', 'weight'] },
        ),
      ),
    }),
    podAffinity: podTerms('Near to these pods.'),
    podAntiAffinity: podTerms('Apart from these pods.'),
  });

export const tolerations = (): Schema =>
  list(
    'Taints of nodes that the VM tolerates.',
    fields('One taint, or several.', {
      key: text("The taint's key. Empty: all keys."),
      operator: text('Equal (the default) compares the value, Exists does not.'),
      value: text("The taint's value."),
      effect: text('NoSchedule, PreferNoSchedule or NoExecute. Empty: all effects.'),
      tolerationSeconds: int64('How long a NoExecute taint is tolerated.'),
    }),
  );

export const topologySpreadConstraints = (): Schema =>
  keyedList(
    'How evenly pods are spread over zones, nodes or the like.',
    ['topologyKey', 'whenUnsatisfiable'],
    fields(
      'One rule.',
      {
        labelSelector: labelSelector('Which pods are counted.'),
        matchLabelKeys: atomicTexts('Labels whose values have to equal those of the pod itself.'),
        maxSkew: int32('The largest difference between two places.'),
        minDomains: int32('The minimum number of places.'),
        nodeAffinityPolicy: text('Whether nodes that the affinity rules out are counted: Honor or Ignore.'),
        nodeTaintsPolicy: text('Whether tainted nodes are counted: Honor or Ignore.'),
        topologyKey: text('The node label whose value says what counts as the same place.'),
        whenUnsatisfiable: text('DoNotSchedule or ScheduleAnyway.'),
      },
      { required: ['maxSkew', 'topologyKey', 'whenUnsatisfiable'] },
    ),
  );

export const dnsConfig = (): Schema =>
  fields('Name resolution, in addition to what the DNS policy gives.', {
    nameservers: atomicTexts('Addresses of name servers.'),
    options: atomicList(
      'Options of the resolver.',
      fields('One option.', { name: text('Its name.'), value: text('Its value, if it takes one.') }),
    ),
    searches: atomicTexts('Domains that short names are looked up in.'),
  });

const httpGet = (): Schema =>
  fields(
    'Sends an HTTP request: an answer from 200 to 399 is a success.',
    {
      host: text('The host. Default: the guest.'),
      path: text('The path.'),
      port: intOrText('The port.'),
      scheme: text('HTTP or HTTPS.'),
      httpHeaders: atomicList(
        'Headers to send.',
        fields('One header.', { name: text('Its name.'), value: text('Its value.') }, { required: ['name', 'value'] }),
      ),
    },
    { required: ['port'] },
  );

export const probe = (description: string): Schema =>
  fields(description, {
    exec: fields('Runs a command in the guest, by the guest agent.', {
      command: atomicTexts('The command and its arguments.'),
    }),
    guestAgentPing: { type: 'object', description: 'Checks whether the guest agent answers.' },
    httpGet: httpGet(),
    tcpSocket: fields(
      'Opens a TCP connection.',
      { host: text('The host. Default: the guest.'), port: intOrText('The port.') },
      { required: ['port'] },
    ),
    initialDelaySeconds: int32('The delay of the first probe after the start.'),
    periodSeconds: int32('The interval between probes.'),
    timeoutSeconds: int32('The timeout of a probe.'),
    successThreshold: int32('How many consecutive successes are needed after a failure.'),
    failureThreshold: int32('How many consecutive failures are needed.'),
  });

/** `storageResources` are the resources of a PVC: requests and limits of storage. */
export const storageResources = (): Schema =>
  fields('How much storage.', {
    requests: quantityMap('At least this much, such as `storage: 30Gi`.'),
    limits: quantityMap('At most this much.'),
  });

export const computeResources = (): Properties => ({
  requests: quantityMap('The requests of the launcher pod, such as `memory: 2Gi` or `cpu: 500m`.'),
  limits: quantityMap('The limits of the launcher pod.'),
});

/** References to the data source of a new volume. */
export const claimDataSources = (): Properties => ({
  dataSource: fields(
    'The source of the claim, in the same namespace.',
    {
      apiGroup: text('The group of its kind.'),
      kind: text('Its kind.'),
      name: text('Its name.'),
    },
    { required: ['kind', 'name'], ...atomic },
  ),
  dataSourceRef: fields(
    'The source of the claim.',
    {
      apiGroup: text('The group of its kind.'),
      kind: text('Its kind.'),
      name: text('Its name.'),
      namespace: text('Its namespace, if another.'),
    },
    { required: ['kind', 'name'] },
  ),
});

/** `localReference` is a Secret or ConfigMap of the same namespace, by name. */
export const localReference = (description: string): Schema =>
  fields(description, { name: text('Its name.', { default: '' }) }, atomic);
