import manifest from '../../package.json' with { type: 'json' };
import { servicesName } from '../../src/app/deploy/deploy-names.ts';
import { deploymentObject, disruptionBudget, metricsService } from '../../src/app/deploy/operator-objects.ts';
import { policyObjects } from '../../src/app/deploy/policies.ts';
import {
  cloudAccess,
  clusterRoles,
  definitionReaders,
  operatorAccess,
} from '../../src/app/deploy/role-objects.ts';
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
          '- --log-level={{ .Values.logLevel }}',
          '{{- range .Values.extraArgs }}',
          '- {{ . | quote }}',
          '{{- end }}',
        ),
      ],
      resources: chart.block('.Values.resources', 12),
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

\`helm uninstall\` leaves definitions, records and everything that serves; installed again, all is known.
`;
