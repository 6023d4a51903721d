{{- /* The hash of what a template renders: tuple of the name of its file and the context. */ -}}
{{- define "toolkit.hash" -}}
{{- $top := index . 1 -}}
{{- include (print $top.Template.BasePath "/" (index . 0)) $top | sha256sum -}}
{{- end -}}
