/** One import or re-export of a file. */
export interface Import {
  readonly specifier: string;
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** Loaded when the code runs into it. */
  readonly dynamic: boolean;
}

/** The pieces of source text, tried in this order at each place. */
const pieces = {
  comment: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
  string: /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y,
  template: /`(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y,
  templateGoesOn: /\}(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y,
  regExp: /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y,
  word: /[\w$]+|\s+/y,
  other: /[\s\S]/y,
} as const;

/**
 * The source with every comment, string, template text and regular expression blanked out, so that what is left is code
 * and nothing else. Offsets stay the same, quotes stay. Good enough for code that passed the formatter; it is no parser.
 */
export function codeOf(source: string): string {
  const code = known.get(source) ?? withoutTexts(source);
  known.set(source, code);
  return code;
}

/** Every rule asks for the code of every file. */
const known = new Map<string, string>();

function withoutTexts(source: string): string {
  let code = '';
  let last = ''; // the last piece that counts, to tell a division from a regular expression
  const braces: ('plain' | 'template')[] = [];
  while (code.length < source.length) {
    const [kind, piece] = pieceAt(source, code.length, last, braces.at(-1) === 'template');
    if (piece.endsWith('{')) braces.push(kind === 'other' ? 'plain' : 'template');
    if (piece.startsWith('}')) braces.splice(kind === 'other' || piece.endsWith('`') ? -1 : -2, 1);
    code += kind === 'word' || kind === 'other' ? piece : blanked(kind, piece);
    if (kind !== 'comment' && piece.trim() !== '') last = piece;
  }
  return code;
}

function pieceAt(
  source: string,
  at: number,
  last: string,
  inTemplate: boolean,
): [keyof typeof pieces, string] {
  for (const [kind, form] of Object.entries(pieces) as [keyof typeof pieces, RegExp][]) {
    if (kind === 'templateGoesOn' && !inTemplate) continue;
    if (kind === 'regExp' && !startsRegExp(last)) continue;
    form.lastIndex = at;
    const [piece] = form.exec(source) ?? [];
    if (piece !== undefined) return [kind, piece];
  }
  return ['other', ' '];
}

function blanked(kind: keyof typeof pieces, piece: string): string {
  const blank = piece.replace(/[^\n]/g, ' ');
  if (kind === 'comment' || kind === 'regExp') return blank;
  const end = piece.endsWith('${') ? 2 : 1;
  return `${piece[0]}${blank.slice(1, -end)}${piece.slice(-end)}`;
}

/** After a value a slash divides; after anything else it starts a regular expression. */
function startsRegExp(last: string): boolean {
  if (/^(?:return|typeof|case|of|in|yield|await|else|throw|void|delete)$/.test(last)) return true;
  return !/[\w$)\]'"`/]$/.test(last);
}

const importForms: readonly RegExp[] = [
  /\b(?:import|export)\s+(?<type>type\s)?(?<names>[\w$*{},\s]*?)\bfrom\s*['"]/g,
  /\bimport\s*\(\s*['"]/g,
  /\bimport\s*['"]/g,
];

/** Every import of the file: static, dynamic, for types, for side effects, and re-exports. */
export function importsOf(source: string): Import[] {
  const code = codeOf(source);
  return importForms.flatMap(form =>
    [...code.matchAll(form)].map(match => {
      const start = match.index + match[0].length;
      const quote = source[start - 1] ?? '';
      const names = match.groups?.['names'] ?? '';
      return {
        specifier: source.slice(start, source.indexOf(quote, start)),
        typeOnly: match.groups?.['type'] !== undefined || onlyNamesTypes(names),
        dynamic: match[0].includes('('),
      };
    }),
  );
}

/** `{ type A, type B }` */
function onlyNamesTypes(names: string): boolean {
  const inner = /^\s*\{(?<inner>[^}]*)\}\s*$/.exec(names)?.groups?.['inner'];
  const parts = inner?.split(',').filter(part => part.trim() !== '') ?? [];
  return parts.length > 0 && parts.every(part => /^\s*type\s/.test(part));
}

/** The names among `banned` that the code uses as free names: not as a property, a key or a field of a type. */
export function freeNamesIn(code: string, banned: readonly string[]): string[] {
  return banned.filter(name => {
    const uses = code.matchAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'));
    return [...uses].some(use => {
      const before = code.slice(0, use.index).trimEnd();
      const after = code.slice(use.index + name.length).trimStart();
      if (/(?<!\.)\??\.$/.test(before)) return false;
      const isKey = /^\??\s*:/.test(after) && !/\?$/.test(before);
      return !isKey;
    });
  });
}
