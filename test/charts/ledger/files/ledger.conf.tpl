{{- range $name, $value := .conf }}
{{ $name }} = {{ $value }}
{{- end }}
cache_secret_key = {{ .key }}
