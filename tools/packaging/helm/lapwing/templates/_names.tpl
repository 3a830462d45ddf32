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

{{/* A digest names one image, even if its tag changes. */}}
{{- define "lapwing.image" -}}
{{- if .image.digest -}}
{{- printf "%s@%s" .image.repository .image.digest -}}
{{- else -}}
{{- printf "%s:%s" .image.repository (.image.tag | default .chart.AppVersion) -}}
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

{{/* Relabelings of every scrape: a node is identified by its name and its cluster. */}}
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

{{/* "4.9" if Lapwing has DCGM's families under the names of dcgm-exporter 4.9 only, else empty. */}}
{{- define "lapwing.otherNames" -}}
{{- $config := .Values.config | default dict }}
{{- $gpu := get $config "gpu" }}
{{- $nested := "" }}
{{- if kindIs "map" $gpu }}{{- $nested = get $gpu "names" }}{{- end }}
{{- $names := coalesce (get $config "gpu.names") $nested "classic" | toString }}
{{- if not (contains "classic" $names) -}}
4.9
{{- end -}}
{{- end -}}

{{/* A file of rules or dashboards, with the names that Lapwing has. The archive of a release has the translated ones. The rules for
other exporters keep the classic names, whatever Lapwing has. */}}
{{- define "lapwing.file" -}}
{{- $translated := "" }}
{{- if and (include "lapwing.otherNames" .top) (ne (base (dir .path)) "rules-dcgm") }}
{{- if not (.top.Files.Glob "files/4.9/*/*") }}
{{- fail "this folder of the chart has rules and dashboards with the classic names of DCGM's families only: use the chart of a release, run tools/packaging/helm/translated on the folder, or set gpu.names of config to classic,4.9" }}
{{- end }}
{{- $translated = .top.Files.Get (replace "files/" "files/4.9/" .path) }}
{{- end }}
{{- $translated | default (.top.Files.Get .path) }}
{{- end -}}

{{/* The Secret with web.yml; empty without one. */}}
{{- define "lapwing.webSecret" -}}
{{- if and .Values.web.secret .Values.web.config }}
{{- fail "web.secret and web.config exclude each other: the Secret has its own web.yml" }}
{{- end }}
{{- if .Values.web.secret -}}
{{- .Values.web.secret -}}
{{- else if .Values.web.config -}}
{{- include "lapwing.fullname" . }}-web
{{- else if .Values.web.tlsSecret -}}
{{- fail "web.tlsSecret has no effect without web.secret or web.config, which has to name its files" }}
{{- end -}}
{{- end -}}

{{/*
With a web.yml the kubelet may need a password or a client certificate, so the probe asks over the Unix socket, which only
root can open then. perl is part of every Debian; lapwing check would start a Java runtime each time.
*/}}
{{- define "lapwing.probe" -}}
{{- if include "lapwing.webSecret" .root -}}
exec:
  command:
    - perl
    - -MIO::Socket::UNIX
    - -e
    - |
      alarm 4;
      my $agent = IO::Socket::UNIX->new("/run/lapwing/agent/agent.sock") or die "no agent: $!\n";
      print $agent "GET {{ .path }} HTTP/1.0\r\nHost: localhost\r\n\r\n";
      my $status = <$agent> // "no answer";
      die $status unless $status =~ m{^HTTP/1\.\d 200 };
{{- else -}}
httpGet: {path: {{ .path }}, port: metrics}
{{- end -}}
{{- end -}}

{{/*
Labels by which a node shows NVIDIA GPUs; any one is enough. Which of them exist depends on what runs in the cluster, so the
instance type, which the cloud's node controller always sets, is among them.
*/}}
{{- define "lapwing.gpuLabels" -}}
- {key: nvidia.com/gpu.present, operator: In, values: ["true"]}
- {key: feature.node.kubernetes.io/pci-10de.present, operator: In, values: ["true"]}
- {key: karpenter.k8s.aws/instance-gpu-manufacturer, operator: In, values: [nvidia]}
- {key: eks.amazonaws.com/instance-gpu-manufacturer, operator: In, values: [nvidia]}
- key: node.kubernetes.io/instance-type
  operator: In
  values: {{ include "lapwing.instanceTypes" . }}
{{- end -}}

{{- define "lapwing.instanceTypes" -}}
{{- $types := list }}
{{- range .Files.Lines "files/instances.csv" }}
{{- if regexMatch "^[a-z0-9-]+\\.[a-z0-9-]+," . }}{{ $types = append $types (first (splitList "," .)) }}{{ end }}
{{- end }}
{{- $types = concat $types .Values.instanceTypes | uniq }}
{{- $all := $types }}
{{- range $types }}{{ if not (hasPrefix "ml." .) }}{{ $all = append $all (printf "ml.%s" .) }}{{ end }}{{ end }}
{{- toJson $all -}}
{{- end -}}

{{/* The site's own choice of nodes, or else any of the labels. */}}
{{- define "lapwing.affinity" -}}
{{- if .Values.affinity -}}
{{- toYaml .Values.affinity -}}
{{- else if not .Values.nodeSelector -}}
nodeAffinity:
  requiredDuringSchedulingIgnoredDuringExecution:
    # Any of the terms.
    nodeSelectorTerms:
    {{- range include "lapwing.gpuLabels" . | fromYamlArray }}
      - matchExpressions:
          - {{ toJson . }}
    {{- end }}
{{- end -}}
{{- end -}}

{{/*
How many nodes have the labels, by the cluster that the chart is installed into; empty if nothing could be looked up. Nodes
with a taint that the site does not tolerate count as well.
*/}}
{{- define "lapwing.matchingNodes" -}}
{{- if and .Values.countNodes (or .Values.nodeSelector (not .Values.affinity)) -}}
{{- $top := . }}
{{- $nodes := (lookup "v1" "Node" "" "").items }}
{{- $matching := 0 }}
{{- range $nodes }}
{{- $labels := .metadata.labels | default dict }}
{{- $matches := false }}
{{- if $top.Values.nodeSelector }}
{{- $matches = true }}
{{- range $key, $value := $top.Values.nodeSelector }}
{{- if ne (get $labels $key) $value }}{{ $matches = false }}{{ end }}
{{- end }}
{{- else }}
{{- range include "lapwing.gpuLabels" $top | fromYamlArray }}
{{- if has (get $labels .key) .values }}{{ $matches = true }}{{ end }}
{{- end }}
{{- end }}
{{- if $matches }}{{ $matching = add1 $matching }}{{ end }}
{{- end }}
{{- if $nodes }}{{ $matching }}{{ end }}
{{- end -}}
{{- end -}}

{{/* The copy of docs/ that dashboards link to, without a slash at the end; empty without one. */}}
{{- define "lapwing.docsBase" -}}
{{- $runbooks := trimSuffix "/" .Values.prometheusRule.runbookBase }}
{{- if .Values.docsBase -}}
{{- trimSuffix "/" .Values.docsBase -}}
{{- else if hasSuffix "/runbooks" $runbooks -}}
{{- trimSuffix "/runbooks" $runbooks -}}
{{- end -}}
{{- end -}}

{{/* What the alerts' runbook_url begins with; empty without a base. */}}
{{- define "lapwing.runbookBase" -}}
{{- if .Values.prometheusRule.runbookBase -}}
{{- trimSuffix "/" .Values.prometheusRule.runbookBase -}}
{{- else if .Values.docsBase -}}
{{- trimSuffix "/" .Values.docsBase }}/runbooks
{{- end -}}
{{- end -}}

{{- define "lapwing.drainName" -}}
{{- printf "%s-drain" (include "lapwing.fullname" . | trunc 57 | trimSuffix "-") -}}
{{- end -}}

{{/* A name of its own: the DaemonSet's selector must not match the controller's pod. */}}
{{- define "lapwing.drainSelector" -}}
app.kubernetes.io/name: {{ printf "%s-drain" (include "lapwing.name" . | trunc 57 | trimSuffix "-") }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "lapwing.drainLabels" -}}
{{ include "lapwing.drainSelector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}
