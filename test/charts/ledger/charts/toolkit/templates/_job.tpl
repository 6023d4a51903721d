{{- /* A set-up Job with its account: dict of top, name (as in values), hooks, weight, policy, and rules of its account. */ -}}
{{- define "toolkit.job" -}}
{{- $dashed := .name | replace "_" "-" -}}
{{- $full := printf "%s-%s" .top.Chart.Name $dashed -}}
{{ include "toolkit.account" (tuple .top $full (.rules | default list)) }}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $full }}
  namespace: {{ .top.Release.Namespace }}
  labels:
{{ include "toolkit.labels" (tuple .top $dashed) | indent 4 }}
{{- with .hooks }}
  annotations:
    helm.sh/hook: {{ . }}
    helm.sh/hook-weight: {{ $.weight | default 0 | quote }}
    helm.sh/hook-delete-policy: {{ $.policy | default "before-hook-creation" }}
{{- end }}
spec:
  backoffLimit: 2
  template:
    metadata:
      labels:
{{ include "toolkit.labels" (tuple .top $dashed) | indent 8 }}
    spec:
      serviceAccountName: {{ $full }}
      restartPolicy: Never
      initContainers:
{{ include "toolkit.wait" (tuple .top .name) | indent 8 }}
      containers:
{{ include "toolkit.container" (dict "top" .top "name" $dashed "image" (index .top.Values.images.tags (.image | default .name)) "script" (printf "%s.sh" $dashed)) | indent 8 }}
      volumes:
{{ include "toolkit.volumes" .top | indent 8 }}
{{- end -}}
