{{/* The names are fixed: a cluster has one installation, since definitions and cluster roles belong to the cluster. */}}

{{- define "ssvirt.processes" -}}
apiServer: { name: ssvirt-api-server, rbac: api-server }
vmController: { name: ssvirt-vm-controller, rbac: vm-controller }
machineOperator: { name: ssvirt-machine-operator, rbac: machine-operator }
cloudkitOperator: { name: ssvirt-cloudkit-operator, rbac: cloudkit-operator }
{{- end }}

{{- define "ssvirt.commonLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/part-of: ssvirt
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* dict "root" $ "name" NAME */}}
{{- define "ssvirt.labels" -}}
{{ include "ssvirt.commonLabels" .root }}
app.kubernetes.io/name: {{ .name }}
{{- end }}

{{/* The selector label is independent of the name of the release. */}}
{{- define "ssvirt.selector" -}}
app: {{ .name }}
{{- end }}

{{- define "ssvirt.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{/*
"yes" if an object does not exist or belongs to this release, and may be written; empty if it belongs to another owner. Without a cluster (helm template)
it is "yes". dict "root" $ "apiVersion" … "kind" … "namespace" … "name" …
*/}}
{{- define "ssvirt.ours" -}}
{{- $found := lookup .apiVersion .kind (.namespace | default "") .name -}}
{{- if not $found -}}
yes
{{- else -}}
{{- $notes := dig "metadata" "annotations" dict $found | default dict -}}
{{- $name := get $notes "meta.helm.sh/release-name" -}}
{{- $namespace := get $notes "meta.helm.sh/release-namespace" -}}
{{- if and (eq $name .root.Release.Name) (eq $namespace .root.Release.Namespace) -}}
yes
{{- end -}}
{{- end -}}
{{- end }}

{{/* The DNS names of the API's certificate, as a JSON list. */}}
{{- define "ssvirt.certificateNames" -}}
{{- $service := "ssvirt-api-server" -}}
{{- $names := list $service (printf "%s.%s" $service .Release.Namespace) (printf "%s.%s.svc" $service .Release.Namespace) (printf "%s.%s.svc.cluster.local" $service .Release.Namespace) -}}
{{- with .Values.apiServer -}}
{{- range list .ingress.host .route.host }}{{ if . }}{{ $names = append $names . }}{{ end }}{{ end -}}
{{- if .publicUrl }}{{ $names = append $names (get (urlParse .publicUrl) "hostname") }}{{ end -}}
{{- range .tls.extraNames }}{{ $names = append $names . }}{{ end -}}
{{- end -}}
{{- $names | uniq | toJson -}}
{{- end }}
