/**
 * The program.
 *
 * In: the words of a command line. Out: text for people or programs, and an exit code that means something. Never:
 * decides anything itself; a command parses, calls and prints.
 */
import { exitCodes } from './exit-codes.ts';
import { processTerminal } from './process-terminal.ts';
import { runProgram } from './program.ts';

// A reader that went away (`| head`) is no failure.
process.stdout.on('error', error => {
  if ('code' in error && error.code === 'EPIPE') process.exit(exitCodes.ok.code);
  throw error;
});

const words = process.argv.slice(2);
const exit = await runProgram(words, await processTerminal(words));
process.exitCode = exitCodes[exit].code;
