import { pauseEverywhere } from './kill-everywhere.ts';

pauseEverywhere('an upgrade beside the old version', {
  story: { version: '2.0.0', hasOutage: false },
  file: 1,
  files: 1,
  every: 40,
});
pauseEverywhere('an upgrade that is rolled back', {
  story: { version: '2.0.1', hasOutage: false },
  file: 1,
  files: 1,
  every: 40,
});
