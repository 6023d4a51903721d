import { accountCases } from './accounts.contract.ts';
import { applyCases } from './apply.contract.ts';
import { applyListCases } from './apply-lists.contract.ts';
import { applyMapCases } from './apply-maps.contract.ts';
import { badRecordCases } from './bad-records.contract.ts';
import { badRequestCases } from './bad-requests.contract.ts';
import type { ContractCluster } from './contract-cluster.ts';
import { createCases } from './create.contract.ts';
import { definitionCases } from './definitions.contract.ts';
import { deleteCases } from './delete.contract.ts';
import { finalizerCases } from './finalizers.contract.ts';
import { garbageCases } from './garbage.contract.ts';
import { graceCases } from './grace.contract.ts';
import { jsonPatchCases } from './json-patch.contract.ts';
import { leaseCases } from './leases.contract.ts';
import { mergePatchCases } from './merge-patch.contract.ts';
import { namespaceCases } from './namespaces.contract.ts';
import { pageCases } from './pages.contract.ts';
import { readCases } from './read.contract.ts';
import { ruleCasesOfKinds } from './rules.contract.ts';
import { runTopics } from './run-topics.contract.ts';
import { selectorCases } from './selectors.contract.ts';
import { statusCases } from './status.contract.ts';
import { strategicPatchCases } from './strategic-patch.contract.ts';
import { unknownFieldCases } from './unknown-fields.contract.ts';
import { updateCases } from './update.contract.ts';
import { validationCases } from './validation.contract.ts';
import { watchCases } from './watch.contract.ts';
import { watchSelectorCases } from './watch-selectors.contract.ts';
import { workloadCases } from './workloads.contract.ts';

/** Every topic of the contract. What is in them was asked of a real API server first: its answers are the truth. */
const topics = [
  readCases,
  selectorCases,
  pageCases,
  watchCases,
  watchSelectorCases,
  createCases,
  updateCases,
  mergePatchCases,
  strategicPatchCases,
  jsonPatchCases,
  applyCases,
  applyListCases,
  applyMapCases,
  statusCases,
  deleteCases,
  finalizerCases,
  graceCases,
  garbageCases,
  validationCases,
  ruleCasesOfKinds,
  badRecordCases,
  unknownFieldCases,
  namespaceCases,
  leaseCases,
  accountCases,
  badRequestCases,
  definitionCases,
  workloadCases,
];

/**
 * Holds an implementation of the port to the contract: one vitest suite of that name. `start` is called once a topic; our
 * CRDs are in the cluster, and garbage collection and namespaces are at work.
 */
export function clusterContract(name: string, start: () => Promise<ContractCluster>): void {
  runTopics(name, topics, start);
}
