import { spawn } from 'node:child_process';
import { systemPath } from '../program-lead.ts';

/** What a program of the system answered. */
export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the system to its end; one that does not end in 20 seconds is ended. */
export function runProgram(command: readonly string[], input = ''): Promise<Answer> {
  const [program = '', ...args] = command;
  return new Promise(resolve => {
    const child = spawn(program, args, { env: { PATH: systemPath }, timeout: 20_000, killSignal: 'SIGKILL' });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text;
    });
    // A program that ends before it has read everything: its code says why.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', error => resolve({ code: 127, stdout, stderr: error.message }));
    child.on('close', code => resolve({ code: code ?? 137, stdout, stderr: stderr.trim() }));
  });
}
