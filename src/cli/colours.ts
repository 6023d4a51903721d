import picocolors from 'picocolors';
import type { Paint } from '../base/paint.ts';

const { bold, dim, green, yellow, red } = picocolors.createColors(true);

/** Colours for a terminal. */
export const colours: Paint = { strong: bold, faint: dim, good: green, warn: yellow, bad: red };
