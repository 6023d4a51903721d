import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs files of minutes first, in the order of these names, so that no worker is left alone with one at the end. */
export function longFirst(names: readonly RegExp[]): typeof BaseSequencer {
  const rank = ({ moduleId }: TestSpecification) => {
    const found = names.findIndex(name => name.test(moduleId));
    return found < 0 ? names.length : found;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
    }
  };
}
