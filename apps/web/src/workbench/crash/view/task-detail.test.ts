import type { ReportedTask } from '@wirebench/symbols';
import { describe, expect, it } from 'vitest';
import { stackRows } from './task-detail.tsx';

const frame = { source: 'registers', sp: 0x3fc9_4b14, frameEnd: null, registers: [] } as const;
const task: ReportedTask = {
  tcb: 0x3fc9_0000,
  name: 'sensors',
  priority: 5,
  crashed: true,
  stack: null,
  frames: [
    { ...frame, pc: 0x4200_8a3c, places: [{ name: 'slot_value', file: 'main/filter.h', line: 22, variables: [] }] },
    { ...frame, pc: 0x4038_a1f2, source: 'scan', places: [] },
  ],
  end: 'corrupt',
  memory: { address: 0x3fc9_4b10, bytes: Uint8Array.from({ length: 40 }, (_, index) => 0x3f + index) },
};

describe('stack of a task', () => {
  it('has the stack in rows of four words, with the functions whose frames begin there', () => {
    expect(stackRows(task)).toEqual([
      {
        address: 0x3fc9_4b10,
        words: [0x4241_403f, 0x4645_4443, 0x4a49_4847, 0x4e4d_4c4b],
        text: '?@ABCDEFGHIJKLMN',
        frames: ['slot_value', '0x4038A1F2'],
      },
      {
        address: 0x3fc9_4b20,
        words: [0x5251_504f, 0x5655_5453, 0x5a59_5857, 0x5e5d_5c5b],
        text: 'OPQRSTUVWXYZ[\\]^',
        frames: [],
      },
    ]);
  });
});
