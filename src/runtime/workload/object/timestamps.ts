/** A moment as Kubernetes writes it: whole seconds of UTC. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** The moment of a timestamp, in milliseconds; undefined where there is none. */
export function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
