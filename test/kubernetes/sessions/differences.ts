/** A line to which the embedded cluster says something else than a real one, on purpose. */
export interface SessionDifference {
  readonly session: string;
  readonly line: string;
  /** What the embedded cluster says, as far as it is meant to. */
  readonly embedded: RegExp;
  /** As it stands on the page docs/embedded-cluster.md, in bold. */
  readonly because: string;
}

const noProcesses = 'What reaches into a container is refused.';
const noProse = 'Built-in kinds are explained without prose.';
const ownWords = 'What cannot be read is refused in other words.';
const noRest = 'Rules that were not looked at are not spoken of.';

/** Every difference in what sessions are told. One that is gone, or has become another one, fails the test. */
export const differences: readonly SessionDifference[] = [
  {
    session: 'objects',
    line: `kubectl patch cm one --type json -p '[{"op": "test", "path": "/data/d", "value": "5"}]'`,
    embedded: /^The request is invalid: .* \(test \/data\/d\)\n\(exit 1\)$/,
    because: ownWords,
  },
  {
    session: 'objects',
    line: 'kubectl get cm one -o yaml > one.yaml; sed -i "s/three/3/" one.yaml; kubectl replace -f one.yaml',
    embedded:
      /^Error from server \(BadRequest\): .*ConfigMap in version "v1" cannot be handled: data\.c must be text/,
    because: ownWords,
  },
  {
    session: 'objects',
    line: 'kubectl replace -f one.yaml',
    embedded:
      /^Error from server \(BadRequest\): .*ConfigMap in version "v1" cannot be handled: data\.c must be text/,
    because: ownWords,
  },
  {
    session: 'custom resources',
    line: `kubectl patch osdpl cloud --type merge -p '{"spec": {"approval": "perhaps"}}'`,
    embedded:
      /^The OpenstackDeployment "cloud" is invalid: spec\.approval: Unsupported value: "perhaps": supported values: "automatic", "manual"\n\(exit 1\)$/,
    because: noRest,
  },
  {
    session: 'custom resources',
    line: 'sed -i "s/approval/aproval/" record.yaml; kubectl apply -f record.yaml',
    embedded:
      /^The request is invalid: patch: Invalid value: strict decoding error: unknown field "spec\.aproval"\n\(exit 1\)$/,
    because: ownWords,
  },
  {
    session: 'what is there',
    line: 'kubectl explain configmap',
    embedded: /<no description>/,
    because: noProse,
  },
  {
    session: 'what is there',
    line: 'kubectl explain pod.spec.containers.ports',
    embedded: /containerPort\s+<integer>\n\s+<no description>/,
    because: noProse,
  },
  {
    session: 'refused',
    line: 'kubectl exec one -- echo hello',
    embedded: /pods\/exec is not offered by the embedded cluster/,
    because: noProcesses,
  },
  {
    session: 'refused',
    line: 'timeout 3 kubectl attach one',
    embedded: /pods\/attach is not offered by the embedded cluster/,
    because: noProcesses,
  },
  {
    session: 'refused',
    line: 'timeout 3 kubectl port-forward pod/one 18080:80',
    embedded: /pods\/portforward is not offered by the embedded cluster/,
    because: noProcesses,
  },
  {
    session: 'refused',
    line: 'kubectl create token default >/dev/null && echo given',
    embedded: /serviceaccounts\/token is not offered by the embedded cluster/,
    because: 'An account is kept and refuses nothing.',
  },
];
