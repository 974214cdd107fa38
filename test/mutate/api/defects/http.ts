/** The edge: requests, errors, health, and the process around it. */
import { witnesses, type ApiDefect } from '../defect.ts';

const app = witnesses('api/app.test.ts', 'with a session is answered, in an envelope');
const organizations = witnesses(
  'api/organizations/organizations.test.ts',
  'keep false and empty texts, when they are made and when they are changed',
);
const health = witnesses('api/health/health.test.ts', 'says that the process is alive, and of which version');
const audit = witnesses(
  'api/audit/audit.test.ts',
  'tells who did what to what, when, from where, and by which request',
);
const versions = witnesses(
  'api/versions/versions.test.ts',
  'are listed in JSON to who asks for it, also with an empty version',
);
const vdcs = witnesses('api/vdcs/vdcs.test.ts', 'takes a name in any script');
const server = witnesses(
  'processes/api-server/process.test.ts',
  'without a certificate it is refused to start, with a sentence',
);
const knownTypes = organizations('refuse what they do not know, and what is of another type');

export const httpDefects: readonly ApiDefect[] = [
  {
    name: 'answers have no id',
    file: 'api/app.ts',
    find: "void reply.header('x-vmware-vcloud-request-id', request.id);",
    replace: '',
    noticedBy: app('without a session gets 401 in the one error shape, with an id that is in the log'),
  },
  {
    name: 'errors are never in XML',
    file: 'api/http/error-answer.ts',
    find: 'if (wantsXml(accept))',
    replace: "if (wantsXml(accept) && code === 'NOT_FOUND')",
    noticedBy: app('that accepts XML only gets its error in XML'),
  },
  {
    name: 'what is in an error in XML is XML itself',
    file: 'api/http/error-answer.ts',
    find: '(char) => names[char] ?? char',
    replace: '(char) => char',
    noticedBy: app('that accepts XML only gets its error in XML'),
  },
  {
    name: 'texts are taken for numbers and flags',
    file: 'api/http/validators.ts',
    find: 'coerceTypes: false',
    replace: 'coerceTypes: true',
    noticedBy: knownTypes,
  },
  {
    name: 'unknown fields are dropped',
    file: 'api/http/validators.ts',
    find: 'removeAdditional: false',
    replace: 'removeAdditional: true',
    noticedBy: knownTypes,
  },
  {
    name: 'a caller is told what went wrong inside',
    file: 'api/http/error-answer.ts',
    find: "'Something went wrong on our side; the log has it under the id in X-VMWARE-VCLOUD-REQUEST-ID.'",
    replace: 'String(cause)',
    noticedBy: audit('has what failed on our side, and not a word of what was undone'),
  },
  {
    name: 'a database that is away is an error of the server',
    file: 'api/http/error-answer.ts',
    find: 'if (isUnavailable(error) || isRetryable(error))',
    replace: 'if (error === undefined)',
    noticedBy: app('whose connection to the database is cut gets 503, and is told when to come again'),
  },
  {
    name: 'requests are answered before the tables are there',
    file: 'api/app.ts',
    find: 'if (missing !== undefined)',
    replace: "if (missing === '')",
    noticedBy: health('is not ready while the tables are not, and says so'),
  },
  {
    name: 'one dead cluster takes the API out of service',
    file: 'api/health/service.ts',
    find: 'ready: answers && missing === undefined,',
    replace: 'ready: answers && missing === undefined && entries.every(({ available }) => available),',
    noticedBy: health('names clusters that are away, and is ready all the same'),
  },
  {
    name: 'the API is ready without its database',
    file: 'api/health/service.ts',
    find: 'ready: answers && missing === undefined,',
    replace: 'ready: missing === undefined,',
    noticedBy: health('is not ready without the database, and alive all the same'),
  },
  {
    name: 'any version is served',
    file: 'api/app.ts',
    find: 'if (isVersioned(request.url)) refuseUnknownVersion(request.headers.accept);',
    replace: '',
    noticedBy: versions('that are asked for are ours, or nothing is answered'),
  },
  {
    name: 'nobody waits for a task',
    file: 'api/tasks/answer.ts',
    find: 'if (seconds === undefined) return task;',
    replace: 'if (seconds !== 0) return task;',
    noticedBy: vdcs('waits for its task where that is preferred: 201 when it is made'),
  },
  {
    name: 'a new certificate waits for the next start',
    file: 'processes/api-server/certificate-files.ts',
    find: 'use(found);',
    replace: '',
    noticedBy: server('a certificate that is renewed is shown to the next who connects'),
  },
  {
    name: 'a cluster that does not answer is shown as one that does',
    file: 'processes/cluster-directory.ts',
    find: "available: message === ''",
    replace: 'available: true',
    noticedBy: server('it serves without its cluster, writes down what is asked of it, and does it when that answers'),
  },
  {
    name: 'the tables are taken for granted',
    file: 'processes/api-server/schema.ts',
    find: "return this.#isReady ? undefined : 'it waits for its database';",
    replace: 'return undefined;',
    noticedBy: server('it serves while its database is away, and is ready when that is there'),
  },
];
