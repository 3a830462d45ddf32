{{- define "lapwing.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "lapwing.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "lapwing.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "lapwing.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "lapwing.selector" -}}
app.kubernetes.io/name: {{ include "lapwing.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "lapwing.labels" -}}
{{ include "lapwing.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "lapwing.serviceAccount" -}}
{{- default (include "lapwing.fullname" .) .Values.serviceAccount.name -}}
{{- end -}}

{{/* What every scrape needs: a node is known by its name, and by its cluster's. */}}
{{- define "lapwing.relabelings" -}}
- targetLabel: job
  replacement: lapwing
- sourceLabels: [__meta_kubernetes_pod_node_name]
  targetLabel: instance
{{- with .clusterLabel }}
- targetLabel: cluster
  replacement: {{ . | quote }}
{{- end }}
{{- end -}}
