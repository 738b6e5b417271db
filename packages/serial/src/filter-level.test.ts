import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { LineSearch } from './search.ts';
import { receivedChannel, utf8 } from './testing/line-channels.ts';

const clock = new VirtualClock();

describe('filter by level', () => {
  const lines = {
    error: [
      'E (20-02-02 00:00:00.100) x: y',
      '\x1b[0;31mE x: y\x1b[0m',
      '[00:00:01.250,000] <err> app: y',
      'uart:~$ \x1b[8D\x1b[J[00:00:01.250,000] \x1b[1;31m<err> app: y\x1b[0m',
      '\x1b[0;31m[  1234][E][main.cpp:12] loop(): y\x1b[0m',
    ],
    warning: ['W (1) x: y', '[12:34:56][W][component:214]: y'],
    info: ['I (12:00:00.000) x: y', '<info> app: y'],
  };

  it.each(['error', 'warning', 'info'] as const)('finds %s in the log of every system', (level) => {
    const channel = receivedChannel(8_192);
    const all = [...lines.error, ...lines.warning, ...lines.info, 'I am: here', 'D (1) x: y', '\x1b[31mred\x1b[0m'];
    channel.append(utf8(all.map((line) => `${line}\n\r`).join('')), 0);
    const filter = new LineSearch(clock, [channel], { terms: [], levels: [level] });
    while (filter.step());
    expect([...filter.sequences()].map((sequence) => all[sequence])).toEqual(lines[level]);
  });
});
