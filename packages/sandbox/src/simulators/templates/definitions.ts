/** The schemas of OpenShift's templates, written like definitions of custom resources. */
import type { CustomResourceDefinition } from '../../objects/crd/types.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Schema } from '../../objects/schema/schema.ts';
import { atomicList, atomicTexts, fields, flag, mapOf, open, text, textMap, texts, time } from '../crds/schema.ts';
import { GROUP, VERSION } from './kinds.ts';

const parameter = fields('A value that is put into the objects when the template is processed.', {
  name: text('Its name: ${NAME} stands for its value. Letters, digits and underscores.'),
  displayName: text('Its name, for people.'),
  description: text('What it is for.'),
  value: text('Its value. If it is set, none is generated.'),
  generate: text('The generator of a value if none is set: expression.'),
  from: text('The pattern of a generated value, such as vm-[a-z0-9]{8}.'),
  required: flag('It must have a value when the template is processed.'),
});

const body: Readonly<Record<string, Schema>> = {
  message: text('A message for the user after the template was instantiated. It may contain parameters.'),
  objects: atomicList('The objects, in which ${NAME} and ${{NAME}} stand for values.', open('An object of any kind.')),
  parameters: atomicList('The parameters.', parameter),
  labels: textMap('Labels for every object.'),
};

const typed = (kind: string): Readonly<Record<string, Schema>> => ({
  apiVersion: text('The group and version of the API that this object is written for.'),
  kind: text(`The kind of this object: ${kind}.`),
});

const template = fields('Objects with parameters, to be processed into objects without.', {
  ...typed('Template'),
  metadata: { type: 'object' },
  ...body,
});

const requester = fields('The requester, whose rights apply. Filled in with the user who creates it.', {
  username: text('The name of the user.'),
  uid: text('The unique identifier of the user.'),
  groups: atomicTexts('The groups that the user is in.'),
  extra: mapOf('Further attributes of the user.', texts('The values.')),
});

const reference = fields('Where the object is.', {
  apiVersion: text('Its group and version.'),
  kind: text('Its kind.'),
  namespace: text('Its namespace.'),
  name: text('Its name.'),
  uid: text('Its identity when it was created.'),
  resourceVersion: text('Not filled in.'),
  fieldPath: text('Not filled in.'),
});

const condition = fields('One condition.', {
  type: text('Ready, or InstantiateFailure.'),
  status: text('True, False or Unknown.'),
  lastTransitionTime: time('When the status last changed.'),
  reason: text('Why, in one word.'),
  message: text('Why, for people.'),
});

const instance = fields('The request to create the objects of a template. It cannot be changed.', {
  ...typed('TemplateInstance'),
  metadata: { type: 'object' },
  spec: fields('The request.', {
    template: fields('The whole template: not a reference, but a copy.', {
      ...typed('Template'),
      metadata: open('The metadata of the copied template.'),
      ...body,
    }),
    secret: fields('The Secret with the values of parameters, in the same namespace.', { name: text('Its name.') }),
    requester,
  }),
  status: fields('The progress.', {
    conditions: atomicList('Ready when the objects are, InstantiateFailure when they cannot be created.', condition),
    objects: atomicList('What was created.', fields('One object.', { ref: reference })),
  }),
});

function definition(
  kind: string,
  plural: string,
  openAPIV3Schema: Schema,
  hasStatus: boolean,
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind, plural, singular: plural.replace(/s$/, ''), listKind: `${kind}List` },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          // A schema is JSON, though its type has no index signature.
          schema: { openAPIV3Schema: openAPIV3Schema as unknown as JsonObject },
          ...(hasStatus ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
}

export const templateDefinition = definition('Template', 'templates', template, false);
export const templateInstanceDefinition = definition('TemplateInstance', 'templateinstances', instance, true);
