import fc from 'fast-check';

/**
 * Properties run on the same cases every time, so that a red run is about the change and not about luck.
 * `AFLOAT_SEED=<number>` tries others.
 */
fc.configureGlobal({ seed: Number(process.env['AFLOAT_SEED'] ?? 20_190_327) });
