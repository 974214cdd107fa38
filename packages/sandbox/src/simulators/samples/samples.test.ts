/** Samples are valid by the definitions, and follow the conventions by which users search. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeCustomResource, validateResource } from '../../objects/crd/custom-resource.ts';
import { customResources } from '../../objects/crd/resource.ts';
import type { CustomResourceDefinition } from '../../objects/crd/types.ts';
import type { JsonObject } from '../../values/json.ts';
import { simulatedDefinitions } from '../crds/definitions.ts';
import { importName } from '../cdi/imports/import-cron.ts';
import { commonInstancetypes } from '../kubevirt/installation/common-instancetypes.ts';
import { commonPreferences } from '../kubevirt/installation/common-preferences.ts';
import type { Placed } from '../place-objects.ts';
import { bootSources, importCrons } from './boot-sources.ts';
import { machineTemplates } from './machine-templates.ts';
import { machines } from './machines.ts';
import { openshiftTemplates } from './openshift-templates.ts';
import { systems } from './systems.ts';

const resources = simulatedDefinitions.flatMap((definition) =>
  customResources(definition as unknown as CustomResourceDefinition, { type: 'object' }),
);

/** The VMs in templates have placeholders instead of values and are validated, too. */
function custom(placed: readonly Placed[]): readonly JsonObject[] {
  const objects = placed.map(({ object }) => object as unknown as JsonObject);
  return objects.flatMap((object) => {
    const inner = (object['spec'] as JsonObject | undefined)?.['virtualMachine'] ?? [];
    return [object, inner, object['objects'] ?? []].flat() as JsonObject[];
  });
}

test('no definition drops or refuses anything of them', () => {
  let checked = 0;
  for (const object of custom([...machines, ...importCrons, ...machineTemplates('demo'), ...openshiftTemplates])) {
    const resource = resources.find(
      ({ kind, apiVersion }) => kind === object['kind'] && apiVersion === object['apiVersion'],
    );
    if (resource === undefined) continue;
    const words = JSON.stringify(object)
      .replaceAll('${DISK_SIZE}', '1Gi')
      .replaceAll(/\$\{\w+\}/g, 'word');
    const decoded = decodeCustomResource(resource, JSON.parse(words) as JsonObject);
    assert.ok(decoded.error === undefined);
    assert.deepEqual(decoded.complaints, []);
    // The namespace is added when a template is processed.
    decoded.object.metadata.namespace ??= 'demo';
    assert.deepEqual(validateResource(resource, decoded.object), []);
    checked += 1;
  }
  assert.ok(checked > 30, `${checked} were checked`);
});

test('instance types and preferences that they name come with KubeVirt', () => {
  const names = new Set([...commonInstancetypes(), ...commonPreferences()].map(({ metadata }) => metadata.name));
  for (const { instancetype, preference } of systems) {
    assert.ok(names.has(instancetype), instancetype);
    assert.ok(names.has(preference), preference);
  }
});

test('a disk bears the name that the import of its cron would have', () => {
  const claims = bootSources.filter(({ type }) => type.plural === 'persistentvolumeclaims');
  assert.deepEqual(
    claims.map(({ object }) => object.metadata.name),
    importCrons.map(({ object }) => importName(object as Parameters<typeof importName>[0])),
  );
});

describe('OpenShift templates', () => {
  for (const { object } of openshiftTemplates.filter(({ type }) => type.plural === 'templates')) {
    const { name = '', labels = {}, annotations = {} } = object.metadata;
    test(`${name} can be found by its labels`, () => {
      const [, workload = '', flavor = ''] = /-(server|desktop)-(\w+)$/.exec(name) ?? [];
      assert.equal(labels['template.kubevirt.io/type'], 'base');
      assert.equal(labels[`workload.template.kubevirt.io/${workload}`], 'true');
      assert.equal(labels[`flavor.template.kubevirt.io/${flavor}`], 'true');
      const os = Object.keys(labels)
        .find((key) => key.startsWith('os.template.kubevirt.io/'))
        ?.split('/')[1];
      assert.ok(annotations[`name.os.template.kubevirt.io/${os}`] !== undefined);
    });
    test(`${name} has a value or a pattern for each of its parameters, and uses no other`, () => {
      const { objects, parameters } = object as unknown as {
        readonly objects: readonly JsonObject[];
        readonly parameters: readonly { readonly name: string; readonly value?: string; readonly from?: string }[];
      };
      for (const parameter of parameters) assert.ok(parameter.value ?? parameter.from, parameter.name);
      const used = new Set(JSON.stringify(objects).match(/(?<=\$\{)\w+(?=\})/g));
      assert.deepEqual(used, new Set(parameters.map((parameter) => parameter.name)));
    });
  }
});
