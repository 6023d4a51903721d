import { expect, test } from 'vitest';
import { startErrorMessage } from './start-error.ts';

const start = 'unable to start container process: ';

test.each([
  [
    'failed to execute nosuch: No such file or directory',
    'nosuch',
    'exec: "nosuch": executable file not found in $PATH',
  ],
  [
    'failed to execute /a/b: No such file or directory',
    '/a/b',
    'exec: "/a/b": stat /a/b: no such file or directory',
  ],
  ['failed to execute /a/b: Permission denied', '/a/b', 'exec: "/a/b": permission denied'],
  ['/s/shim: 12: exec: setsid: not found', 'x', '/s/shim: 12: exec: setsid: not found'],
  [
    "cannot chdir to '/w': No such file or directory",
    'x',
    'chdir to cwd ("/w") set in config.json failed: no such file or directory',
  ],
  ['mount: /a: special device /b does not exist.', 'x', 'mount: /a: special device /b does not exist.'],
])('"%s" is told as on a cluster', (said, program, want) => {
  expect(startErrorMessage(`${said}\n`, program)).toBe(start + want);
});
