/** Prints, at the end of `make test`, what the bigger suites prove and how to run them. They need more than Node. */
const suites = [
  {
    command: 'make test-kubernetes',
    proves:
      'the cluster port, its client, the CRDs and the contract of the runtime hold against a real Kubernetes',
    needs: 'Linux and Go, root for Pods; builds Kubernetes once, about 10 minutes',
  },
  {
    command: 'make test-openstack',
    proves: 'backups, restores and migrations hold on a real MariaDB, and drains on real routers',
    needs: "Linux and Debian's packages, root for a disk that is full; nothing is installed",
  },
] as const;

console.log('\nBigger suites, each with a command of its own:');
for (const { command, proves, needs } of suites) console.log(`  ${command.padEnd(22)} ${proves} (${needs})`);
