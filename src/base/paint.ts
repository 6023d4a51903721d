/** How text is made to stand out. The same text is printed with colours on a terminal and plain everywhere else. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
}

const asItIs = (text: string): string => text;

/** No colours: for files, pipes, tests and Markdown. */
export const plainPaint: Paint = { strong: asItIs, faint: asItIs, good: asItIs, warn: asItIs, bad: asItIs };
