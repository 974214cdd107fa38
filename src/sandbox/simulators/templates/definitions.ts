/** What OpenShift's templates look like, in the form in which definitions of custom resources are written. */
import type { CustomResourceDefinition } from '../../crd/types.ts';
import type { JsonObject } from '../../json.ts';
import type { Schema } from '../../schema/schema.ts';
import { atomicList, atomicTexts, fields, flag, mapOf, open, text, textMap, texts, time } from '../crds/schema.ts';
import { GROUP, VERSION } from './kinds.ts';

const parameter = fields('A value that is put into the objects when the template is processed.', {
  name: text('Its name: ${NAME} stands for its value. Letters, digits and underscores.'),
  displayName: text('Its name, for people.'),
  description: text('What it is for.'),
  value: text('Its value. Where it has one, none is generated.'),
  generate: text('How a value is made where there is none: expression.'),
  from: text('The pattern of a generated value, such as vm-[a-z0-9]{8}.'),
  required: flag('It must have a value when the template is processed.'),
});

const body: Readonly<Record<string, Schema>> = {
  message: text('What the user is told when the template was instantiated. It may name parameters.'),
  objects: atomicList('The objects, in which ${NAME} and ${{NAME}} stand for values.', open('An object of any kind.')),
  parameters: atomicList('The parameters.', parameter),
  labels: textMap('Labels that every object is given.'),
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

const requester = fields('Who asked for it: the one whose rights count. Filled in with whoever creates it.', {
  username: text('The name of the user.'),
  uid: text('The identity of the user, which no other has or had.'),
  groups: atomicTexts('The groups that the user is in.'),
  extra: mapOf('What else was said about the user.', texts('What was said.')),
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

const condition = fields('One of the things that are true or not.', {
  type: text('Ready, or InstantiateFailure.'),
  status: text('True, False or Unknown.'),
  lastTransitionTime: time('When it last changed.'),
  reason: text('Why, in one word.'),
  message: text('Why, for people.'),
});

const instance = fields('The request to create the objects of a template. It cannot be changed.', {
  ...typed('TemplateInstance'),
  metadata: { type: 'object' },
  spec: fields('What is asked for.', {
    template: fields('The whole template: not a reference, but a copy.', {
      ...typed('Template'),
      metadata: open('Of the template that was copied.'),
      ...body,
    }),
    secret: fields('The Secret with the values of parameters, in the same namespace.', { name: text('Its name.') }),
    requester,
  }),
  status: fields('How far it is.', {
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
          // A schema is JSON, though its type has no index.
          schema: { openAPIV3Schema: openAPIV3Schema as unknown as JsonObject },
          ...(hasStatus ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  };
}

export const templateDefinition = definition('Template', 'templates', template, false);
export const templateInstanceDefinition = definition('TemplateInstance', 'templateinstances', instance, true);
