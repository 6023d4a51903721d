import { operatorName, operatorNamespace } from '../../../src/app/deploy/deploy-names.ts';
import { programLine } from '../../start/run-program.ts';
import { exampleNamespace } from './start-example-cloud.ts';

/** What a person can type next, line by line, in another terminal. */
export function nextToTry({
  kubeconfig,
  kubectl,
}: {
  kubeconfig: string;
  kubectl: string;
}): readonly string[] {
  const afloat = (...words: readonly string[]) => programLine(words);
  const tries = [
    [
      `kubectl -n ${exampleNamespace} get osdpl,lcplan,oslc,osrev`,
      'the record, its plan, its flows, what can be gone back to',
    ],
    [`kubectl -n ${exampleNamespace} get pods,services`, 'what runs, and where it answers from this machine'],
    [`${afloat('status')} --kubeconfig $KUBECONFIG`, 'who serves, what to do'],
    [afloat('apply', 'examples/walk/2-identity-patched.yaml', '--wait'), 'patch identity, bluegreen'],
    [afloat('apply', 'examples/walk/3-image-patched.yaml', '--wait'), 'patch image, rolling'],
    [afloat('rollback', 'identity', '--yes', '--wait'), 'take identity back, and hold it'],
    [afloat('doctor'), 'is everything well?'],
    [`kubectl -n ${operatorNamespace} logs -f deployment/${operatorName}`, 'what the operator does'],
  ] as const;
  const width = Math.max(...tries.map(([line]) => line.length));
  return [
    `export KUBECONFIG=${kubeconfig} AFLOAT_KUBECONFIG=${kubeconfig}`,
    `alias kubectl=${kubectl}`,
    ...tries.map(([line, does]) => `${line.padEnd(width)}  # ${does}`),
  ];
}
