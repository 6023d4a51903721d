/** One instruction of a Dockerfile, its continued lines put together. */
interface Instruction {
  readonly word: string;
  readonly text: string;
}

/** What a Dockerfile says of the image that its last stage makes, for comparison. */
export interface DockerfileFacts {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Base images, stage by stage, without those that are stages themselves. */
  readonly bases: readonly string[];
  /** Debian packages of the last stage. */
  readonly packages: readonly string[];
  /** What the last stage takes from others: from, and where to. */
  readonly copied: readonly { readonly stage: string; readonly from: string; readonly to: string }[];
  /** Modules that a stage installs with Go, `path@version`. */
  readonly goModules: readonly string[];
  /** What the stage called `build` takes of this repository, and what it runs, in order. */
  readonly build: { readonly taken: readonly string[]; readonly commands: readonly string[] };
}

/** Reads a Dockerfile as far as ours goes: one instruction a line, JSON forms for what is run. */
export function dockerfileFacts(dockerfile: string): DockerfileFacts {
  const instructions = instructionsOf(dockerfile);
  const last = instructions.slice(instructions.findLastIndex(({ word }) => word === 'FROM'));
  const of = (word: string) => last.filter(one => one.word === word).map(one => one.text);
  const begin = instructions.findIndex(({ word, text }) => word === 'FROM' && text.endsWith(' AS build'));
  const end = instructions.findIndex(({ word }, place) => word === 'FROM' && place > begin);
  const ofBuild = (word: string) =>
    instructions.slice(begin, end).flatMap(one => (one.word === word ? [one.text] : []));
  const list = (word: string) => JSON.parse(of(word).at(-1) ?? '[]') as string[];
  return {
    entrypoint: list('ENTRYPOINT'),
    command: list('CMD'),
    user: of('USER').at(-1) ?? '',
    environment: Object.fromEntries(
      of('ENV').flatMap(line => line.split(' ').map(pair => pair.split('=') as [string, string])),
    ),
    bases: instructions.filter(({ word }) => word === 'FROM').map(one => one.text.split(' ')[0] ?? ''),
    packages: of('RUN').flatMap(line => words(/apt-get install ([^&]*)/.exec(line)?.[1])),
    copied: of('COPY').flatMap(line => {
      const [, stage = '', from = '', to = ''] = /^--from=(\S+) (\S+) (\S+)$/.exec(line) ?? [];
      return [{ stage, from, to }];
    }),
    goModules: instructions.flatMap(one => /go install .*?(\S+@\S+)/.exec(one.text)?.[1] ?? []),
    build: {
      taken: ofBuild('COPY').flatMap(line => line.split(' ').slice(0, -1)),
      commands: ofBuild('RUN'),
    },
  };
}

function instructionsOf(text: string): Instruction[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { word, text: rest };
    });
}

function words(line = ''): string[] {
  return line.split(' ').filter(word => word !== '' && !word.startsWith('-'));
}
