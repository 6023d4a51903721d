import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tests never meet the world that runs on the machine they are run on: where none is named, there is none. */
process.env['AFLOAT_STATE'] = join(tmpdir(), `afloat-no-world-${process.pid}`);
