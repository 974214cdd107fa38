/** `subresources.template.kubevirt.io`: processes a template, or creates its VM at once. */
import type { ServerResponse } from 'node:http';
import type { Client } from '@ssvirt/kube/client/client';
import { errors, type StatusError } from '../../../server/api/status.ts';
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { parseYaml } from '../../../values/yaml.ts';
import { virtualMachines, type VirtualMachine } from '../../kubevirt/objects.ts';
import { StatusAnswer, type AggregatedApi, type ApiCall, type Caller } from '../../serving/contracts.ts';
import { notFound, sendJson } from '../../serving/status.ts';
import type { World } from '../../world.ts';
import { isDecided, refusalOf, wordsOf } from '../access.ts';
import { machineTemplates, TEMPLATE_GROUP, type MachineTemplate } from './kinds.ts';
import { processMachine, withGiven, type ProcessedMachine } from './process.ts';

const GROUP = `subresources.${TEMPLATE_GROUP}`;
const versions = ['v1beta1', 'v1alpha1'] as const;
const verbs = ['create', 'process'] as const;

export function machineTemplateApis(world: World): readonly AggregatedApi[] {
  const { client } = world.as('virt-template');
  return versions.map((version, i) => ({
    group: GROUP,
    version,
    priority: { group: 1000, version: 20 - i },
    async handle(call: ApiCall, response: ServerResponse) {
      const answer =
        call.path === `/apis/${GROUP}/${version}` ? resourceList(version) : await serve(client, version, call);
      sendJson(response, 200, answer);
    },
  }));
}

/** The templates themselves are neither served here nor listed. */
function resourceList(version: string): JsonObject {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${GROUP}/${version}`,
    resources: verbs.map((verb) => ({
      name: `virtualmachinetemplates/${verb}`,
      singularName: '',
      namespaced: true,
      kind: 'ProcessedVirtualMachineTemplate',
      verbs: ['create'],
    })),
  };
}

const PATH = /^\/apis\/[^/]+\/[^/]+\/namespaces\/([^/]+)\/virtualmachinetemplates\/([^/]+)\/(process|create)\/?$/;

async function serve(client: Client, version: string, call: ApiCall): Promise<JsonObject> {
  const [, namespace = '', name = '', verb] = PATH.exec(call.path) ?? [];
  if (verb === undefined) throw notFound();
  if (call.method !== 'POST') throw asAnswer(errors.methodNotAllowed());
  const parameters = readParameters((await call.body()).toString('utf8'));
  const { message, virtualMachine } = processed(await templateAt(client, namespace, name), name, parameters);
  const machine = verb === 'create' ? await create(client, call.caller, namespace, virtualMachine) : virtualMachine;
  return {
    kind: 'ProcessedVirtualMachineTemplate',
    apiVersion: `${GROUP}/${version}`,
    templateRef: { namespace, name },
    virtualMachine: machine,
    ...(message === '' ? {} : { message }),
  };
}

function readParameters(body: string): Readonly<Record<string, string>> {
  const refuse = (why: string): never => {
    throw asAnswer(errors.badRequest(`error parsing ProcessOptions: ${why}`));
  };
  const options = body.trim() === '' ? refuse('EOF') : parsed(body, refuse);
  const given = isObject(options) ? (options['parameters'] ?? {}) : refuse('it is no object');
  if (!isObject(given)) return refuse('parameters is no map');
  const wrong = Object.keys(given).find((name) => typeof given[name] !== 'string');
  if (wrong !== undefined) return refuse(`the value of parameters.${wrong} is no string`);
  return given as Readonly<Record<string, string>>;
}

function parsed(body: string, refuse: (why: string) => never): Json {
  try {
    return parseYaml(body);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

async function templateAt(client: Client, namespace: string, name: string): Promise<MachineTemplate> {
  try {
    return await client.get(machineTemplates, { namespace, name });
  } catch (error) {
    throw internal(`error getting VirtualMachineTemplate: ${wordsOf(error)}`);
  }
}

function processed(template: MachineTemplate, name: string, given: Readonly<Record<string, string>>): ProcessedMachine {
  const parameters = withGiven(template.spec.parameters ?? [], given);
  if (typeof parameters === 'string') {
    const of = { group: TEMPLATE_GROUP, resource: machineTemplates.kind };
    throw asAnswer(errors.conflict(of, name, `parameter ${parameters} not found in template`));
  }
  const outcome = processMachine({ spec: { ...template.spec, parameters } });
  if (outcome.problem === undefined) return outcome;
  throw asAnswer(errors.invalid(TEMPLATE_GROUP, machineTemplates.kind, name, [outcome.problem]));
}

/** A user who may not create a VM must not have it created this way. */
async function create(client: Client, caller: Caller, namespace: string, machine: JsonObject): Promise<JsonObject> {
  const metadata = isObject(machine['metadata']) ? machine['metadata'] : {};
  const place = typeof metadata['namespace'] === 'string' ? metadata['namespace'] : namespace;
  const name = typeof metadata['name'] === 'string' ? metadata['name'] : '';
  const asked = {
    namespace: place,
    verb: 'create',
    group: virtualMachines.group,
    resource: virtualMachines.plural,
    name,
  };
  const refused = await refusalOf(client, caller, asked);
  if (refused !== undefined) throw new StatusAnswer(403, 'Forbidden', refused);
  try {
    const object = { ...machine, metadata: { ...metadata, namespace: place } } as unknown as VirtualMachine;
    return (await client.create(virtualMachines, object)) as unknown as JsonObject;
  } catch (error) {
    if (!isDecided(error)) throw error;
    throw internal(`error creating VirtualMachine: ${wordsOf(error)}`);
  }
}

function internal(why: string): StatusAnswer {
  return new StatusAnswer(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

function asAnswer({ code, reason, message, details }: StatusError): StatusAnswer {
  return new StatusAnswer(code, reason, message, details);
}
