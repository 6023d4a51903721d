/** What an image is on one machine: a name for a program that is there. */
export interface Image {
  /** What runs where the manifest gives no command. */
  readonly entrypoint: readonly string[];
  /** A folder that is the root of the container. Without it, the machine's own. */
  readonly root?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir?: string;
}

/** Which names are known in a namespace. */
export interface Images {
  find(namespace: string, name: string): Image | undefined;
  /** Told when a name may have become known, with the namespace. */
  onChange(listener: (namespace: string) => void): void;
}
