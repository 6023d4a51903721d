/**
 * The program.
 *
 * In: the words of a command line. Out: text for people or programs, and an exit code that means something. Never:
 * decides anything itself; a command parses, calls and prints.
 */
import { calledAs } from './called-as.ts';
import { exitCodes } from './exit-codes.ts';
import { processTerminal } from './process-terminal.ts';
import { runProgram } from './program.ts';

// A reader that went away (`| head`) is no failure, and the exit code still tells how it went. A full disk is one.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return;
    if (stream === process.stdout)
      process.stderr.write(`afloat: the output cannot be written: ${error.message}\n`);
    process.exit(exitCodes.failed.code);
  });
}

const [, path = '', ...words] = process.argv;
const called = calledAs(path);
const terminal = await processTerminal(words);
if (called.is === 'completion') (await import('./complete-words.ts')).printCompletion(words, terminal);
else process.exitCode = exitCodes[await runProgram(words, terminal, called.name)].code;
