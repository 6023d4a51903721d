import { describe, expect, it } from 'vitest';
import { mirrorOf, sourcesOf } from './debian-mirror.ts';

const sites = [
  'http://packages.example.org/other',
  'http://mirror.example.org/debian/',
  'http://mirror.example.org/debian-security',
];

describe('the mirror of Debian', () => {
  it('is the one that this machine uses, whatever else it names', () => {
    expect(mirrorOf(sites)).toEqual({
      main: 'http://mirror.example.org/debian',
      security: 'http://mirror.example.org/debian-security',
    });
  });

  it('is missed with a word on what to do', () => {
    expect(() => mirrorOf(['http://packages.example.org/other'])).toThrow('add one to its sources');
  });

  it('brings security updates only where they are wanted', () => {
    const mirror = mirrorOf(sites);
    expect(sourcesOf(mirror, { suite: 'trixie' })).toBe('deb http://mirror.example.org/debian trixie main\n');
    expect(sourcesOf(mirror, { suite: 'bookworm', security: true })).toBe(
      'deb http://mirror.example.org/debian bookworm main\ndeb http://mirror.example.org/debian-security bookworm-security main\n',
    );
    expect(() => sourcesOf({ ...mirror, security: undefined }, { suite: 'trixie', security: true })).toThrow(
      'security updates',
    );
  });
});
