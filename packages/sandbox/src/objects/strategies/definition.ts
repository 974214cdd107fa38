/** CustomResourceDefinitions as a built-in kind, with the same interface as the others. */
import { timestamp } from '../../server/api/write/write.ts';
import {
  defaultDefinition,
  prepareForCreate,
  prepareForDelete,
  prepareForStatusUpdate,
  prepareForUpdate,
} from '../crd/lifecycle.ts';
import type { CustomResourceDefinition } from '../crd/types.ts';
import {
  definitionWarnings,
  validateDefinition,
  validateDefinitionStatusUpdate,
  validateDefinitionUpdate,
} from '../crd/validate.ts';
import type { KubeObject } from '../../values/json.ts';
import type { KindBehaviour } from '../kinds/kind.ts';

/** The object is already decoded by its schema, so it has this type. */
const asDefinition = (object: KubeObject): CustomResourceDefinition => object as CustomResourceDefinition;

export const definitionBehaviour: KindBehaviour = {
  default: (object) => defaultDefinition(asDefinition(object)),
  prepareForCreate: (object) => prepareForCreate(asDefinition(object)),
  prepareForUpdate: (object, old) => prepareForUpdate(asDefinition(object), asDefinition(old)),
  prepareForStatusUpdate: (object, old) => prepareForStatusUpdate(asDefinition(object), asDefinition(old)),
  validate: (object) => validateDefinition(asDefinition(object)),
  validateUpdate: (object, old) => validateDefinitionUpdate(asDefinition(object), asDefinition(old)),
  validateStatusUpdate: (object, old) => validateDefinitionStatusUpdate(asDefinition(object), asDefinition(old)),
  warnings: (object, old) =>
    definitionWarnings(asDefinition(object), old === undefined ? undefined : asDefinition(old)),
  prepareForDelete: (object) => prepareForDelete(asDefinition(object), timestamp()),
  allowUnconditionalUpdate: false,
};
