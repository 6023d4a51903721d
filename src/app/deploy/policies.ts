import { group, version } from '../../api/group.ts';
import { phaseKinds } from '../../api/phase-kinds.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { deployLabels } from './deploy-names.ts';
import { approveVerb, operateVerb } from './rules.ts';

/** One thing a policy asks, in CEL, and what is said where it is not so. */
interface Check {
  readonly expression: string;
  readonly message: string;
}

interface PolicyFacts {
  readonly name: string;
  readonly resources: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly checks: readonly Check[];
}

const right = (verb: string) =>
  `authorizer.group('${group}').resource('lifecycleplans').namespace(request.namespace).check('${verb}').allowed()`;

/** Whether a field of the spec is another one than before; a new object had none. */
const changes = (field: string) =>
  `(request.operation == 'UPDATE' && has(oldObject.spec.${field})) ? (!has(object.spec.${field}) || object.spec.${field} != oldObject.spec.${field}) : has(object.spec.${field})`;

/** The same for a field that the API server fills in, where empty is as good as absent. */
const grows = (field: string) =>
  `has(object.spec.${field}) && size(object.spec.${field}) > 0 && !(request.operation == 'UPDATE' && has(oldObject.spec.${field}) && object.spec.${field} == oldObject.spec.${field})`;

/** Whether a flow or phase that a person writes begins to act, or acts otherwise: nothing else would ask before it does. */
const startsByHand = (...fields: readonly string[]) =>
  `request.operation == 'CREATE' ? object.spec.targetState != 'uninitialized' : (${fields.map(field => `(${changes(field)})`).join(' || ')})`;

const mayApprove = { mayApprove: right(approveVerb) };
const mayOperate = { mayOperate: right(operateVerb) };
const needsApprove = `needs the right \`${approveVerb}\` on lifecycleplans`;

const byHand: Check = {
  expression: '!variables.startsByHand || variables.mayApprove || variables.mayOperate',
  message: `to start a flow or a phase by hand one ${needsApprove}; with \`targetState: uninitialized\` it is laid out`,
};

/** What an API server asks before it takes a person's word, or what only the operator may say. */
const policies: readonly PolicyFacts[] = [
  {
    name: 'afloat-plans',
    resources: ['lifecycleplans'],
    variables: {
      ...mayApprove,
      ...mayOperate,
      approvalChanges: changes('approval'),
      stagesOpen: grows('openedStages'),
    },
    checks: [
      {
        expression: '!variables.approvalChanges || variables.mayApprove',
        message: `to approve a plan one ${needsApprove}`,
      },
      {
        expression:
          '!variables.approvalChanges || !has(object.spec.approval) || object.spec.approval.approvedBy == request.userInfo.username',
        message: 'approvedBy must be the user who asks',
      },
      {
        expression: '!variables.stagesOpen || variables.mayApprove',
        message: `to let a stage begin one ${needsApprove}`,
      },
      {
        expression:
          "request.operation != 'CREATE' || object.spec.plan.approval != 'automatic' || variables.mayApprove || variables.mayOperate",
        message: `to make a plan that starts by itself one ${needsApprove}`,
      },
    ],
  },
  {
    name: 'afloat-flows',
    resources: ['oslcs'],
    variables: {
      ...mayApprove,
      ...mayOperate,
      answers: `(${changes('answers')}) || (${changes('cutsAtMost')})`,
      plannedChanges: changes('planned'),
      startsByHand: startsByHand('targetState', 'flowKind', 'source', 'serviceName', 'serviceAccountName'),
    },
    checks: [
      byHand,
      {
        expression: '!variables.answers || variables.mayApprove',
        message: `to answer what a flow asks one ${needsApprove}`,
      },
      {
        expression: '!variables.plannedChanges || variables.mayOperate',
        message: 'only the operator carries out the step of a plan: approve the plan instead',
      },
    ],
  },
  {
    name: 'afloat-phases',
    resources: phaseKinds.map(({ plural }) => plural),
    variables: {
      ...mayApprove,
      ...mayOperate,
      moveChanges: changes('move'),
      startsByHand: startsByHand('targetState', 'source', 'openstackServiceName', 'serviceAccountName'),
    },
    checks: [
      byHand,
      {
        expression: '!variables.moveChanges || variables.mayOperate',
        message: 'only the operator makes moves of a flow',
      },
    ],
  },
  {
    name: 'afloat-records',
    resources: ['openstackdeployments'],
    variables: {
      ...mayApprove,
      wasAutomatic:
        "request.operation == 'UPDATE' && has(oldObject.spec.approval) && oldObject.spec.approval == 'automatic'",
      automaticBefore:
        "request.operation == 'UPDATE' ? oldObject.spec.services.filter(s, has(s.approval) && s.approval == 'automatic').map(s, s.name) : []",
      becomesAutomatic:
        "(has(object.spec.approval) && object.spec.approval == 'automatic' && !variables.wasAutomatic) || object.spec.services.exists(s, has(s.approval) && s.approval == 'automatic' && !(s.name in variables.automaticBefore))",
    },
    checks: [
      {
        expression: '!variables.becomesAutomatic || variables.mayApprove',
        message: `to let plans start by themselves (\`approval: automatic\`) one ${needsApprove}`,
      },
    ],
  },
];

/** ValidatingAdmissionPolicies and their bindings: a person's word is that person's, and a right of its own. */
export function policyObjects(): readonly ClusterObject[] {
  return policies.flatMap(policy => [policyOf(policy), bindingOf(policy)]);
}

const type = 'admissionregistration.k8s.io/v1';

function policyOf({ name, resources, variables, checks }: PolicyFacts): ClusterObject {
  return {
    apiVersion: type,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name, labels: deployLabels },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [group],
            apiVersions: [version],
            operations: ['CREATE', 'UPDATE'],
            resources: [...resources],
          },
        ],
      },
      variables: Object.entries(variables).map(([of, expression]) => ({ name: of, expression })),
      validations: checks.map(({ expression, message }) => ({ expression, message, reason: 'Forbidden' })),
    },
  };
}

function bindingOf({ name }: PolicyFacts): ClusterObject {
  return {
    apiVersion: type,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name, labels: deployLabels },
    spec: { policyName: name, validationActions: ['Deny'] },
  };
}
