import type { Plan } from '../api/lifecycle-plan.ts';
import type { Digest } from '../base/digest.ts';
import { sayDuration } from '../base/duration.ts';
import { partOf, printPlan } from './print-plan.ts';

/** A plan for a pull request: a table to look at, and the whole plan folded away below it. */
export function planMarkdown(plan: Plan, digest: Digest): string {
  const title = `### Plan for ${plan.cloud}`;
  if (plan.steps.length === 0 && plan.waiting.length === 0 && plan.offers.length === 0)
    return `${title}\n\nNothing to do.\n`;
  const rows = plan.steps.map(step => {
    const versions = [step.from?.version, step.to?.version].filter(version => version !== undefined);
    const cells = [
      `${step.wave + 1}`,
      `\`${partOf(step)}\``,
      step.flow,
      [...new Set(versions)].join(' → '),
      step.strategy,
      step.impact.api,
      step.impact.workloads,
      sayDuration(step.estimateSeconds),
      `${step.goingBack.cost}${step.pointOfNoReturn ? ' (point of no return)' : ''}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const table = [
    '| wave | part | flow | version | strategy | API | workloads | time | going back costs |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ];
  return [
    title,
    '',
    ...(rows.length > 0 ? [...table, ''] : []),
    ...plan.waiting.map(wait => `- **${wait.service}** waits (${wait.reason}): ${wait.message}`),
    ...(plan.waiting.length > 0 ? [''] : []),
    '<details><summary>The whole plan</summary>',
    '',
    '```text',
    printPlan(plan, digest),
    '```',
    '',
    '</details>',
    '',
  ].join('\n');
}
