/** Whether orders can use a template is known before the first order. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OrderTemplateSpec, TemplateParameter } from '../parameters/template.ts';
import { acceptanceFaults } from './acceptance.ts';
import { asTemplate, attacks } from './attacks.fixture.ts';
import { faultSummary } from './fault.ts';

function template(objects: readonly object[], parameters: readonly TemplateParameter[] = []): OrderTemplateSpec {
  return { templateID: 'team.t', parameters, objects: objects as OrderTemplateSpec['objects'] };
}

const vm = (volume: object): object => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: '${ORDER_NAME}' },
  spec: { template: { spec: { volumes: [{ name: 'v', ...volume }] } } },
});

suite('a template is accepted', () => {
  const good: readonly [string, OrderTemplateSpec][] = [
    ['whose machine uses a Secret that its author names', template([vm({ secret: { secretName: 'shared' } })])],
    [
      'whose machine uses one of the Secrets that its author lists',
      template([vm({ secret: { secretName: '${p}' } })], [{ name: 'p', enum: ['gold', 'silver'], required: true }]),
    ],
    [
      'whose machine uses a claim that its DataVolume makes',
      template([
        {
          apiVersion: 'cdi.kubevirt.io/v1beta1',
          kind: 'DataVolume',
          metadata: { name: '${ORDER_NAME}-d' },
          spec: { sourceRef: { kind: 'DataSource', namespace: 'images', name: 'fedora' } },
        },
        vm({ persistentVolumeClaim: { claimName: '${ORDER_NAME}-d' } }),
      ]),
    ],
    [
      'with a required parameter of which no value can be thought of',
      template(
        [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${ORDER_NAME}' }, data: { a: '${p}' } }],
        [{ name: 'p', required: true, pattern: '[0-9]{4}' }],
      ),
    ],
    [
      'with any address of an image, and with part of one behind its host',
      template(
        [
          vm({ containerDisk: { image: '${p}' } }),
          {
            apiVersion: 'cdi.kubevirt.io/v1beta1',
            kind: 'DataVolume',
            metadata: { name: '${ORDER_NAME}-d' },
            spec: { source: { http: { url: 'https://example.org/images/${p}', secretRef: 'login' } } },
          },
        ],
        [{ name: 'p', required: true }],
      ),
    ],
  ];
  for (const [name, spec] of good) test(name, () => assert.equal(faultSummary(acceptanceFaults(spec, ['images'])), ''));
});

suite('a template is not accepted whatever orders say: an order cannot', () => {
  for (const attack of attacks.filter(({ given }) => given === undefined))
    test(attack.name, () =>
      assert.match(
        faultSummary(acceptanceFaults(asTemplate(attack, 'team.attack'), ['kubevirt-os-images'])),
        attack.says,
      ),
    );
});
