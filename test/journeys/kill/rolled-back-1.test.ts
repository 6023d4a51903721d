import { killEverywhere } from './kill-everywhere.ts';

killEverywhere('an upgrade whose test fails and that is rolled back (1 of 3)', {
  story: { version: '2.0.1', hasOutage: false },
  file: 1,
  files: 3,
});
