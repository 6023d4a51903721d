import { expect, it } from 'vitest';
import { ChartText } from './chart-text.ts';

it('puts what may be chosen into the text of objects', () => {
  const chart = new ChartText();
  const object = {
    name: chart.value('.Release.Name'),
    image: `a/${chart.value('.Values.image')}:1`,
    more: chart.block('.Values.more', 2),
    list: ['first', chart.lines('{{- range .Values.list }}', '- {{ . }}', '{{- end }}')],
  };
  expect(chart.of([object, { b: 1 }])).toBe(
    [
      'name: {{ .Release.Name }}',
      'image: a/{{ .Values.image }}:1',
      'more: {{- toYaml .Values.more | nindent 2 }}',
      'list:',
      '  - first',
      '  {{- range .Values.list }}',
      '  - {{ . }}',
      '  {{- end }}',
      '---',
      'b: 1',
      '',
    ].join('\n'),
  );
});
