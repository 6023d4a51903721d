import { ruleCases } from '../../api/rule-cases.contract.ts';

type Spec = Readonly<Record<string, unknown>>;

const source = { type: 'tar', location: '/charts/keystone' };

/** The least spec that a kind takes. */
export function leastSpec(kind: string): Spec {
  if (kind === 'OpenstackDeployment') return { services: [] };
  if (kind === 'Oslc') return { serviceName: 'keystone', source, flowKind: 'install' };
  // The large ones: the first good case of their rules.
  const case_ = ruleCases.find(one => one.of === kind && one.holds);
  return case_?.value ?? { source, openstackServiceName: 'keystone' };
}
