import type { Finding } from '../api/finding.ts';
import { type Decided, decide } from '../app/decide.ts';
import type { PlanWorld } from '../app/plan-world.ts';
import { thisMachine } from '../app/this-machine.ts';
import { planDigest } from '../plan/plan.ts';
import { planMarkdown } from '../plan/plan-markdown.ts';
import { printPlan } from '../plan/print-plan.ts';
import type { Call, RunCommand } from './command.ts';
import type { Exit } from './exit-codes.ts';
import { worldOptions } from './operate/call-options.ts';
import { sayFindings } from './say-findings.ts';
import { isStructured, structured } from './structured.ts';
import type { Terminal } from './terminal.ts';

/** Makes the plan and prints it. */
export const run: RunCommand = async (call, terminal) => {
  const { output, from, offline } = call.options;
  const asksWorld = from === undefined && offline !== true;
  const world = asksWorld ? await worldOf(call) : undefined;
  const decided = await decideFrom(call, terminal, world).finally(() => world?.close());
  if ('findings' in decided) return printFindings(decided, output, terminal);
  const { plan } = decided;
  const digest = planDigest(plan);
  if (isStructured(output)) terminal.print(structured({ digest, plan }, output));
  else if (output === 'markdown') terminal.print(planMarkdown(plan, digest));
  else {
    if (from === undefined && !world) terminal.tell('Nothing runs here: planned as if nothing runs yet.\n\n');
    terminal.print(`${printPlan(plan, digest, terminal.paint)}\n`);
  }
  return plan.steps.length > 0 ? 'changes' : 'ok';
};

/** The world that is planned from. Loaded only now: a plan from files needs none of it. */
async function worldOf(call: Call): Promise<PlanWorld | undefined> {
  const { findPlanWorld } = await import('../app/plan-world.ts');
  return findPlanWorld(worldOptions(call));
}

/** What `plan` and `explain` share: the walk from the call's paths to a plan. */
export async function decideFrom(
  { words, options }: Call,
  terminal: Terminal,
  world?: PlanWorld,
): Promise<Decided> {
  const { from, contract, runtime, namespace } = options;
  const machine = runtime === 'embedded' ? await thisMachine() : world?.machine;
  return decide(words, {
    folder: terminal.folder,
    stdin: words.includes('-') || from === '-' ? await terminal.readStdin() : '',
    ...(typeof from === 'string' ? { from } : {}),
    ...(typeof contract === 'string' ? { contract } : {}),
    ...(machine && runtime !== 'kubernetes' ? { machine } : {}),
    ...(world ? { observe: world.observe, pushed: world.pushed } : {}),
    namespace: {
      ...(typeof namespace === 'string' ? { named: namespace } : {}),
      ...(world ? { usual: world.namespace } : {}),
    },
  });
}

/** Findings in the format that was asked for; those of a plan are refusals, all others are bad input, or words that cannot be meant. */
export async function printFindings(
  { findings, refused }: { findings: readonly Finding[]; refused: boolean },
  output: unknown,
  terminal: Terminal,
): Promise<Exit> {
  if (isStructured(output)) terminal.print(structured({ findings }, output));
  else terminal.tell(sayFindings(findings, terminal.paint));
  if (refused) return 'refused';
  return findings.every(({ code }) => code === 'UsageInvalid') ? 'usage' : 'invalid';
}
