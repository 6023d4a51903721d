import { CodedError } from '../../base/coded-error.ts';
import { operatorName, servicesName } from './deploy-names.ts';
import { type Rule, readVerbs, serviceVerbs, workflowRules } from './rules.ts';

/** A kind that packages bring and Kubernetes does not have by itself. */
export interface CustomKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** As roles call it: `workflows`. */
  readonly resource: string;
}

/** Argo's Workflow, for which there is a driver. */
export const workflowKind: CustomKind = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Workflow',
  resource: 'workflows',
};

/** Rights that are given only where they are asked for: to the account of records, and to the operator, which follows the kinds. */
export interface ExtraRights {
  /** The role of the account, and whether it is among the ready-made ones that are there anyway. */
  readonly services: {
    readonly name: string;
    readonly rules: readonly Rule[];
    readonly isReadyMade: boolean;
  };
  readonly operator: { readonly name: string; readonly rules: readonly Rule[] };
}

/** The ready-made role of an account whose record has Argo Workflows. */
export const workflowsRoleName = `${servicesName}-workflows`;

/** The rights for Argo Workflows. */
export const workflowRights: ExtraRights = {
  services: { name: workflowsRoleName, rules: workflowRules, isReadyMade: true },
  operator: { name: `${operatorName}-workflows`, rules: [watching(workflowKind)] },
};

/** The rights for kinds that were named; rules of a chart may stand in the place of those of kinds. */
export function customRights(
  kinds: readonly CustomKind[],
  services: readonly Rule[] = kinds.map(kind => ruleOf(kind, serviceVerbs)),
  operator: readonly Rule[] = kinds.map(watching),
): ExtraRights {
  return {
    services: { name: `${servicesName}-custom`, rules: services, isReadyMade: false },
    operator: { name: `${operatorName}-custom`, rules: operator },
  };
}

/** All that was asked for. */
export function extraRights(asked: {
  readonly argoWorkflows?: boolean;
  readonly customKinds?: readonly CustomKind[];
}): readonly ExtraRights[] {
  const { argoWorkflows = false, customKinds = [] } = asked;
  return [
    ...(argoWorkflows ? [workflowRights] : []),
    ...(customKinds.length > 0 ? [customRights(customKinds)] : []),
  ];
}

/** The words with which the operator follows these kinds. */
export function followWords(kinds: readonly CustomKind[]): string[] {
  return kinds.map(({ apiVersion, kind }) => `--follow=${apiVersion}/${kind}`);
}

/** Reads `argoproj.io/v1alpha1/Workflow`; `=plural` behind it where the plural is not the regular one. Throws where it is neither. */
export function customKindOf(text: string): CustomKind {
  const [, apiVersion = '', kind = '', plural] =
    /^([a-z0-9.-]+\/v[a-z0-9]+)\/([A-Z][A-Za-z0-9]*)(?:=([a-z0-9]+))?$/.exec(text) ?? [];
  if (apiVersion === '')
    throw new CodedError('UsageInvalid', `${text} is no kind such as argoproj.io/v1alpha1/Workflow`);
  return { apiVersion, kind, resource: plural ?? regularPlural(kind) };
}

/** As Kubernetes itself guesses: `policies`, `ingresses`, `workflows`. */
function regularPlural(kind: string): string {
  const word = kind.toLowerCase();
  if (/(s|x|ch|sh)$/.test(word)) return `${word}es`;
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}

function watching(kind: CustomKind): Rule {
  return ruleOf(kind, readVerbs);
}

function ruleOf({ apiVersion, resource }: CustomKind, verbs: readonly string[]): Rule {
  return { apiGroups: [apiVersion.split('/')[0] ?? ''], resources: [resource], verbs: [...verbs] };
}
