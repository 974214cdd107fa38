/**
 * Every key of the configuration. A process adds its section here: the file, environment and flag forms, their checks
 * and the documentation follow. `make docs` writes docs/configuration.md anew.
 */
import { key, section, type Infer } from './schema.ts';
import { address, duration, int, oneOf, path, secretFile } from './values.ts';

export const schema = section('The configuration of ssvirt.', {
  log: section('What every process writes to its standard error.', {
    level: key(oneOf('debug', 'info', 'warn', 'error'), {
      default: 'info',
      doc: 'The least serious messages that are written.',
    }),
    format: key(oneOf('text', 'json'), {
      default: 'text',
      doc: 'Lines for people, or one JSON object a line for machines.',
    }),
  }),
  kube: section(
    'The cluster that a command such as `ssvirt sandbox fault` talks to.',
    {
      kubeconfig: key(path, {
        doc: 'The kubeconfig file that is read to reach the cluster.',
        aliases: [{ env: 'KUBECONFIG', process: 'cli' }],
      }),
    },
    'cli',
  ),
  sandbox: section(
    'The embedded Kubernetes API, `ssvirt sandbox`.',
    {
      listen: key(address, {
        default: '127.0.0.1:7443',
        doc: "Where the first cluster's API listens; each further cluster takes the next port. Port 0 takes free ports.",
      }),
      clusters: key(int(1, 64), { default: '1', doc: 'How many clusters are started, each with its own state.' }),
      kubeconfig: key(path, {
        default: 'sandbox.kubeconfig',
        doc: 'The file that the kubeconfig is written to, with one context for each cluster.',
      }),
      data: key(path, {
        doc: "The folder that keeps the clusters' state over restarts; without it the state ends with the process.",
      }),
      tokenFile: key(secretFile, {
        doc: "A file that holds the administrator's bearer token; without it a token is made up.",
      }),
      eventWindow: key(int(1), {
        default: '10000',
        doc: 'How many events of each resource are kept for watches that resume; from before that a watch gets 410 Gone.',
      }),
      compactionInterval: key(duration, {
        default: '5m',
        doc: 'How often revisions older than this are compacted, so that lists and watches from them get 410 Gone; 0 means never.',
      }),
    },
    'sandbox',
  ),
});

export type Config = Infer<typeof schema>;
export type SandboxConfig = Config['sandbox'];
