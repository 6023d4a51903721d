import type { PackageFiles } from '../source.ts';
import type { HelmRelease } from './read-release.ts';

/**
 * A chart without variables that gives what the release was rendered to: the package of a service that was found running. Whatever is true of
 * charts is then true of it, and it is rendered by the same Helm. Files keep their names, for what they are called says what they are.
 */
export function releaseChart({ chart, manifest, hooks }: HelmRelease): PackageFiles {
  const templates = new Map<string, string[]>();
  const add = (path: string, text: string) => templates.set(path, [...(templates.get(path) ?? []), text]);
  for (const { path, text } of documentsOf(manifest)) add(path, text);
  for (const hook of hooks) add(templatePath(hook.path), hook.manifest);
  const page = {
    ...{ apiVersion: 'v2', name: chart.name, version: chart.version, type: 'application' },
    ...(chart.appVersion === undefined ? {} : { appVersion: chart.appVersion }),
    description: 'As it was found running.',
  };
  return [
    file('Chart.yaml', `${JSON.stringify(page, undefined, 2)}\n`),
    ...[...templates].map(([path, texts]) => file(path, literal(texts.join('\n---\n')))),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The documents of a manifest, each with the file that Helm says above it. */
function documentsOf(manifest: string): { path: string; text: string }[] {
  const heads = [...manifest.matchAll(/^---\n# Source: ([^\n]+)\n/gm)];
  return heads.map((head, index) => ({
    path: templatePath(head[1] ?? ''),
    text: manifest.slice(head.index + head[0].length, heads[index + 1]?.index ?? manifest.length).trimEnd(),
  }));
}

/** `keystone/templates/api.yaml` is templates/api.yaml; what a chart inside it brings is in a folder of its name. */
function templatePath(source: string): string {
  const folders = source.split('/').filter(part => part !== 'charts' && part !== 'templates');
  return `templates/${folders.slice(1).join('/')}`;
}

/** Text that a template gives back as it is. */
function literal(text: string): string {
  return `${text.replaceAll('{{', '{{ "{{" }}')}\n`;
}

function file(path: string, text: string): PackageFiles[number] {
  return { path, bytes: Buffer.from(text, 'utf8'), executable: false };
}
