import { killAgainAndAgain } from './kill-everywhere.ts';

killAgainAndAgain('an upgrade beside the old version', { version: '2.0.0', hasOutage: false });
killAgainAndAgain('an upgrade that is rolled back', { version: '2.0.1', hasOutage: false });
killAgainAndAgain('an upgrade that is restored', { version: '3.0.0', hasOutage: true });
