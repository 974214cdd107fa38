/** CustomResourceDefinitions as a built-in kind: their rules come from crd/, the compiler of their CEL rules from cel/. */
import { compileRule, selfTypeName } from '../cel/rule.ts';
import { validateRules } from '../cel/rules.ts';
import { schemaType } from '../cel/schema-types.ts';
import { timestamp } from '../api/write.ts';
import {
  defaultDefinition,
  prepareForCreate,
  prepareForDelete,
  prepareForStatusUpdate,
  prepareForUpdate,
} from '../crd/lifecycle.ts';
import type { RuleCompiler } from '../crd/rules.ts';
import type { CustomResourceDefinition } from '../crd/types.ts';
import {
  definitionWarnings,
  validateDefinition,
  validateDefinitionStatusUpdate,
  validateDefinitionUpdate,
} from '../crd/validate.ts';
import type { KubeObject } from '../json.ts';
import type { KindBehaviour } from '../kinds/kind.ts';

const rules: RuleCompiler = {
  compile: (schema, root) => {
    const list = schema['x-kubernetes-validations'] ?? [];
    const self = schemaType(schema, root, selfTypeName());
    if (self === undefined) return list.map(() => ({ usesOldSelf: false }));
    return list.map((rule) => {
      const { error, messageError, usesOldSelf } = compileRule(rule, self, schema);
      return {
        usesOldSelf,
        ...(error === undefined ? {} : { error }),
        ...(messageError === undefined ? {} : { messageError }),
      };
    });
  },
  evaluate: (schema, value, path) => [...validateRules(schema, value, undefined, path)],
};

/** The schema has been decoded by then, so the shape is right. */
const asDefinition = (object: KubeObject): CustomResourceDefinition => object as CustomResourceDefinition;

export const definitionBehaviour: KindBehaviour = {
  default: (object) => defaultDefinition(asDefinition(object)),
  prepareForCreate: (object) => prepareForCreate(asDefinition(object)),
  prepareForUpdate: (object, old) => prepareForUpdate(asDefinition(object), asDefinition(old)),
  prepareForStatusUpdate: (object, old) => prepareForStatusUpdate(asDefinition(object), asDefinition(old)),
  validate: (object) => validateDefinition(asDefinition(object), { rules }),
  validateUpdate: (object, old) => validateDefinitionUpdate(asDefinition(object), asDefinition(old), { rules }),
  validateStatusUpdate: (object, old) => validateDefinitionStatusUpdate(asDefinition(object), asDefinition(old)),
  warnings: (object, old) =>
    definitionWarnings(asDefinition(object), old === undefined ? undefined : asDefinition(old)),
  prepareForDelete: (object) => prepareForDelete(asDefinition(object), timestamp()),
  allowUnconditionalUpdate: false,
};
