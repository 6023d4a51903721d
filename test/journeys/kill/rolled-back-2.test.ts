import { killEverywhere } from './kill-everywhere.ts';

// Up to its test it is the upgrade that ends well.
killEverywhere('an upgrade whose test fails and that is rolled back (2 of 2)', {
  story: { version: '2.0.1', hasOutage: false },
  file: 2,
  files: 2,
  sharedUntil: 'TestPhase',
});
