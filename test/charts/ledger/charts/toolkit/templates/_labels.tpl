{{- /* Labels of what belongs to one component: tuple of the context and the component. */ -}}
{{- define "toolkit.labels" -}}
{{- $top := index . 0 -}}
release_group: {{ $top.Release.Name }}
application: {{ $top.Chart.Name }}
component: {{ index . 1 }}
{{- end -}}
