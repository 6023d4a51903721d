import { isPackage, readOnePackage } from '../app/read-one-package.ts';
import type { RunCommand } from './command.ts';
import { explainChart } from './explain-chart.ts';
import { explainPackage, explainWalk } from './explain-walk.ts';
import { decideFrom, printFindings } from './plan.ts';
import { isStructured, structured } from './structured.ts';

/** Prints what each stage of the walk hands to the next, or what a package is. */
export const run: RunCommand = async (call, terminal) => {
  const [path = ''] = call.words;
  const { output } = call.options;
  if (await isPackage(path, terminal.folder)) {
    const read = await readOnePackage(path, terminal.folder);
    if (!('package' in read))
      return printFindings({ findings: read.findings, refused: false }, output, terminal);
    const explained = read.decided ? explainChart(read.package, read.decided) : explainPackage(read.package);
    terminal.print(isStructured(output) ? structured(explained.value, output) : explained.text);
    return 'ok';
  }
  const decided = await decideFrom(call, terminal);
  if ('findings' in decided) return printFindings(decided, output, terminal);
  const explained = explainWalk(decided);
  terminal.print(isStructured(output) ? structured(explained.value, output) : explained.text);
  return 'ok';
};
