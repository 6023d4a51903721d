import { killEverywhere } from './kill-everywhere.ts';

// Its first half is that of the others: a sample is enough, beside all the kills of `again-and-again`.
killEverywhere('an upgrade with an unsplit migration that fails its test and is restored', {
  story: { version: '3.0.0', hasOutage: true },
  file: 1,
  files: 1,
  every: 6,
});
