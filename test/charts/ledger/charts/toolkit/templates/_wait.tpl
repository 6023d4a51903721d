{{- /* The init container that waits for Jobs and Services by name: tuple of the context and the key of `dependencies.static`. */ -}}
{{- define "toolkit.wait" -}}
{{- $top := index . 0 -}}
{{- $deps := index $top.Values.dependencies.static (index . 1) | default dict -}}
{{- $services := list -}}
{{- range $name := $deps.services | default list }}{{- $services = append $services (printf "%s:%s" $top.Release.Namespace $name) -}}{{- end -}}
- name: init
  image: {{ $top.Values.images.tags.dep_check | quote }}
  imagePullPolicy: {{ $top.Values.images.pull_policy }}
  args: [wait]
  env:
    - name: POD_NAME
      valueFrom: { fieldRef: { fieldPath: metadata.name } }
    - name: NAMESPACE
      valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
    - name: KUBECONFIG
      value: {{ $top.Values.kubeconfig | quote }}
    - name: DEPENDENCY_SERVICE
      value: {{ join "," $services | quote }}
    - name: DEPENDENCY_JOBS
      value: {{ join "," ($deps.jobs | default list) | quote }}
    - name: DEPENDENCY_DAEMONSET
      value: ""
    - name: DEPENDENCY_POD_JSON
      value: ""
{{- end -}}
