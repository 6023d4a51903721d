{{- /* A container that runs a script of the chart: dict of top, name, image, script, and `more`, which is put below it. */ -}}
{{- define "toolkit.container" -}}
- name: {{ .name }}
  image: {{ .image | quote }}
  imagePullPolicy: {{ .top.Values.images.pull_policy }}
  # Below POD_ROOT where a pod has no files of its own; that is nothing in a cluster.
  command: [sh, -c, 'exec sh "${POD_ROOT}/tmp/bin/{{ .script }}"']
  terminationMessagePath: /run/ledger/message
  env:
    - name: SERVICE
      value: {{ .top.Chart.Name }}
    - name: VERSION
      value: {{ .top.Chart.AppVersion | quote }}
    - name: PORT
      value: {{ .top.Values.endpoints.ledger.port | quote }}
    - name: SLICE
      valueFrom: { fieldRef: { fieldPath: metadata.name } }
    - name: NAMESPACE
      valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
    - name: KUBECONFIG
      value: {{ .top.Values.kubeconfig | quote }}
    - name: MESSAGE_FILE
      value: /run/ledger/message
    - name: BOOTSTRAP_USER
      value: {{ .top.Values.bootstrap.user | quote }}
  volumeMounts:
    - { name: bin, mountPath: /tmp/bin, readOnly: true }
    - { name: etc, mountPath: /etc/ledger, readOnly: true }
    - { name: keys, mountPath: /etc/ledger-keys, readOnly: true }
    - { name: data, mountPath: /var/lib/ledger }
{{- with .more }}
{{ . | indent 2 }}
{{- end }}
{{- end -}}

{{- define "toolkit.volumes" -}}
- name: bin
  configMap: { name: {{ .Chart.Name }}-bin, defaultMode: 0555 }
- name: etc
  secret: { secretName: {{ .Chart.Name }}-etc, defaultMode: 0444 }
- name: keys
  secret: { secretName: {{ .Chart.Name }}-keys, defaultMode: 0444 }
- name: data
  persistentVolumeClaim: { claimName: {{ .Chart.Name }}-data }
{{- end -}}
