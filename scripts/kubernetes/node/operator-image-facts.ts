import { parts } from '../build/parts.ts';

/** What the image of the operator is: of the Dockerfile, and of the one that tests make without it. A test compares the two. */
export const operatorImageFacts = {
  entrypoint: ['node', '/app/bin/afloat.js'],
  command: ['operator'],
  user: '65532:65532',
  environment: { NODE_ENV: 'production', HOME: '/tmp' },
  /** Of this repository, below /app. */
  contents: ['package.json', 'bin', 'dist'],
  /** Programs that the operator calls: git reads sources at a commit, Helm renders charts. */
  programs: ['git', 'helm'],
  helm: { module: `${parts.helm.module}/${parts.helm.programs.helm}`, version: parts.helm.version },
} as const;
