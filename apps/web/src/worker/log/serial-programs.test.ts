/**
 * Logs that tio, minicom and picocom of Debian write of the same crash: each opens with its lines and times, its crash and
 * its core dump. Runs if the programs are installed.
 */
import { spawnSync } from 'node:child_process';
import { crashText } from '@wirebench/devices';
import { readCoreDump } from '@wirebench/symbols';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OpenedLogs } from './testing/opened-logs.ts';
import { areHere, SerialProgram } from './testing/serial-program.ts';

const last = 'the end of the log';
const sent = `${crashText('null', 4_200)}${last}\r\n`;
/** Text without carriage returns and colours, which minicom interprets before it writes. */
const plain = (bytes: Uint8Array) => {
  const text = new TextDecoder().decode(bytes).replaceAll('\r', '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes them
  return text.replaceAll(/\u001b\[[\d;]*m/g, '');
};
/** Ctrl+A and N, which in minicom choose the next kind of times. */
const nextTimes = '\u0001n';
const simpleTimes = { after: 'help on special keys', keys: nextTimes };
const extendedTimes = { after: 'Timestamp every line (simple)', keys: nextTimes };

describe.runIf(areHere('tio', 'minicom', 'picocom', 'socat', 'script'))(
  'a log written by',
  { timeout: 120_000 },
  () => {
    let program: SerialProgram;
    let opened: OpenedLogs;
    beforeEach(() => {
      program = new SerialProgram();
      opened = new OpenedLogs();
    });
    afterEach(async () => {
      program.dispose();
      await opened.dispose();
    });

    it.each([
      ['tio', 'tio -t -l --log-file LOG PORT', [], 'tio'],
      ['tio, from its start', 'tio -t --timestamp-format 24hour-start -l --log-file LOG PORT', [], 'tio'],
      [
        'tio, since the previous line',
        'tio -t --timestamp-format 24hour-delta -l --log-file LOG PORT',
        [],
        'tio-delta',
      ],
      ['tio, with dates', 'tio -t --timestamp-format iso8601 -l --log-file LOG PORT', [], 'tio-date'],
      ['tio, without times', 'tio -l --log-file LOG PORT', [], null],
      ['minicom', 'minicom -o -b 115200 --capturefile-buffer-mode=N -D PORT -C LOG', [], null],
      [
        'minicom, with times',
        'minicom -o -b 115200 --capturefile-buffer-mode=N -D PORT -C LOG',
        [simpleTimes],
        'minicom',
      ],
      [
        'minicom, with milliseconds',
        'minicom -o -b 115200 --capturefile-buffer-mode=N -D PORT -C LOG',
        [simpleTimes, extendedTimes],
        'minicom',
      ],
      ['picocom', 'picocom -q -b 115200 --logfile LOG PORT', [], null],
    ])('%s opens with every line, its crash and its core dump', async (_, command, typed, wanted) => {
      const before = Date.now();
      await program.start(command, typed);
      const file = await program.receive(new TextEncoder().encode(sent), last);
      await opened.open(file, 'a.log', Date.now());
      await vi.waitFor(() => expect(opened.first).toMatchObject({ program: wanted, size: file.length }));
      const received = plain(await opened.raw());
      expect(received.slice(received.lastIndexOf('probe\n') + 'probe\n'.length)).toBe(
        plain(new TextEncoder().encode(sent)),
      );
      if (wanted === 'tio' || wanted === 'tio-date' || wanted === 'minicom') {
        const times = (await opened.rows()).map((row) => Number(row.split(' ')[0])).filter((at) => !Number.isNaN(at));
        expect(times.toSorted((a, b) => a - b)).toEqual(times);
      }
      if (wanted === 'tio-date' || wanted === 'minicom') {
        const at = Number((await opened.rows()).at(-1)?.split(' ')[0]);
        expect(at).toBeGreaterThanOrEqual(Math.floor(before / 1_000) * 1_000);
        expect(at).toBeLessThanOrEqual(Date.now());
      }
      if (wanted === null) {
        expect(await opened.raw()).toEqual(file);
      }
      await vi.waitFor(async () => expect(await opened.bench.call('incidents')).toHaveLength(1));
      await vi.waitFor(async () => expect(await opened.bench.call('logDumps')).toHaveLength(1));
      const [dump] = await opened.bench.call('logDumps');
      const text = await opened.bench.call('logDumpText', dump?.id ?? 0);
      expect((await readCoreDump(new TextEncoder().encode(text ?? ''))).tasks).toHaveLength(3);
    });
  },
);

describe.runIf(areHere('ts'))('a log written by ts', () => {
  it.each([
    ['with its default', 'ts', 'syslog'],
    ['with a fraction', 'ts %H:%M:%.S', 'coolterm'],
    ['with seconds since 1970', 'ts %.s', 'epoch'],
    ['with ISO 8601', 'ts %FT%T%z', 'iso'],
    ['since its start', 'ts -s %H:%M:%.S', 'coolterm'],
  ])('%s opens with the time of each line', async (_, command, program) => {
    const before = Date.now();
    const lines = Array.from({ length: 20 }, (__, index) => `echo line ${index}; sleep 0.02`).join('; ');
    const { stdout } = spawnSync('sh', ['-c', `(${lines}) | ${command}`]);
    const opened = new OpenedLogs();
    await opened.open(stdout, 'a.log', Date.now());
    await vi.waitFor(() => expect(opened.first).toMatchObject({ program }));
    const rows = await opened.rows();
    expect(rows.map((row) => row.split(' ').slice(3).join(' '))).toEqual(
      Array.from({ length: 20 }, (__, index) => `line ${index}`),
    );
    const times = rows.map((row) => Number(row.split(' ')[0]));
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    if (!command.includes('-s')) {
      expect(times[0]).toBeGreaterThanOrEqual(Math.floor(before / 1_000) * 1_000);
      expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
    }
    await opened.dispose();
  });

  it('since the previous line opens with the sum of its times', async () => {
    const lines = Array.from(
      { length: 20 },
      (_, index) => `echo line ${index}; sleep 0.0${1 + ((index * 7) % 5)}`,
    ).join('; ');
    const { stdout } = spawnSync('sh', ['-c', `(${lines}) | ts -i %H:%M:%.S`]);
    const opened = new OpenedLogs();
    await opened.open(stdout, 'a.log', Date.now());
    await vi.waitFor(() => expect(opened.first).toMatchObject({ program: 'ts-delta', date: null }));
    await opened.dispose();
  });
});
