import { expect, test } from 'vitest';
import { sharedText } from './shared-text.ts';

test('the text of a frozen object is made once, however many ask for it', () => {
  let made = 0;
  const object = Object.freeze({
    toJSON() {
      made += 1;
      return { name: 'a' };
    },
  });
  expect([sharedText(object), sharedText(object)]).toEqual(['{"name":"a"}', '{"name":"a"}']);
  expect(made).toBe(1);
});

test('what may still change is written anew each time', () => {
  const object = { name: 'a' };
  expect(sharedText(object)).toBe('{"name":"a"}');
  object.name = 'b';
  expect(sharedText(object)).toBe('{"name":"b"}');
});

test('of many objects each has its own text, also of those that are kept no longer', () => {
  const objects = Array.from({ length: 200 }, (_, number) => Object.freeze({ number }));
  const texts = () => objects.map(object => sharedText(object));
  const plain = objects.map(object => JSON.stringify(object));
  expect(texts()).toEqual(plain);
  expect(texts()).toEqual(plain);
});
