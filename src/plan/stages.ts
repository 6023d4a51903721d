import { type Tier, tiers } from '../api/fields.ts';
import type { PlanStage } from '../api/lifecycle-plan.ts';
import type { RecordStage } from '../api/openstack-deployment.ts';

/** What decides which stage a part belongs to. */
export interface StagedPart {
  readonly service: string;
  readonly hostGroup?: string;
  readonly tier: Tier;
}

/** The stages of a plan in order, and the stage of a part in them. */
export interface Stages {
  readonly stages: readonly PlanStage[];
  readonly stageOf: (part: StagedPart) => number;
}

/** The last stage, for parts that no stage of the record names. */
const rest = { name: 'rest', gate: 'automatic' } as const;

/**
 * The record's stages, or one per tier. A host group named in a stage counts before a service, a service before a
 * tier; of two stages that name a part in the same way the first counts.
 */
export function stagesOf(recordStages: readonly RecordStage[] | undefined): Stages {
  if (!recordStages || recordStages.length === 0) {
    const stages = tiers.map(name => ({ name, gate: 'automatic' as const }));
    return { stages, stageOf: part => tiers.indexOf(part.tier) };
  }
  const byHostGroup = firstNaming(recordStages, stage => stage.hostGroups);
  const byService = firstNaming(recordStages, stage => stage.services);
  const byTier = firstNaming(recordStages, stage => stage.tiers);
  const stages = [...recordStages.map(({ name, gate }) => ({ name, gate })), rest];
  const stageOf = ({ service, hostGroup, tier }: StagedPart) =>
    (hostGroup === undefined ? undefined : byHostGroup.get(hostGroup)) ??
    byService.get(service) ??
    byTier.get(tier) ??
    recordStages.length;
  return { stages, stageOf };
}

function firstNaming(
  stages: readonly RecordStage[],
  names: (stage: RecordStage) => readonly string[] | undefined,
): Map<string, number> {
  const first = new Map<string, number>();
  for (const [index, stage] of stages.entries()) {
    for (const name of names(stage) ?? []) if (!first.has(name)) first.set(name, index);
  }
  return first;
}
