/** The short form of an image's name: `docker.io/library/web:latest` and `web` are the same. */
export function shortImageName(name: string): string {
  const path = name.replace(/^(docker\.io|index\.docker\.io)\//, '').replace(/^library\//, '');
  return path.replace(/:latest$/, '');
}
