import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogStream } from './log-stream.ts';
import { byTime, inTurn } from './merged-logs.ts';
import { fileOf, textOf } from './testing/log-files.ts';

const form = { encoding: 'utf-8', program: 'tio', withPorts: false, mark: 0 } as const;
const line = (time: number, text: string) => `[${new Date(time).toISOString().slice(11, 23)}] ${text}\n`;

async function read(logs: readonly string[], way: typeof byTime, sliceBytes = 30): Promise<string[]> {
  const streams = logs.map((text) => new LogStream(fileOf(text), form, { sliceBytes }));
  const lines: string[] = [];
  for await (const { log, pieces } of way(streams)) {
    lines.push(...pieces.map((piece) => `${log} ${textOf([piece]).trimEnd()}`));
  }
  return lines;
}

describe('two logs', () => {
  const first = `${line(1_000, 'a')}${line(3_000, 'c')}goes on\n`;
  const second = `no time yet\n${line(2_000, 'b')}${line(3_000, 'd')}`;

  it('are one timeline by their times', async () => {
    expect(await read([first, second], byTime)).toEqual(['1 no time yet', '0 a', '1 b', '0 c', '0 goes on', '1 d']);
  });

  it('are read one after the other without times', async () => {
    expect(await read([first, second], inTurn)).toEqual(['0 a', '0 c', '0 goes on', '1 no time yet', '1 b', '1 d']);
  });

  it('keep every line and the order of each, whatever their times are', async () => {
    const times = fc.array(fc.nat(43_199_999), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(times, times, fc.integer({ min: 1, max: 100 }), async (ones, others, sliceBytes) => {
        const logs = [ones, others].map((all) => all.map((time, index) => line(time, String(index))).join(''));
        const merged = await read(logs, byTime, sliceBytes);
        for (const [log, all] of [ones, others].entries()) {
          const own = merged.filter((text) => text.startsWith(`${log} `));
          expect(own).toEqual(all.map((_, index) => `${log} ${index}`));
        }
        expect(merged).toHaveLength(ones.length + others.length);
      }),
    );
  });
});
