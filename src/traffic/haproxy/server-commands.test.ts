import { describe, expect, it } from 'vitest';
import type { WantedServer } from './haproxy-text.ts';
import { serverCommands } from './server-commands.ts';
import { readStat, takesRequests } from './stat-rows.ts';

/** Columns as HAProxy 2.6 writes them, cut to some, with some that nobody reads. */
const stat = `# pxname,svname,qcur,qmax,scur,stot,econ,eresp,status,weight,hrsp_5xx,addr,
n:w:80:in,FRONTEND,,,0,0,,,OPEN,,0,,
n:w:80,blue-1,1,4,2,30,1,2,UP,9,3,10.0.0.1:8080,
n:w:80,green-1,0,0,0,0,0,0,MAINT,1,0,10.0.0.2:8080,
n:w:80,BACKEND,0,0,2,30,0,0,UP,9,3,,

`;

const check = 'check inter 2s fastinter 500ms fall 2 rise 1';
const wanted = (name: string, address: string, weight: number): WantedServer => ({
  name,
  address,
  port: 8080,
  weight,
});
const commands = (...servers: WantedServer[]) =>
  serverCommands(
    [{ name: 'n:w:80', frontend: 'n:w:80:in', bind: '', mode: 'http', servers }],
    readStat(stat),
  );

describe('what HAProxy says', () => {
  it('is read by the names of its columns', () => {
    const [, blue, green] = readStat(stat);
    expect(blue).toEqual({
      ...{ proxy: 'n:w:80', name: 'blue-1', status: 'UP', weight: 9, address: '10.0.0.1:8080' },
      ...{ inFlight: 3, requests: 30, errors: 6 },
    });
    expect([blue, green].map(row => row && takesRequests(row))).toEqual([true, false]);
  });

  it('may be nothing', () => {
    expect(readStat('')).toEqual([]);
  });
});

describe('commands', () => {
  it('are none where all is as wanted but for what is out of use', () => {
    expect(commands(wanted('blue-1', '10.0.0.1', 9), wanted('green-1', '10.0.0.2', 1))).toEqual({
      making: ['enable health n:w:80/green-1', 'enable server n:w:80/green-1'],
      weighing: [],
      removing: [],
    });
  });

  it('give to one before they take from the other', () => {
    const { weighing } = commands(wanted('blue-1', '10.0.0.1', 0), wanted('green-1', '10.0.0.2', 7));
    expect(weighing).toEqual(['set server n:w:80/green-1 weight 7', 'set server n:w:80/blue-1 weight 0']);
  });

  it('make what is new, move what has another address, and take away what is gone', () => {
    expect(commands(wanted('blue-1', '10.0.0.5', 9), wanted('blue-2', 'fd00::1', 9))).toEqual({
      making: [
        'set server n:w:80/blue-1 addr 10.0.0.5 port 8080',
        `add server n:w:80/blue-2 [fd00::1]:8080 weight 9 ${check}`,
        'enable health n:w:80/blue-2',
        'enable server n:w:80/blue-2',
      ],
      weighing: [],
      removing: ['del server n:w:80/green-1'],
    });
  });

  it('stop new requests to what is gone before it is taken away', () => {
    expect(commands().removing).toEqual([
      ...['disable server n:w:80/blue-1', 'del server n:w:80/blue-1', 'del server n:w:80/green-1'],
    ]);
  });

  it('are none for a worker that does not have the backend', () => {
    const backend = {
      name: 'n:w:81',
      frontend: '',
      bind: '',
      mode: 'http' as const,
      servers: [wanted('b-1', '10.0.0.1', 1)],
    };
    expect(serverCommands([backend], readStat(stat))).toEqual({ making: [], weighing: [], removing: [] });
  });
});
