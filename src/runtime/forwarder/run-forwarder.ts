/**
 * The program that forwards: `<program> <state folder> <digest of the program> [take-over]`. It is started by a manager and goes on
 * without one; it ends when another of its kind has the folder, when it has handed its ports over and its last connection has
 * ended, where there is no table any more, or by SIGTERM.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../cluster/clock.ts';
import { claim } from './claim.ts';
import { Forwarder } from './forwarder.ts';
import { type ForwarderFiles, forwarderFiles, removeReport } from './forwarder-files.ts';
import { ownIdentity } from './forwarder-identity.ts';
import type { ForwarderProgram } from './forwarding-table.ts';
import { handOver, receivePorts, takeOverWord, tellTaken } from './hand-over.ts';

const [, , stateFolder = '', digest = '', word] = process.argv;

/** Exit codes: a person who looks into it may want to know. */
const exits = { ended: 0, notMine: 3 };
const handOverAgainMilliseconds = 5000;

// A fault in one connection must not end those of all others.
process.on('uncaughtException', error => log(`goes on after: ${error.stack ?? error}`));
process.on('unhandledRejection', error => log(`goes on after: ${error}`));

await run(forwarderFiles(stateFolder), ownIdentity());

async function run(files: ForwarderFiles, identity: string): Promise<void> {
  const forwarder = new Forwarder(files, { identity, program: digest }, systemClock);
  const end = (code: number) => {
    forwarder.stop();
    removeReport(files, identity);
    process.exit(code);
  };
  process.on('SIGTERM', () => end(exits.ended));
  process.on('SIGHUP', () => {}); // the terminal that a manager was started from is closed
  process.on('SIGINT', () => {});
  forwarder.onEmpty = () => end(exits.ended);
  if (word === takeOverWord) {
    const { ports, from } = await receivePorts();
    await forwarder.start(ports);
    if (!claim(files, identity, from)) end(exits.notMine);
    tellTaken();
  } else {
    if (!claim(files, identity)) end(exits.notMine);
    // Who takes a folder down removes its table before it looks for a claim: one of both sees the other.
    if (!existsSync(files.table)) end(exits.notMine);
    await forwarder.start();
  }
  log(`forwards as process ${process.pid}`);
  await giveWay(forwarder, files, identity);
}

/** Waits for a table that names another program, and lets that one take over. */
async function giveWay(forwarder: Forwarder, files: ForwarderFiles, identity: string): Promise<void> {
  for (;;) {
    const program = await nextProgram(forwarder);
    log(`hands over to ${program.command.join(' ')}`);
    if (await handOver(forwarder, files, program, identity)) break;
    forwarder.handOverProblem =
      'the program that is to take over does not start; see the log beside the table';
    await sleep(handOverAgainMilliseconds);
  }
  log('was relieved, and finishes what it has');
  forwarder.retire();
}

/** A program that shall forward and is not this one. */
function nextProgram(forwarder: Forwarder): Promise<ForwarderProgram> {
  return new Promise(resolve => {
    forwarder.onTable = () => {
      const { program } = forwarder;
      if (program && program.digest !== digest) resolve(program);
    };
    forwarder.onTable();
  });
}

function log(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}
