import { yamlDocuments } from './yaml-text.ts';

/** Makes text of Helm templates of objects: what a user of the chart may choose is a token in the object until it is text. */
export class ChartText {
  readonly #expressions: string[] = [];

  /** A value of the chart, in the place of a text or number. The expression says how it is quoted. */
  value(expression: string): string {
    return this.#token(`{{ ${expression} }}`);
  }

  /** A value that is YAML itself, at this depth. */
  block(expression: string, indent: number): string {
    return this.#token(`{{- toYaml ${expression} | nindent ${indent} }}`);
  }

  /** In the place of an entry of a list: whole lines, each of which gets the indentation of the entry. */
  lines(...lines: readonly string[]): string {
    return this.#token(lines.join('\n'));
  }

  /** The objects as text of a template. */
  of(objects: readonly unknown[]): string {
    return yamlDocuments(objects)
      .split('\n')
      .map(line => this.#filled(line))
      .join('\n');
  }

  #token(text: string): string {
    return `CHART${this.#expressions.push(text)}TEXT`;
  }

  #filled(line: string): string {
    const entry = /^( *)- CHART(\d+)TEXT$/.exec(line);
    const whole = entry ? this.#expressions[Number(entry[2]) - 1] : undefined;
    if (entry && whole?.includes('\n'))
      return whole
        .split('\n')
        .map(one => `${entry[1]}${one}`)
        .join('\n');
    return line.replaceAll(
      /CHART(\d+)TEXT/g,
      (_, place: string) => this.#expressions[Number(place) - 1] ?? '',
    );
  }
}
