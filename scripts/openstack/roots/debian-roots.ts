/** A system of Debian in a folder: the root of a process on one machine, and an image on a cluster. */
export interface DebianRoot {
  readonly name: string;
  readonly suite: 'bookworm' | 'trixie';
  /** Whether packages come from the suite's security updates too. */
  readonly security?: boolean;
  /** What is installed, as `apt-get install` reads it. */
  readonly packages: readonly string[];
  /** The root that it begins as; without it the bare suite. */
  readonly on?: string;
  /** Answers to the questions that packages ask, as debconf reads them. */
  readonly answers?: readonly string[];
  /** Whether the Node that runs here is put in, as `/usr/local/bin/node`. */
  readonly node?: boolean;
  /** How long it takes on two cores, without what it begins as. */
  readonly seconds: number;
}

const keystoneParts = ['uwsgi-core', 'uwsgi-plugin-python3', 'python3-pymysql', 'python3-pymemcache'];
const noDatabase = ['keystone keystone/configure_db boolean false'];
const glanceParts = ['uwsgi-core', 'uwsgi-plugin-python3', 'python3-pymysql', 'python3-memcache'];
const noGlanceDatabase = ['glance-common glance/configure_db boolean false'];

/** The roots that real services run in. One that begins as another comes after it. */
export const debianRoots: readonly DebianRoot[] = [
  {
    ...{ name: 'keystone-22.0.2-deb12u3', suite: 'bookworm', answers: noDatabase, seconds: 70 },
    packages: ['keystone=2:22.0.2-0+deb12u3', ...keystoneParts],
  },
  {
    // The patch as an operator gets it: the same system with the packages of the security update.
    ...{ name: 'keystone-22.0.2-deb12u6', suite: 'bookworm', security: true, seconds: 20 },
    on: 'keystone-22.0.2-deb12u3',
    packages: ['keystone=2:22.0.2-0+deb12u6', 'python3-keystone=2:22.0.2-0+deb12u6'],
  },
  {
    ...{ name: 'keystone-27.0.0', suite: 'trixie', answers: noDatabase, seconds: 70 },
    packages: ['keystone=2:27.0.0-*', ...keystoneParts],
  },
  {
    ...{ name: 'mariadb', suite: 'bookworm', security: true, node: true, seconds: 30 },
    packages: ['mariadb-server', 'mariadb-client'],
  },
  { name: 'memcached', suite: 'bookworm', security: true, packages: ['memcached'], seconds: 10 },
  { name: 'haproxy', suite: 'bookworm', security: true, packages: ['haproxy'], seconds: 10 },
  {
    ...{ name: 'glance-25.1.0-deb12u3', suite: 'bookworm', answers: noGlanceDatabase, seconds: 110 },
    packages: ['glance-api=2:25.1.0-2+deb12u3', ...glanceParts],
  },
  {
    ...{ name: 'glance-25.1.0-deb12u5', suite: 'bookworm', security: true, seconds: 30 },
    on: 'glance-25.1.0-deb12u3',
    packages: ['glance-api', 'glance-common', 'python3-glance'].map(name => `${name}=2:25.1.0-2+deb12u5`),
  },
  {
    ...{ name: 'glance-30.0.0', suite: 'trixie', answers: noGlanceDatabase, seconds: 110 },
    packages: ['glance-api=2:30.0.0-*', ...glanceParts],
  },
];
