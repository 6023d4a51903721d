/**
 * Puts values in place of `$(NAME)`, as Kubernetes does in commands and variables: `$$` is a dollar, a name that is not known stays
 * as it is written.
 */
export function expand(text: string, resolve: (name: string) => string | undefined): string {
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (written, name: string | undefined) =>
    name === undefined ? '$' : (resolve(name) ?? written),
  );
}
