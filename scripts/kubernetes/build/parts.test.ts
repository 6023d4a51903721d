import { describe, expect, test } from 'vitest';
import {
  controlPlaneParts,
  controlPlanePrograms,
  nodeParts,
  nodePrograms,
  type Part,
  parts,
} from './parts.ts';

const rows: readonly Part[] = Object.values(parts);

describe('the table of parts', () => {
  test('calls every row by its name', () => {
    for (const [key, part] of Object.entries(parts)) expect(part.name).toBe(key);
  });

  test('pins exact versions, as Go writes them', () => {
    for (const part of rows) expect(part.version).toMatch(/^v\d+\.\d+\.\d+$/);
    expect(parts.kubernetes.stagingVersion).toBe(parts.kubernetes.version.replace(/^v1/, 'v0'));
  });

  test('gives each program to one part', () => {
    const names = rows.flatMap(part => Object.keys(part.programs));
    expect(new Set(names).size).toBe(names.length);
  });

  test('has all that a control plane needs', () => {
    const built = controlPlaneParts.flatMap(part => Object.keys(part.programs));
    expect(built.sort()).toEqual([...controlPlanePrograms].sort());
  });

  test('has all that a node needs beside it', () => {
    const built = nodeParts.flatMap(part => Object.keys(part.programs));
    expect(built.sort()).toEqual([...nodePrograms].sort());
  });
});
