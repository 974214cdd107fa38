/** OpenShift sets this label on all objects that an instance has created. Its value is the uid of the instance. */
export const madeByLabel = 'template.openshift.io/template-instance-owner';

/** With this finalizer, OpenShift deletes the objects of an instance by name when the instance is deleted. */
export const instanceFinalizer = 'template.openshift.io/finalizer';
