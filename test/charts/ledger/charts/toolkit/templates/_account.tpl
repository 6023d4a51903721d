{{- /* The account of a pod, which may look at what it waits for: tuple of the context, its name, and rules beside those. */ -}}
{{- define "toolkit.account" -}}
{{- $top := index . 0 -}}
{{- $name := index . 1 -}}
{{- $rules := index . 2 -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  namespace: {{ $top.Release.Namespace }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}
  namespace: {{ $top.Release.Namespace }}
rules:
  - apiGroups: ["", batch, discovery.k8s.io]
    resources: [services, endpoints, endpointslices, jobs, pods]
    verbs: [get, list]
{{- with $rules }}
{{ toYaml . | indent 2 }}
{{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  namespace: {{ $top.Release.Namespace }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $name }}
    namespace: {{ $top.Release.Namespace }}
{{- end -}}
