import { describe, expect, it } from 'vitest';
import { digestBytes, digestJson, shortDigest } from './digest.ts';

const ofNothing = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

describe('digestBytes', () => {
  it('is the SHA-256 everybody knows', () => expect(digestBytes('')).toBe(ofNothing));

  it('takes text as UTF-8', () => {
    expect(digestBytes('ä')).toBe(digestBytes(new Uint8Array([0xc3, 0xa4])));
  });
});

describe('digestJson', () => {
  it('does not depend on the order of keys', () => {
    expect(digestJson({ a: 1, b: [2] })).toBe(digestJson({ b: [2], a: 1 }));
  });

  it.each([
    { name: 'a changed value', other: { a: 2 } },
    { name: 'a number written as text', other: { a: '1' } },
    { name: 'one more key', other: { a: 1, b: null } },
    { name: 'the value in a list', other: [{ a: 1 }] },
  ])('tells $name apart', ({ other }) => expect(digestJson(other)).not.toBe(digestJson({ a: 1 })));
});

describe('shortDigest', () => {
  it('is twelve digits without the name of the method', () =>
    expect(shortDigest(ofNothing)).toBe('e3b0c44298fc'));
});
