import manifest from '../../package.json' with { type: 'json' };
import {
  customRights,
  type ExtraRights,
  followWords,
  workflowKind,
  workflowRights,
} from '../../src/app/deploy/custom-kinds.ts';
import { servicesName } from '../../src/app/deploy/deploy-names.ts';
import {
  deploymentObject,
  disruptionBudget,
  metricsService,
  packageRootMount,
  packageRootWords,
} from '../../src/app/deploy/operator-objects.ts';
import { policyObjects } from '../../src/app/deploy/policies.ts';
import {
  cloudAccess,
  clusterRoles,
  definitionReaders,
  extraCloudAccess,
  extraOperatorAccess,
  extraRoles,
  operatorAccess,
} from '../../src/app/deploy/role-objects.ts';
import {
  routersAnnotation,
  routersConfig,
  routersMount,
  routersWords,
  routesVolume,
  socketVolume,
} from '../../src/app/deploy/router-objects.ts';
import { type Rule, readVerbs, serviceVerbs } from '../../src/app/deploy/rules.ts';
import { ChartText } from './chart-text.ts';
import { chartSchema, chartValues } from './chart-values.ts';
import type { GeneratedFile } from './generated-file.ts';
import { yamlDocuments, yamlHeader, yamlText } from './yaml-text.ts';

const header = yamlHeader('src/app/deploy');
const chart = new ChartText();
const namespace = chart.value('.Release.Namespace');

/** The Helm chart, all of it: the objects are those of the plain manifests, with values in the place of what may be chosen. */
export function chartFiles(): GeneratedFile[] {
  const templates: Record<string, string> = {
    'roles.yaml': yamlDocuments([...clusterRoles(), definitionReaders()]),
    'policies.yaml': yamlDocuments(policyObjects()),
    'access.yaml': accessTemplate(),
    'clouds.yaml': cloudsTemplate(),
    'custom-kinds.yaml': `${extraTemplate('argoWorkflows', workflowRights)}${extraTemplate('customKinds', chartRights())}`,
    'routers.yaml': `{{- if .Values.routers }}\n${chart.of([routersConfig.object(namespace, chart.value('toJson .Values.routers | quote'))])}{{- end }}\n`,
    'deployment.yaml': deploymentTemplate(),
    'metrics-service.yaml': chart.of([metricsService(namespace)]),
    'disruption-budget.yaml': `{{- if gt (int .Values.replicas) 1 }}\n${chart.of([disruptionBudget(namespace)])}{{- end }}\n`,
  };
  return [
    { path: 'deploy/chart/Chart.yaml', content: `${header}${yamlText(chartFacts)}` },
    { path: 'deploy/chart/values.yaml', content: `${header}${chartValues}` },
    { path: 'deploy/chart/values.schema.json', content: `${JSON.stringify(chartSchema, null, 2)}\n` },
    { path: 'deploy/chart/templates/NOTES.txt', content: notes },
    ...Object.entries(templates).map(([name, text]) => ({
      path: `deploy/chart/templates/${name}`,
      content: `${header}${text}`,
    })),
  ];
}

const chartFacts = {
  apiVersion: 'v2',
  name: 'afloat',
  description: manifest.description,
  type: 'application',
  version: manifest.version,
  appVersion: manifest.version,
  kubeVersion: '>=1.30.0-0', // ValidatingAdmissionPolicy is served from there on
};

function accessTemplate(): string {
  const watch = chart.value('.Values.watchNamespace');
  const everywhere = operatorAccess({ namespace, everywhere: true });
  const somewhere = operatorAccess({ namespace });
  return [
    '{{- if .Values.watchNamespace }}\n',
    chart.of([...operatorAccess({ namespace, watch }), ...cloudAccess(watch, { namespace })]),
    '{{- else }}\n',
    chart.of(somewhere),
    '{{- if .Values.allNamespaces }}\n---\n',
    chart.of(everywhere.slice(somewhere.length)),
    '{{- end }}\n',
    '{{- end }}\n',
  ].join('');
}

function cloudsTemplate(): string {
  const cloud = cloudAccess(chart.value('.'), { namespace: chart.value('$.Release.Namespace') });
  return `{{- range .Values.clouds }}\n---\n${chart.of(cloud)}{{- end }}\n`;
}

/** Rights that are given only where a value asks for them. */
function extraTemplate(value: string, extra: ExtraRights): string {
  const watch = chart.value('.Values.watchNamespace');
  return [
    `{{- if .Values.${value} }}\n---\n`,
    chart.of(extraRoles(extra)),
    '{{- if .Values.watchNamespace }}\n---\n',
    chart.of([...extraOperatorAccess(extra, { namespace, watch }), ...extraCloudAccess(extra, watch)]),
    '{{- else }}\n---\n',
    chart.of(extraOperatorAccess(extra, { namespace })),
    '{{- end }}\n',
    '{{- range .Values.clouds }}\n---\n',
    chart.of(extraCloudAccess(extra, chart.value('.'))),
    '{{- end }}\n',
    '{{- end }}\n',
  ].join('');
}

/** The rights for the kinds that a value names: a rule for each. */
function chartRights(): ExtraRights {
  const rules = (verbs: readonly string[]) =>
    [
      chart.lines(
        '{{- range .Values.customKinds }}',
        '- apiGroups: [{{ first (splitList "/" .apiVersion) | quote }}]',
        '  resources: [{{ .resource | quote }}]',
        `  verbs: ${JSON.stringify(verbs)}`,
        '{{- end }}',
      ),
    ] as unknown as readonly Rule[];
  return customRights([], rules(serviceVerbs), rules(readVerbs));
}

/** Lines for each folder of the machine that the operator shares with an HAProxy. */
function eachFolder(line: (volume: string) => string): string[] {
  return [
    '{{- with (.Values.routers).haproxy }}',
    '{{- with .folder }}',
    line(routesVolume),
    '{{- end }}',
    '{{- if and (hasPrefix "/" .socket) (ne (dir .socket) .folder) }}',
    '{{- with dir .socket }}',
    line(socketVolume),
    '{{- end }}',
    '{{- end }}',
    '{{- end }}',
  ];
}

function deploymentTemplate(): string {
  return chart.of([
    deploymentObject({
      namespace,
      replicas: chart.value('.Values.replicas'),
      image: chart.value(
        'printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote',
      ),
      pullPolicy: chart.value('.Values.image.pullPolicy'),
      words: [
        chart.lines(
          '{{- with .Values.watchNamespace }}',
          '- --namespace={{ . }}',
          '{{- end }}',
          '{{- if not .Values.leaderElect }}',
          '- --leader-elect=false',
          '{{- end }}',
          '{{- if .Values.packageRoot }}',
          ...packageRootWords.map(word => `- ${word}`),
          '{{- end }}',
          '{{- if .Values.routers }}',
          ...routersWords.map(word => `- ${word}`),
          '{{- end }}',
          '{{- if .Values.argoWorkflows }}',
          ...followWords([workflowKind]).map(word => `- ${word}`),
          '{{- end }}',
          '{{- range .Values.customKinds }}',
          '- --follow={{ .apiVersion }}/{{ .kind }}',
          '{{- end }}',
          '- --log-level={{ .Values.logLevel }}',
          '{{- range .Values.extraArgs }}',
          '- {{ . | quote }}',
          '{{- end }}',
        ),
      ],
      resources: chart.block('.Values.resources', 12),
      volumes: [
        chart.lines(
          '{{- with .Values.packageRoot }}',
          `- name: ${packageRootMount.name}`,
          '  {{- toYaml . | nindent 10 }}',
          '{{- end }}',
          '{{- if .Values.routers }}',
          `- ${JSON.stringify({ name: routersMount.name, configMap: { name: routersConfig.name } })}`,
          '{{- end }}',
          ...eachFolder(
            name => `- {name: ${name}, hostPath: {path: {{ . | quote }}, type: DirectoryOrCreate}}`,
          ),
          '{{- with .Values.extraVolumes }}',
          '{{- toYaml . | nindent 8 }}',
          '{{- end }}',
        ),
      ],
      volumeMounts: [
        chart.lines(
          '{{- if .Values.packageRoot }}',
          `- ${JSON.stringify(packageRootMount)}`,
          '{{- end }}',
          '{{- if .Values.routers }}',
          `- ${JSON.stringify(routersMount)}`,
          '{{- end }}',
          ...eachFolder(name => {
            // A socket is talked to also where its folder cannot be written.
            const more = name === socketVolume ? ', readOnly: true' : '';
            return `- {name: ${name}, mountPath: {{ . | quote }}${more}}`;
          }),
          '{{- with .Values.extraVolumeMounts }}',
          '{{- toYaml . | nindent 12 }}',
          '{{- end }}',
        ),
      ],
      annotations: {
        [routersAnnotation]: chart.value('toJson .Values.routers | sha256sum | quote'),
      },
      // Where nobody waits for the lead, the one of before must be gone first.
      deploymentSpec: {
        strategy: chart.value(
          'dict "type" (ternary "RollingUpdate" "Recreate" .Values.leaderElect) | toJson',
        ),
      },
      podSpec: {
        imagePullSecrets: chart.block('.Values.imagePullSecrets', 8),
        nodeSelector: chart.block('.Values.nodeSelector', 8),
        tolerations: chart.block('.Values.tolerations', 8),
        affinity: chart.block('.Values.affinity', 8),
      },
    }),
  ]);
}

const notes = `Afloat {{ .Chart.AppVersion }} looks after {{ if .Values.watchNamespace }}the namespace {{ .Values.watchNamespace }}{{ else }}records in every namespace{{ end }}.

  kubectl -n {{ .Release.Namespace }} rollout status deployment/afloat-operator

{{- if not (or .Values.watchNamespace .Values.allNamespaces .Values.clouds) }}

It may not keep packages or act for the account of a record anywhere yet. Name the namespaces of your clouds:

  helm upgrade {{ .Release.Name }} <this chart> --reuse-values --set 'clouds={openstack}'
{{- end }}

In a namespace that was named, records can say \`serviceAccountName: ${servicesName}\`.
To approve plans a person needs the role afloat-approve there.

Helm never changes definitions that are there. Before an upgrade to a version with other ones: \`afloat install --crds-only\`, or
\`kubectl apply --server-side --force-conflicts -f\` with the folder crds of this chart.

\`helm uninstall\` leaves definitions, records and everything that serves; installed again, all is known.
`;
