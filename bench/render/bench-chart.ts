import type { PackageFiles } from '../../src/package/source.ts';

/** How many workloads and Jobs the chart has: about as many objects as openstack-helm's nova. */
const [workloads, jobs] = [12, 12];

const account = (name: string) => `apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: ${name}
rules:
  - apiGroups:
      - ""
      - batch
      - apps
    resources:
      - services
      - jobs
      - pods
    verbs:
      - get
      - list
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: ${name}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${name}
subjects:
  - kind: ServiceAccount
    name: ${name}
    namespace: {{ .Release.Namespace }}
---
`;

const podSpec = (name: string, restart: string) => `      restartPolicy: ${restart}
      serviceAccountName: ${name}
      initContainers:
        - name: init
          image: {{ .Values.images.wait | quote }}
          env:
{{- range $key := list "SERVICE" "JOBS" "DAEMONSET" "CONTAINER" }}
            - name: DEPENDENCY_{{ $key }}
              value: ""
{{- end }}
      containers:
        - name: ${name}
          image: {{ .Values.images.main | quote }}
          command:
            - /tmp/run.sh
            - ${name}
{{ toYaml .Values.resources | indent 10 }}
          volumeMounts:
{{- range $i := until 8 }}
            - name: etc
              mountPath: /etc/bench/part-{{ $i }}.conf
              subPath: part-{{ $i }}.conf
              readOnly: true
{{- end }}
      volumes:
        - name: etc
          secret:
            secretName: bench-etc
            defaultMode: 0444
        - name: bin
          configMap:
            name: bench-bin
            defaultMode: 0555
`;

const workload = (name: string) => `${account(name)}apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: {{- include "labels" (list . "${name}") | nindent 4 }}
spec:
  replicas: 2
  selector:
    matchLabels: {{- include "labels" (list . "${name}") | nindent 6 }}
  template:
    metadata:
      labels: {{- include "labels" (list . "${name}") | nindent 8 }}
      annotations:
        etc-hash: {{ tpl (.Files.Get "files/part.conf") . | sha256sum | quote }}
    spec:
${podSpec(name, 'Always')}`;

const job = (name: string, weight: number) => `${account(name)}apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations:
    helm.sh/hook: post-install,post-upgrade
    helm.sh/hook-weight: "${weight}"
spec:
  template:
    spec:
${podSpec(name, 'OnFailure')}`;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A chart in the manner of openstack-helm and of its size, with nothing random in it. */
export function benchChart(): PackageFiles {
  const texts: Record<string, string> = {
    'Chart.yaml': 'apiVersion: v2\nname: bench\nversion: 1.0.0\n',
    'values.yaml': `images: { main: "bench:1", wait: "wait:1" }\nresources: { resources: { limits: { memory: 1Gi, cpu: "2" } } }\noptions:\n${numbers(
      200,
    )
      .map(one => `  option_${one}: value-${one}`)
      .join('\n')}\n`,
    'files/part.conf':
      '[DEFAULT]\n{{- range $key, $value := .Values.options }}\n{{ $key }} = {{ $value }}\n{{- end }}\n',
    'templates/_labels.tpl':
      '{{- define "labels" -}}\napplication: {{ (index . 0).Chart.Name }}\ncomponent: {{ index . 1 }}\nrelease_group: {{ (index . 0).Release.Name }}\n{{- end -}}',
    'templates/configmap-bin.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: bench-bin\ndata:\n  run.sh: |\n    #!/bin/sh\n    exec "\${1}"\n`,
    'templates/configmap-etc.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata:\n  name: bench-etc\ndata:\n{{- range $i := until 8 }}\n  part-{{ $i }}.conf: {{ tpl ($.Files.Get "files/part.conf") $ | b64enc }}\n{{- end }}\n',
  };
  for (const one of numbers(workloads)) texts[`templates/deployment-w${one}.yaml`] = workload(`w${one}`);
  for (const one of numbers(jobs)) texts[`templates/job-j${one}.yaml`] = job(`j${one}`, one - 6);
  return Object.entries(texts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({ path, bytes: Buffer.from(text), executable: false }));
}
