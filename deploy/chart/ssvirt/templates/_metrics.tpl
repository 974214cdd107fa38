{{/* The headless Service by which Prometheus discovers the pods of a process. dict "root" $ "name" NAME "port" PORT */}}
{{- define "ssvirt.metricsService" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}-metrics
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "ssvirt.labels" . | nindent 4 }}
    app.kubernetes.io/component: metrics
spec:
  clusterIP: None
  selector: {{- include "ssvirt.selector" . | nindent 4 }}
  ports:
    - { name: metrics, port: {{ .port }}, targetPort: metrics }
{{- end }}
