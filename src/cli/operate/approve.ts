import type { RunCommand } from '../command.ts';
import { listOption, textOption } from './call-options.ts';
import { carryOutVerb } from './carry-out.ts';

/** Gives a person's word to what is named. */
export const run: RunCommand = (call, terminal) => {
  const [plan] = call.words;
  const digest = textOption(call, 'digest');
  const contract = textOption(call, 'contract');
  if (contract !== undefined) return carryOutVerb(call, terminal, verbs => verbs.contract(contract));
  return carryOutVerb(call, terminal, verbs =>
    verbs.approve({
      ...(plan === undefined ? {} : { plan }),
      ...(digest === undefined ? {} : { digest }),
      consents: listOption(call, 'consent'),
      stages: listOption(call, 'stage'),
      answers: listOption(call, 'answer'),
      cuts: listOption(call, 'cut'),
    }),
  );
};
