{{/* The configuration file of all processes. Contents and mount paths of Secrets are environment variables of the one process that needs them. */}}
{{- define "ssvirt.config" -}}
{{- $values := .Values -}}
{{- $open := $values.metrics.open -}}
{{- $own := dict
  "api" (dict "listen" ":8443" "metricsAddr" ":8080" "openMetrics" $open "kubevirtConfigsNamespace" $values.fleet.namespace "initialAdmin" (dict "username" $values.apiServer.initialAdmin.username))
  "controller" (dict "namespace" .Release.Namespace "kubevirtConfigsNamespace" $values.fleet.namespace "metricsAddr" ":8080" "healthAddr" ":8081" "openMetrics" $open)
  "operator" (dict "namespace" .Release.Namespace "kubevirtConfigsNamespace" $values.fleet.namespace "metricsAddr" ":8080" "healthAddr" ":8081" "openMetrics" $open)
  "cloudkit" (dict "namespace" .Release.Namespace "metricsAddr" ":8082" "healthAddr" ":8083" "openMetrics" $open)
-}}
{{- with include "ssvirt.publicUrl" . }}{{ $_ := set (get $own "api") "publicUrl" . }}{{ end -}}
{{- toYaml (mergeOverwrite (deepCopy $values.config) $own) -}}
{{- end }}

{{/* The URL of the API for clients: the value, or the host of the Ingress or the Route. */}}
{{- define "ssvirt.publicUrl" -}}
{{- with .Values.apiServer -}}
{{- if .publicUrl }}{{ .publicUrl }}
{{- else if and .ingress.enabled .ingress.host }}https://{{ .ingress.host }}
{{- else if and .route.enabled .route.host }}https://{{ .route.host }}
{{- end -}}
{{- end -}}
{{- end }}
