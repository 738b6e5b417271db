/** Core dumps of the log that the user opens. */
import { coreElf, printed, riscvStatus } from '@wirebench/symbols/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBench } from '../testing/fake-bench.ts';
import { readLogDump } from './log-dump.ts';
import { coreDumpOf, newestCoreDump, removeCoreDump } from './symbol-files.ts';
import { SymbolThread } from './testing/symbol-thread.ts';

const call = fakeBench();

const place = { port: 1, at: 1_000, from: 7 } as const;
const text = printed(coreElf({ machine: 243, notes: [riscvStatus(0x3fc9_1000, [0x4200_8a3c])], memory: [] }));

beforeEach(() => {
  vi.stubGlobal('Worker', SymbolThread);
  call.mockReset();
});
afterEach(() => vi.unstubAllGlobals());

it('a core dump that is opened twice while its lines are read exists once', async () => {
  call.mockResolvedValue(text);
  const [first, second] = await Promise.all([readLogDump(place), readLogDump(place)]);
  expect(first).toBe(newestCoreDump());
  expect(second).toBe(first);
  removeCoreDump(first ?? 0);
  expect(coreDumpOf(place)).toBeNull();
});

it('a core dump without its first lines is not opened', async () => {
  call.mockResolvedValue(null);
  expect(await readLogDump(place)).toBeNull();
  expect(newestCoreDump()).toBeNull();
});
