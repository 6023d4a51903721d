import manifest from '../../../package.json' with { type: 'json' };

/** The Kubernetes whose words are spoken: the one that the contract of the cluster was asked of. */
const kubernetes = { major: '1', minor: '36' } as const;

/** The answer to `/version`. */
export const serverVersion = {
  ...kubernetes,
  gitVersion: `v${kubernetes.major}.${kubernetes.minor}.0+afloat-${manifest.version}`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: `${process.platform}/${process.arch}`,
} as const;
