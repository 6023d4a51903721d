import { expect, it } from 'vitest';
import { MasterCli, readProcesses } from './master-cli.ts';

const head = '#<PID>          <type>          <reloads>       <uptime>        <version>      \n';

it.each([
  [
    'one worker',
    '2402            master          0 [failed: 0]   0d00h00m02s     2.6.12\n# workers\n2488            worker          0               0d00h00m02s     2.6.12\n# programs\n\n',
    { reloads: 0, hasFailed: false, workers: [2488] },
  ],
  [
    'old workers, the one that takes connections first',
    '2402            master          3 [failed: 0]   0d00h00m02s     2.6.12\n# workers\n30              worker          0               0d00h00m02s     2.6.12\n# old workers\n10              worker          3               0d00h00m09s     2.6.12\n20              worker          1               0d00h00m05s     2.6.12\n',
    { reloads: 3, hasFailed: false, workers: [30, 20, 10] },
  ],
  [
    'a reload that failed',
    '2402            master          2 [failed: 1]   0d00h00m25s     2.6.12\n# workers\n3165            worker          1               0d00h00m17s     2.6.12\n',
    { reloads: 2, hasFailed: true, workers: [3165] },
  ],
])('reads %s', (_, text, wanted) => {
  expect(readProcesses(head + text)).toEqual(wanted);
});

it('is told by a worker that is asked in place of the master', () => {
  expect(() => readProcesses('Unknown command: show proc\n')).toThrow(
    expect.objectContaining({ reason: 'Invalid' }),
  );
});

it.each(['/nowhere/master.sock', '127.0.0.1:1'])('says where nobody answers: %s', async socket => {
  await expect(new MasterCli(socket).processes()).rejects.toMatchObject({
    reason: 'Unreachable',
    message: expect.stringContaining(socket),
  });
});
