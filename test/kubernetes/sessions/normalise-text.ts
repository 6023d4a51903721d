/** What must differ between any two clusters, and is therefore not compared: what is put in its place, and where it is found. */
// The first: what a client writes of its own watch that it has just ended.
const rules: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^E\d{4} .*"Failed to watch" .*context canceled.*\n/gm, ''],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [+-]\d{4} \w+/g, '<time>'],
  [/\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/\b\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}/g, '<time>'],
  [/(resourceVersion"?: )"\d+"/g, '$1<version>'],
  [/(Resource Version:\s+)\d+/g, '$1<version>'],
  [/\b(web|once|now|nightly)-[0-9a-z]{8,10}-[0-9a-z]{5}\b/g, '$1-<hash>-<id>'],
  [/\bweb-[0-9a-z]{8,10}\b/g, 'web-<hash>'],
  [/\b(once|now)-[0-9a-z]{5}\b/g, '$1-<id>'],
  [/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(:\d+)?\b/g, '<address>'],
  // Ages and durations stand at the end of a column, or in brackets.
  [/(?<=\s|\()(?:\d+[smhd]){1,2}(?=\s|$|\))/gm, '<age>'],
  [/-\d{8,}\b/g, '-<number>'],
  [/^[IWE]\d{4} <?[\d:.]+>?\s+\d+ /gm, '<log> '],
];

/** The text of a program with everything that must differ replaced, and columns one width apart. */
export function normaliseText(text: string): string {
  let plain = text;
  for (const [pattern, instead] of rules) plain = plain.replaceAll(pattern, instead);
  return plain
    .split('\n')
    .map(line => line.replaceAll(/(?<=\S)(?:[ \t]{2,}|\t)/g, '  ').trimEnd())
    .join('\n')
    .trim();
}
