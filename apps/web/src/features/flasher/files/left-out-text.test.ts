import { describe, expect, it } from 'vitest';
import { leftOutGroups } from './left-out-text.ts';

describe('text about skipped files', () => {
  it('names each reason once', () => {
    const objects = Array.from({ length: 1_240 }, (_, index) => ({ name: `part-${index}.obj`, why: 'Not flashed.' }));
    expect(leftOutGroups([...objects, { name: 'notes.txt', why: 'Text files are not flashed.' }])).toEqual([
      { names: 'part-0.obj, part-1.obj, part-2.obj and 1237 more', why: 'Not flashed.' },
      { names: 'notes.txt', why: 'Text files are not flashed.' },
    ]);
  });

  it('names a file once that lies in many folders', () => {
    const lists = ['a', 'b'].map(() => ({ name: 'CMakeLists.txt', why: 'Not flashed.' }));
    expect(leftOutGroups(lists)).toEqual([{ names: 'CMakeLists.txt', why: 'Not flashed.' }]);
  });
});
