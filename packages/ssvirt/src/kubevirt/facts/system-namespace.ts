/**
 * `isSystemNamespace` says whether Secrets of a namespace give rights on the cluster: those of Kubernetes, OpenShift,
 * KubeVirt and CDI, and of the KubevirtConfigs. No operator is ever bound there. deploy/rbac/policies.yaml and the chart
 * have the same list.
 */
export function isSystemNamespace(namespace: string): boolean {
  return /^(?:kube-.*|openshift|openshift-.*|kubevirt|cdi|kubevirt-configs)$/.test(namespace);
}
