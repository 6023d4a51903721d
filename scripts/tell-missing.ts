/**
 * Tells a person in one line that a part of the tests is skipped because something is missing here. In CI that is a failure: a part that is
 * silently skipped there proves nothing. Says nothing where nothing is missing.
 */
export function tellMissing(what: string, missing: string | undefined): void {
  if (missing === undefined) return;
  if (process.env['CI']) throw new Error(`${what} cannot run: ${missing}`);
  console.log(`${what} is skipped: ${missing}`);
}
