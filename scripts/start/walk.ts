/**
 * What `make start` shows: the example cloud is installed, patched, patched badly and taken back, on this machine, while clients use it.
 * Every command is one that can be typed. Ends with the cloud running; exit code 1 where a promise was broken.
 */
import { relative, resolve } from 'node:path';
import picocolors from 'picocolors';
import { beginAnew } from './begin-anew.ts';
import { programLine, repository, runProgram } from './run-program.ts';
import { saySeen } from './say-seen.ts';
import { type ClientsOf, type Seen, WalkClients } from './walk-clients.ts';

const { bold, green, red } = picocolors;
const stateFolder = resolve(process.argv[2] ?? `${repository}/.afloat`);
const shownFolder = relative(repository, stateFolder).startsWith('..')
  ? stateFolder
  : `$PWD/${relative(repository, stateFolder)}`;
const stop = new AbortController();
const clients = new WalkClients();
const began = performance.now();

/** The walk ends here, with what is to be said of it. */
class WalkEnd extends Error {}

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Ends the walk where a promise does not hold; says so where it does. */
function promise(holds: boolean, words: string, broken: string): void {
  if (!holds) throw new WalkEnd(`A promise is broken: ${words}. ${broken}`);
  say(green(`  ok  ${words}`));
}

async function run(...words: string[]): Promise<number> {
  const code = await runProgram(words, { environment: { AFLOAT_STATE: stateFolder }, signal: stop.signal });
  if (stop.signal.aborted) throw new WalkEnd('Stopped.');
  return code;
}

async function runWell(...words: string[]): Promise<void> {
  const code = await run(...words);
  if (code !== 0) throw new WalkEnd(`It ended with exit code ${code}: ${programLine(words)}`);
}

let steps = 0;
function heading(title: string, text: string): void {
  steps += 1;
  say(`\n${bold(`== ${steps}. ${title} ==`)}\n${text}`);
}

/** What clients saw in the step that ends here. */
function look(): ReadonlyMap<ClientsOf, Seen> {
  const seen = clients.since();
  say(`\n${saySeen(seen)}`);
  return seen;
}

function noneFailed(seen: ReadonlyMap<ClientsOf, Seen>, of: readonly ClientsOf[]): void {
  for (const name of of) {
    const { requests = 0, failed = 0, lastFailure = '' } = seen.get(name) ?? {};
    promise(requests > 0 && failed === 0, `no request to ${name} failed`, lastFailure);
  }
}

function serves(seen: ReadonlyMap<ClientsOf, Seen>, name: ClientsOf, version: string): void {
  const last = seen.get(name)?.lastVersion;
  promise(last === version, `${name} ${version} serves`, `The last answer came from ${last ?? 'nobody'}.`);
}

async function allThere(of: readonly ClientsOf[]): Promise<void> {
  for (const name of of) {
    const { checked, lost } = await clients.checkWrites(name);
    const words = `${checked - lost.length} of ${checked} acknowledged writes to ${name} are there, as written`;
    promise(checked > 0 && lost.length === 0, words, lost[0] ?? 'Nothing was written.');
  }
}

async function install(): Promise<void> {
  heading(
    'Install',
    'A cloud of four services: a database, identity, image, compute. As soon as a service serves, clients use it.',
  );
  await runWell('up', '--detach');
  const atWork = clients.begin(stateFolder);
  await runWell('apply', 'examples/walk/1-install.yaml', '--wait');
  await atWork;
  noneFailed(look(), ['identity', 'image']);
}

async function upgrades(): Promise<void> {
  heading(
    'Upgrade identity, bluegreen',
    'One line of the record changed. The new version comes up beside the old one, is tested, and takes the traffic.',
  );
  await runWell('apply', 'examples/walk/2-identity-patched.yaml', '--wait');
  const blueGreen = look();
  serves(blueGreen, 'identity', '1.0.1');
  noneFailed(blueGreen, ['identity', 'image']);
  heading(
    'Upgrade image, rolling',
    'One part of its processes after the other is drained, replaced, tested and given traffic again.',
  );
  await runWell('apply', 'examples/walk/3-image-patched.yaml', '--wait');
  const rolling = look();
  serves(rolling, 'image', '1.0.1');
  noneFailed(rolling, ['identity', 'image']);
}

/** The exit code that says: a change failed and was taken back. */
const undone = 6;

async function badUpgrade(): Promise<void> {
  heading(
    'Upgrade image to a bad build, recreate',
    'Its migration damages the database, and it cannot run beside the old version: clients must wait, and the plan said so. Data is\n' +
      'backed up, the migration runs, the test fails; then data and software go back by themselves.',
  );
  const code = await run('apply', 'examples/walk/4-image-bad.yaml', '--wait');
  const seen = look();
  promise(code === undone, 'the change was taken back by itself', `Exit code ${code}.`);
  serves(seen, 'image', '1.0.1');
  noneFailed(seen, ['identity']);
  const served = Object.keys(seen.get('image')?.byVersion ?? {});
  promise(!served.includes('1.2.0'), 'no client ever reached the bad build', `Answered: ${served}.`);
  await allThere(['image']);
}

async function rollBack(): Promise<void> {
  heading(
    'Roll identity back, because somebody says so',
    'The old version is still kept: traffic moves back to it. The record is not changed; identity is held against it.',
  );
  await runWell('rollback', 'identity', '--yes', '--wait');
  const seen = look();
  serves(seen, 'identity', '1.0.0');
  noneFailed(seen, ['identity', 'image']);
}

async function lastLook(): Promise<void> {
  heading('At the end', 'The clients stop, and read back all that they were ever told is written.');
  await clients.stop();
  await allThere(['identity', 'image']);
  await runWell('status');
}

function sayNext(): void {
  const tries = [
    [['status'], 'who serves, what is held, what to do'],
    [['watch'], 'follow a change while it runs'],
    [['history'], 'what happened, and the revisions one can go back to'],
    [['logs', 'image', '--task', 'test'], 'why the bad build was taken back'],
    [['retry', 'identity'], 'release the hold: the patch is rolled out again'],
    [['rollback', 'identity', '--yes'], 'and taken back again'],
    [['plan', 'examples/cloud.yaml'], 'a plan, before anything is done'],
    [['down', '--all', '--yes'], 'end every process of this cloud'],
  ] as const;
  const lines = tries.map(([words, does]) => `  ${programLine(words).padEnd(50)} # ${does}`);
  say(`\n${bold('The cloud runs on. To try next:')}\n\n  export AFLOAT_STATE=${shownFolder}`);
  say(lines.join('\n'));
}

const sayHowToEnd = () =>
  say(
    `What runs goes on. To take it down:  AFLOAT_STATE=${shownFolder} ${programLine(['down', '--all', '--yes'])}`,
  );

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

try {
  const refused = await beginAnew(stateFolder, say);
  if (refused !== undefined) throw new WalkEnd(refused);
  for (const step of [install, upgrades, badUpgrade, rollBack, lastLook]) await step();
  say(`\nThe walk took ${Math.round((performance.now() - began) / 1000)} s.`);
  sayNext();
} catch (error) {
  await clients.stop();
  say(red(`\n${error instanceof WalkEnd ? error.message : String(error)}`));
  sayHowToEnd();
  process.exitCode = stop.signal.aborted ? 130 : 1;
}
