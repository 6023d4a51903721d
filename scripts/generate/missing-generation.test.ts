import { expect, test } from 'vitest';
import { schemaGenerations } from '../../src/api/schema-generations.ts';
import { missingGeneration } from './missing-generation.ts';

test('the schemas as they are now are the newest generation, and none is there twice', () => {
  expect(missingGeneration(), missingGeneration()).toBeUndefined();
  expect(new Set(schemaGenerations).size).toBe(schemaGenerations.length);
});

test('a person who changed a schema is given the line to add', () => {
  expect(missingGeneration('sha256:b', ['sha256:b', 'sha256:a'])).toContain("'sha256:b',");
  expect(missingGeneration('sha256:b', ['sha256:a', 'sha256:b'])).toBeUndefined();
});
