{{/*
The pod of a process. dict "root" $ "process" KEY "name" NAME "command" LIST "ports" LIST "health" PORT "scheme" HTTP|HTTPS "env" LIST "volumes" LIST
"mounts" LIST "grace" SECONDS "lifecycle" MAP
*/}}
{{- define "ssvirt.pod" -}}
{{- $values := .root.Values -}}
{{- $own := get $values .process -}}
{{- $selector := dict "app" .name -}}
metadata:
  labels:
    {{- include "ssvirt.selector" . | nindent 4 }}
    {{- include "ssvirt.labels" . | nindent 4 }}
  annotations:
    # Restarts the pods when the configuration changes.
    checksum/config: {{ include "ssvirt.config" .root | sha256sum }}
    kubectl.kubernetes.io/default-container: {{ .name | trimPrefix "ssvirt-" }}
    {{- with $own.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ .name }}
  # Variables for each Service could be mistaken for settings.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .grace }}
  {{- with $values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  securityContext: {{- toYaml $values.podSecurityContext | nindent 4 }}
  {{- with $own.nodeSelector | default $values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.tolerations | default $values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.affinity | default $values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- $anyway := list (dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway") }}
  topologySpreadConstraints:
    {{- range $own.topologySpreadConstraints | default $values.topologySpreadConstraints | default $anyway }}
    - {{- toYaml (merge (deepCopy .) (dict "labelSelector" (dict "matchLabels" $selector))) | nindent 6 }}
    {{- end }}
  containers:
    - name: {{ .name | trimPrefix "ssvirt-" }}
      image: {{ include "ssvirt.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      command: {{- toYaml .command | nindent 8 }}
      args: [--config=/etc/ssvirt/config.yaml]
      {{- with concat (.env | default list) $own.extraEnv }}
      env: {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        {{- range .ports }}
        - { name: {{ .name }}, containerPort: {{ .port }}, protocol: TCP }
        {{- end }}
      {{- $get := dict "scheme" .scheme "port" .health }}
      startupProbe: {{- toYaml (merge (dict "httpGet" (merge (dict "path" "/healthz") $get)) $values.probes.startup) | nindent 8 }}
      livenessProbe: {{- toYaml (merge (dict "httpGet" (merge (dict "path" "/healthz") $get)) $values.probes.liveness) | nindent 8 }}
      readinessProbe: {{- toYaml (merge (dict "httpGet" (merge (dict "path" "/readyz") $get)) $values.probes.readiness) | nindent 8 }}
      {{- with .lifecycle }}
      lifecycle: {{- toYaml . | nindent 8 }}
      {{- end }}
      resources: {{- toYaml $own.resources | nindent 8 }}
      securityContext: {{- toYaml $values.securityContext | nindent 8 }}
      volumeMounts:
        - { name: config, mountPath: /etc/ssvirt, readOnly: true }
        {{- with concat (.mounts | default list) $own.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: config
      configMap: { name: ssvirt-config }
    {{- with concat (.volumes | default list) $own.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

{{/* Environment, mounts and volumes of the processes that use the database: dict "env" "mounts" "volumes", as JSON. dict "root" $ "secretName" NAME */}}
{{- define "ssvirt.database" -}}
{{- $database := .root.Values.database -}}
{{- $name := .secretName -}}
{{- $env := list -}}
{{- $mounts := list -}}
{{- $volumes := list -}}
{{- if $database.url -}}
{{- $env = append $env (dict "name" "SSVIRT_DATABASE_URL" "value" $database.url) -}}
{{- else -}}
{{- $env = append $env (dict "name" "SSVIRT_DATABASE_URL" "valueFrom" (dict "secretKeyRef" (dict "name" $name "key" $database.secret.urlKey))) -}}
{{- end -}}
{{- if $name -}}
{{- if $database.secret.passwordKey -}}
{{- $env = append $env (dict "name" "SSVIRT_DATABASE_PASSWORD_FILE" "value" (printf "/secrets/database/%s" $database.secret.passwordKey)) -}}
{{- end -}}
{{- $mounts = append $mounts (dict "name" "database" "mountPath" "/secrets/database" "readOnly" true) -}}
{{- /* Group-readable (fsGroup), a mode that PostgreSQL clients accept for the keys of client certificates. */ -}}
{{- $volumes = append $volumes (dict "name" "database" "secret" (dict "secretName" $name)) -}}
{{- end -}}
{{- dict "env" $env "mounts" $mounts "volumes" $volumes | toJson -}}
{{- end }}
