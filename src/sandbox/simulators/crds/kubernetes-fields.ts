/** Fields that KubeVirt and CDI take over from pods and claims. */
import type { Schema } from '../../schema/schema.ts';
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
        'Further demands on labels; all must hold.',
        requirement('The label.', 'In, NotIn, Exists or DoesNotExist.'),
      ),
    },
    atomic,
  );

const requirement = (key: string, operator: string): Schema =>
  fields(
    'One demand.',
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
        "Demands on the node's labels.",
        requirement('The label.', 'In, NotIn, Exists, DoesNotExist, Gt or Lt.'),
      ),
      matchFields: atomicList(
        "Demands on the node's fields.",
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
      namespaces: atomicTexts("Names of namespaces in which pods count; the pod's own where nothing is said."),
      topologyKey: text('The node label whose value says what counts as the same place.'),
    },
    { required: ['topologyKey'] },
  );

const podTerms = (description: string): Schema =>
  fields(description, {
    requiredDuringSchedulingIgnoredDuringExecution: atomicList(
      'What must hold, or nothing is scheduled.',
      podTerm('One demand.'),
    ),
    preferredDuringSchedulingIgnoredDuringExecution: atomicList(
      'What should hold.',
      fields(
        'One wish.',
        { podAffinityTerm: podTerm('The wish.'), weight: int32('How much it counts: 1 to 100.') },
        { required: ['podAffinityTerm', 'weight'] },
      ),
    ),
  });

export const affinity = (): Schema =>
  fields('Where the virtual machine should run, and beside whom.', {
    nodeAffinity: fields('By labels of nodes.', {
      requiredDuringSchedulingIgnoredDuringExecution: fields(
        'What must hold, or nothing is scheduled.',
        { nodeSelectorTerms: atomicList('Any of them will do.', nodeTerm('One set of demands.')) },
        { required: ['nodeSelectorTerms'], ...atomic },
      ),
      preferredDuringSchedulingIgnoredDuringExecution: atomicList(
        'What should hold.',
        fields(
          'One wish.',
          { preference: nodeTerm('The wish.'), weight: int32('How much it counts: 1 to 100.') },
          { required: ['preference', 'weight'] },
        ),
      ),
    }),
    podAffinity: podTerms('Near to these pods.'),
    podAntiAffinity: podTerms('Apart from these pods.'),
  });

export const tolerations = (): Schema =>
  list(
    'Taints of nodes that do not keep the virtual machine away.',
    fields('One taint, or several.', {
      key: text("The taint's key; all where it is empty."),
      operator: text('Equal (the default) compares the value, Exists does not.'),
      value: text("The taint's value."),
      effect: text('NoSchedule, PreferNoSchedule or NoExecute; all where it is empty.'),
      tolerationSeconds: int64('How long a NoExecute taint is borne.'),
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
        maxSkew: int32('By how much two places may differ.'),
        minDomains: int32('How many places there have to be.'),
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
    'Asks by HTTP: an answer from 200 to 399 is a good one.',
    {
      host: text('The host; the guest where nothing is said.'),
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
    guestAgentPing: { type: 'object', description: 'Asks the guest agent for a sign of life.' },
    httpGet: httpGet(),
    tcpSocket: fields(
      'Opens a TCP connection.',
      { host: text('The host; the guest where nothing is said.'), port: intOrText('The port.') },
      { required: ['port'] },
    ),
    initialDelaySeconds: int32('How long after the start the first question is asked.'),
    periodSeconds: int32('How often it is asked.'),
    timeoutSeconds: int32('How long an answer may take.'),
    successThreshold: int32('How many good answers in a row make it well.'),
    failureThreshold: int32('How many bad answers in a row make it bad.'),
  });

/** What a claim asks for: with requests and limits of storage. */
export const storageResources = (): Schema =>
  fields('How much storage.', {
    requests: quantityMap('At least this much, such as `storage: 30Gi`.'),
    limits: quantityMap('At most this much.'),
  });

export const computeResources = (): Properties => ({
  requests: quantityMap('What the launcher pod asks for, such as `memory: 2Gi` or `cpu: 500m`.'),
  limits: quantityMap('What the launcher pod may use at most.'),
});

/** References to what a new volume is filled from. */
export const claimDataSources = (): Properties => ({
  dataSource: fields(
    'What the claim is filled from, in the same namespace.',
    {
      apiGroup: text('The group of its kind.'),
      kind: text('Its kind.'),
      name: text('Its name.'),
    },
    { required: ['kind', 'name'], ...atomic },
  ),
  dataSourceRef: fields(
    'What the claim is filled from.',
    {
      apiGroup: text('The group of its kind.'),
      kind: text('Its kind.'),
      name: text('Its name.'),
      namespace: text('Its namespace, if another.'),
    },
    { required: ['kind', 'name'] },
  ),
});

/** A Secret or ConfigMap of the same namespace, by name. */
export const localReference = (description: string): Schema =>
  fields(description, { name: text('Its name.', { default: '' }) }, atomic);
