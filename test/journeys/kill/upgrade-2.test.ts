import { killEverywhere } from './kill-everywhere.ts';

killEverywhere('an upgrade beside the old version, with an expanded schema (2 of 3)', {
  story: { version: '2.0.0', hasOutage: false },
  file: 2,
  files: 3,
});
