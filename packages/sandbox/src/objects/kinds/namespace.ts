import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { KubeObject } from '../../values/json.ts';
import { isQualifiedName } from '../schema/names.ts';
import { copyField, ensureObject, objectAt, textAt, textsAt } from './values/fields.ts';
import type { KindBehaviour } from './kind.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';
const FINALIZER = 'kubernetes';
const STANDARD_FINALIZERS = [FINALIZER, 'orphan', 'foregroundDeletion'];

/** The label with the namespace's own name: set on every write, so that it can be neither changed nor removed. */
function labelNamespace(namespace: KubeObject): void {
  const { name } = namespace.metadata;
  if (name === undefined || name === '') return;
  namespace.metadata.labels = { ...namespace.metadata.labels, [NAME_LABEL]: name };
}

function finalizerErrors(namespace: KubeObject, field: (index: number) => string): FieldError[] {
  return textsAt(objectAt(namespace, 'spec'), 'finalizers').flatMap((name, i) => [
    ...isQualifiedName(name).map((message) => fieldError.invalid(field(i), name, message)),
    ...(name.includes('/') || STANDARD_FINALIZERS.includes(name)
      ? []
      : [fieldError.invalid(field(i), name, 'name is neither a standard finalizer name nor is it fully qualified')]),
  ]);
}

export const namespace: KindBehaviour = {
  nameRule: 'dns1123label',
  default(object) {
    labelNamespace(object);
    const status = ensureObject(object, 'status');
    if (textAt(status, 'phase') === '') status['phase'] = 'Active';
  },
  prepareForCreate(object) {
    labelNamespace(object);
    object['status'] = { phase: 'Active' };
    const spec = ensureObject(object, 'spec');
    const finalizers = textsAt(spec, 'finalizers');
    if (!finalizers.includes(FINALIZER)) spec['finalizers'] = [...finalizers, FINALIZER];
  },
  prepareForUpdate(object, old) {
    labelNamespace(object);
    copyField(object, old, 'spec');
    copyField(object, old, 'status');
  },
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
  },
  validate: (object) => finalizerErrors(object, () => 'spec.finalizers'),
  validateUpdate: () => [],
  validateStatusUpdate(object) {
    const phase = textAt(objectAt(object, 'status'), 'phase');
    const terminating = object.metadata.deletionTimestamp !== undefined;
    const only = terminating ? 'Terminating' : 'Active';
    const state = terminating ? 'not empty' : 'empty';
    if (phase === only) return [];
    return [fieldError.invalid('status.Phase', phase, `may only be '${only}' if \`deletionTimestamp\` is ${state}`)];
  },
  finalize: {
    prepareForUpdate(object, old) {
      copyField(object, old, 'status');
    },
    validateUpdate: (object) => finalizerErrors(object, (i) => `spec.finalizers[${i}]`),
  },
  selectableFields: (object) => ({ 'status.phase': textAt(objectAt(object, 'status'), 'phase') }),
};
