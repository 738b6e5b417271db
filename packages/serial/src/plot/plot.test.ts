import { VirtualClock } from '@wirebench/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { receivedChannel, utf8 } from '../testing/line-channels.ts';
import { connected, testRig } from '../testing/test-rig.ts';
import type { LineReadings } from './line-reader.ts';
import { unitInName } from './line-reader.ts';
import type { NumberFormat } from './number-line.ts';
import { maxSeries, Plot, type PlotOptions } from './plot.ts';
import type { PlotCursorQuery } from './plot-cursor.ts';
import { curveBreak } from './plot-window.ts';
import { PointStore } from './point-store.ts';

const start = Date.UTC(2026, 10, 20, 13, 0, 0);
const clock = new VirtualClock(start);

function finish(plot: Plot): void {
  for (let steps = 0; plot.step(); steps++) {
    if (steps > 1_000) {
      throw new Error('The plot does not end');
    }
  }
}

/** Plots lines that arrive one millisecond apart. */
function plotted(lines: readonly string[], options: PlotOptions = {}): Plot {
  const channel = receivedChannel(16 * 1024 * 1024);
  lines.forEach((line, index) => {
    channel.append(utf8(`${line}\n`), start + index);
  });
  const plot = new Plot(clock, [channel], options);
  finish(plot);
  return plot;
}

const names = (plot: Plot) => plot.series.map(({ name, points }) => `${name}: ${points}`);

describe('plot', () => {
  it('makes a series of each name, and of each column', () => {
    expect(names(plotted(['a:1 b:2', 'a:3', 'b:4 a:5', 'b:6']))).toEqual(['a: 3', 'b: 3']);
    expect(names(plotted(['1,2', '3,4']))).toEqual(['Column 1: 2', 'Column 2: 2']);
    expect(names(plotted(['7', '8', 'words', '9']))).toEqual(['Value: 3']);
    expect(names(plotted(['I (1) adc: 7', 'I (2) adc: 8', 'I (3) bme: 1 2', 'I (4) bme: 3 4']))).toEqual([
      'adc: 2',
      'bme 1: 2',
      'bme 2: 2',
    ]);
  });

  it('makes a curve of each number of a name, and says which value of a line no curve has', () => {
    const acc = Array.from({ length: 4 }, (_, index) => `acc: ${index}, 29, 100157`);
    expect(names(plotted(acc))).toEqual(['acc 1: 4', 'acc 2: 4', 'acc 3: 4']);
    expect(plotted(acc).leftOutValue).toBe('');
    const dht = ['T 21, H 60', 'T 22, H 61', 'T 23, H 60'];
    expect(names(plotted(dht))).toEqual(['T: 3', 'H: 3']);
    expect(names(plotted(dht, { format: 'columns' }))).toEqual([]);
    expect(names(plotted(['Cell 1,Pack 1', '3.7,7.4', '3.8,7.6']))).toEqual(['Cell 1: 2', 'Pack 1: 2']);
    const states = plotted(['21,true', '22,false']);
    expect(names(states)).toEqual(['Column 1: 2']);
    expect(states.leftOutValue).toBe('false');
    expect(plotted(['21,true', 'words']).leftOutValue).toBe('');
  });

  it('reads lines with the NUL that ends the string of a board, behind or in front of their ending', () => {
    expect(names(plotted(['12,7\r', '\x0013,8\r', '\x0014,9\r', '\0']))).toEqual(['Column 1: 3', 'Column 2: 3']);
    const labelled = Array.from({ length: 3 }, (_, index) => `\0temp:2${index},hum:7\r`);
    expect(names(plotted(labelled))).toEqual(['temp: 3', 'hum: 3']);
    expect(names(plotted(['\0temp,hum', '\x0012,7', '\x0013,8']))).toEqual(['temp: 2', 'hum: 2']);
    expect(names(plotted(['a:1\0', 'a:2\0', '\0ESP-ROM:esp32s3-20210327', 'a:3\0', 'a:4\0', 'b:\x005']))).toEqual([]);
  });

  it('draws a sample at the time of the board that its line gives, from the first one on', async () => {
    const plot = plotted(['>AccelX:1627551892437:0.42']);
    const at = 1_627_551_892_437;
    expect(plot.series).toMatchObject([
      { name: 'AccelX', points: 1, last: 0.42, from: at, to: at, hasBoardTimes: true },
    ]);
    const csv = await new Response(new Blob([...plot.exportCsv()])).text();
    expect(csv.trimEnd().split('\r\n')[1]).toContain(`,${at}.000,0.42`);
  });

  it('keeps the distances of counts of a board, from the arrival of the first on', () => {
    const samples = ['>a:5000:1', '>b:5000:7;5250:8', '>a:5100:2;5200:3;5300:4', '>a:5400:5', 'b:9'];
    const plot = plotted(samples);
    const [a, b] = plot.series;
    expect([a?.from, a?.to]).toEqual([start, start + 400]);
    // The last value has no count, so it is drawn at its arrival, or where the curve has got to.
    expect([b?.from, b?.to]).toEqual([start, start + 250]);
    const { times, series } = plot.window({ from: start, to: start + 401, width: 401, series: [a?.id ?? 0] });
    const drawn = [...(series[0]?.values ?? [])].flatMap((value, index) =>
      Number.isFinite(value) ? [[(times[index] as number) - start, value]] : [],
    );
    expect(drawn).toEqual([
      [0, 1],
      [100, 2],
      [200, 3],
      [300, 4],
      [400, 5],
    ]);
  });

  it('places counts again when the board has started again, or does not count milliseconds', () => {
    const channel = receivedChannel(1 << 20);
    const lines = [
      [0, '>a:500000:1'],
      [10, 'ets Jul 29 2019 12:21:46'],
      [20, '>a:3:2'],
      [30, '>a:13:3'],
      [90_000, '>a:14:4'],
    ] as const;
    for (const [after, line] of lines) {
      channel.append(utf8(`${line}\n`), start + after);
    }
    const plot = new Plot(clock, [channel]);
    finish(plot);
    expect(plot.series[0]).toMatchObject({ from: start, to: start + 90_000, points: 4 });
  });

  it('takes the names of columns from a header, until there are other columns', () => {
    expect(names(plotted(['time,temp (C)', '1,2', '3,4', 'a\tb\tc', '1\t2\t3', '1\t2\t3']))).toEqual([
      'time: 2',
      'temp (C): 2',
      'a: 2',
      'b: 2',
      'c: 2',
    ]);
    expect(names(plotted(['one, two', 'something else', '1,2', '3,4']))).toEqual(['Column 1: 2', 'Column 2: 2']);
    expect(names(plotted(['one,two,three', '1,2', '3,4']))).toEqual(['Column 1: 2', 'Column 2: 2']);
  });

  it('shows no name that came once or twice, and leaves gaps where a column is empty', () => {
    expect(names(plotted(['once:1 often:1', 'often:2', 'often:3']))).toEqual(['often: 3']);
    expect(names(plotted(['1,2,3', '4,,6', '7,8,9']))).toEqual(['Column 1: 3', 'Column 2: 2', 'Column 3: 3']);
  });

  it('keeps every value in its series beside other text', () => {
    const last = (plot: Plot) => plot.series.map(({ name, points, last: value }) => `${name}: ${points}, ${value}`);
    for (const separator of [',', ' ', '\t', ';']) {
      const lines = [
        [1, 2, 3],
        [4, 'nan', 6],
        [7, '-inf', 9],
        [10, '--', 12],
        [13, 14, 15],
      ];
      expect(last(plotted(lines.map((line) => line.join(separator))))).toEqual([
        'Column 1: 5, 13',
        'Column 2: 2, 14',
        'Column 3: 5, 15',
      ]);
    }
    expect(last(plotted(['a:1 b:2', 'a:3 b:4', 'a:5 b:6', 'a:7 b:nan']))).toEqual(['a: 4, 7', 'b: 3, NaN']);
  });

  it('keeps an empty last column in the series of its header', () => {
    expect(names(plotted(['a,b,c', '1,2,', '3,4,5', '6,7,', '8,9,10']))).toEqual(['a: 4', 'b: 4', 'c: 2']);
    expect(names(plotted(['1,2,', '3,4,']))).toEqual(['Column 1: 2', 'Column 2: 2']);
  });

  it("makes series of the readings of Arduino's plotter, with blanks in their names", () => {
    for (const separator of [',', ' ', '\t']) {
      const lines = [0, 1, 2].map((count) => `Variable 1:${512 + count}${separator}Variable 2:${300 - count}`);
      expect(names(plotted(lines))).toEqual(['Variable 1: 3', 'Variable 2: 3']);
    }
  });

  it('finds a series after any number of names that came once', () => {
    const once = Array.from({ length: 1_000 }, (_, line) => `n${line}:1`);
    expect(names(plotted([...once, 'v:1', 'v:2', 'v:3']))).toEqual(['v: 3']);
  });

  it('reads lines of one form only if it is set', () => {
    const channel = receivedChannel();
    channel.append(utf8('a:1\n2,3\na:4\n5,6\na:7\n'), start);
    const found = (format: NumberFormat) => {
      const plot = new Plot(clock, [channel], { format });
      finish(plot);
      return names(plot);
    };
    expect(found('any')).toEqual(['a: 3', 'Column 1: 2', 'Column 2: 2']);
    expect(found('named')).toEqual(['a: 3']);
    expect(found('columns')).toEqual(['Column 1: 2', 'Column 2: 2']);
  });

  it('separates the series of different ports', async () => {
    const test = testRig();
    const [one, two] = [await connected(test, 1), await connected(test, 2)];
    one.receive('v:0\nv:1\nv:2\n');
    two.receive('v:2\nv:3\nv:4\n');
    await test.clock.settle();
    const all = test.bench.plot();
    finish(all);
    expect(all.series.map(({ port, name, last }) => [port, name, last])).toEqual([
      [1, 'v', 2],
      [2, 'v', 4],
    ]);
    const second = test.bench.plot({ ports: [2] });
    finish(second);
    expect(second.series).toHaveLength(1);
  });

  it('continues with new lines, once they have an end', () => {
    const channel = receivedChannel();
    const plot = new Plot(clock, [channel]);
    channel.append(utf8('a:0\na:1\na:2\na:'), start);
    finish(plot);
    expect(plot.series[0]).toMatchObject({ points: 3, last: 2 });
    channel.append(utf8('34'), start + 5);
    expect(plot.complete).toBe(true);
    channel.append(utf8('\n'), start + 6);
    expect(plot.complete).toBe(false);
    finish(plot);
    expect(plot.series[0]).toMatchObject({ points: 4, last: 34, from: start, to: start });
  });

  it('begins with the newest lines that are there', () => {
    const channel = receivedChannel(64 * 1024);
    channel.append(utf8(Array.from({ length: 100 }, (_, line) => `v:${line}\n`).join('')), start);
    const plot = new Plot(clock, [channel], { history: 10 });
    finish(plot);
    expect(plot.series[0]).toMatchObject({ points: 10, last: 99 });
    const from = new Plot(clock, [channel], { history: 0 });
    finish(from);
    expect(from.series).toEqual([]);
  });

  it('keeps every point of the lines that the log holds, and of older lines as many as are spare', () => {
    const channel = receivedChannel(64 * 1024);
    const plot = new Plot(clock, [channel], { sparePoints: 20_000 });
    const say = (from: number, to: number) => {
      for (let line = from; line < to; line++) {
        channel.append(utf8(`v:${line} w:${-line}\n`), start + line);
        if (line % 1_000 === 999) {
          finish(plot);
        }
      }
    };
    say(0, 6_000);
    // Lines have left the log. Their points have not.
    expect(channel.firstLine).toBeGreaterThan(1_000);
    expect(plot.series).toMatchObject([{ points: 6_000, dropped: 0 }, { points: 6_000 }]);
    say(6_000, 40_000);
    for (const { points, dropped, from, to, low, high } of plot.series) {
      expect(points + dropped).toBe(40_000);
      expect(dropped).toBeGreaterThan(24_000);
      expect(points).toBeGreaterThanOrEqual(channel.lines);
      expect([from, to]).toEqual([start + dropped, start + 39_999]);
      expect([Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))]).toEqual([
        dropped,
        39_999,
      ]);
    }
    const rows = [...plot.exportCsv()].map((chunk) => new TextDecoder().decode(chunk)).join('');
    expect(rows.split('\r\n')).toHaveLength((plot.series[0]?.points ?? 0) + 2);
  });

  it('keeps more than the spare points while the log holds their lines', () => {
    const lines = Array.from({ length: 10_000 }, (_, line) => `${line}`);
    expect(plotted(lines, { sparePoints: 0 }).series).toMatchObject([{ points: 10_000, dropped: 0 }]);
  });

  it('leaves out lines that had left the log before they were read, and counts them', () => {
    const small = receivedChannel(64);
    const late = new Plot(clock, [small]);
    small.append(utf8('v:1\n'.repeat(40)), start);
    finish(late);
    expect(late.skippedLines).toBe(small.firstLine);
  });

  it('has the units of names and values', () => {
    const unit = (line: string) => plotted([line, line, line]).series.map((series) => `${series.name}: ${series.unit}`);
    expect(unit('temp = 23.4 °C, hum: 46 %')).toEqual(['temp: °C', 'hum: %']);
    expect(unit('temp:23.4 hum:46')).toEqual(['temp: ', 'hum: ']);
    expect(unit('>speed:12.5§km/h')).toEqual(['speed: km/h']);
    expect(unit('3.3 V, 12 mA')).toEqual(['Column 1: V', 'Column 2: mA']);
    expect(['Power (W)', 'temp [°C]', 'vbat_mV', 'temp_c', 'count (total items)', 'loops_s'].map(unitInName)).toEqual([
      { title: 'Power', unit: 'W' },
      { title: 'temp', unit: '°C' },
      { title: 'vbat_mV', unit: 'mV' },
      { title: 'temp_c', unit: '°C' },
      { title: 'count (total items)', unit: '' },
      { title: 'loops_s', unit: '' },
    ]);
  });

  it("keeps Teleplot's texts as states, each with a value of its own", async () => {
    const plot = plotted(['>state:1000:Idle|t', '>state:1100:Turned on: 5|t', '>state:1200:Idle|t', '>state:done|t']);
    expect(plot.series).toMatchObject([
      {
        name: 'state',
        points: 4,
        last: 2,
        valueNames: new Map([
          [0, 'Idle'],
          [1, 'Turned on: 5'],
          [2, 'done'],
        ]),
      },
    ]);
    const rows = [...plot.exportCsv()]
      .map((chunk) => new TextDecoder().decode(chunk))
      .join('')
      .split('\r\n');
    expect(rows.map((row) => row.split(',').at(-1))).toEqual(['state', 'Idle', 'Turned on: 5', 'Idle', 'done', '']);
    const many = plotted(Array.from({ length: 300 }, (_, line) => `>state:text ${line}|t`));
    expect(many).toMatchObject({ hasManyTexts: true, series: [{ points: 256, last: Number.NaN }] });
  });

  it('takes readings from another reader, with the names of their values, and leaves cells without a value empty', () => {
    // Gear 1, 2, 7 as a decoder with a table of values gives it (teleplot#41).
    const names = new Map([
      ['1', 'first'],
      ['2', 'second'],
      ['7', 'error'],
    ]);
    const plot = plotted(['1', '2', '-', '7'], {
      readerOf: (_port, seriesNamed) => ({
        hasLongLines: false,
        forget: () => undefined,
        read: (bytes, from, to): LineReadings => {
          const text = new TextDecoder().decode(bytes.subarray(from, to));
          return {
            count: 2,
            series: [seriesNamed('Gear', ''), seriesNamed('Speed', 'rpm')],
            values: [Number(text), text === '2' ? Number.NaN : 100],
            names: [names.get(text) ?? null, null],
            times: [],
            hasTimes: false,
            clock: 'board',
            needed: 1,
            isCut: false,
          };
        },
      }),
    });
    expect(plot.series).toMatchObject([
      {
        name: 'Gear',
        points: 3,
        last: 7,
        valueNames: new Map([
          [1, 'first'],
          [2, 'second'],
          [7, 'error'],
        ]),
      },
      { name: 'Speed', points: 3, unit: 'rpm' },
    ]);
    const rows = [...plot.exportCsv()]
      .map((chunk) => new TextDecoder().decode(chunk))
      .join('')
      .split('\r\n');
    expect(rows.map((row) => row.replace(/^[^,]*,[^,]*,/, ''))).toEqual([
      'Gear,Speed',
      'first,100',
      'second,',
      ',100',
      'error,100',
      '',
    ]);
  });

  it('reports the number of lines that had gone before it began, and its omissions', () => {
    const small = receivedChannel(64);
    small.append(utf8('v:1\n'.repeat(40)), start);
    const late = new Plot(clock, [small]);
    finish(late);
    expect(late.missedLines).toBe(small.firstLine);
    const many = plotted(Array.from({ length: 264 * 3 }, (_, line) => `n${line % 264}:${line}`));
    expect(many).toMatchObject({ leftOutSeries: 8, hasCutLines: false });
    const wide = plotted(Array.from({ length: 3 }, () => Array.from({ length: 264 }, (_, column) => column).join(',')));
    expect(wide).toMatchObject({ leftOutSeries: 0, hasCutLines: true });
  });

  it('says that a line with numbers is longer than those that are read', () => {
    const longest = `v:1 ${'x'.repeat(4_096 - 'v:1 '.length)}`;
    expect(plotted(Array.from({ length: 8 }, () => longest))).toMatchObject({ hasLongLines: false });
    expect(plotted([`${longest}x`])).toMatchObject({ hasLongLines: true });
    expect(plotted([`no numbers ${longest}x`.replace('v:1', '')])).toMatchObject({ hasLongLines: false });
  });

  it('takes names of a header of any length, and names of 64 letters beyond ASCII', () => {
    const columns = Array.from({ length: 30 }, (_, index) => `a rather long name ${index}`);
    const numbers = columns.map((_, index) => index).join(',');
    expect(plotted([columns.join(','), numbers, numbers]).series.map(({ name }) => name)).toEqual(columns);
    const name = 'Температура'.repeat(6).slice(0, 64);
    expect(names(plotted([1, 2, 3].map((value) => `${name}:${value}`)))).toEqual([`${name}: 3`]);
  });

  it('is not held up by lines that are no readings, however long', () => {
    const plot = plotted(['v:1', `v:2 ${'x'.repeat(100_000)}`, 'v:3', 'v:4']);
    expect(names(plot)).toEqual(['v: 3']);
  });

  it('reads readings behind marks that are longer than a line with readings may be', () => {
    const mark = `\x1b]3008;start=${'0'.repeat(5_000)}\x1b\\`;
    expect(names(plotted(['v:1', `${mark}v:2`, `v:3${mark}`]))).toEqual(['v: 3']);
  });

  it('has a bound for how many series there can be', () => {
    const plot = plotted(Array.from({ length: 900 }, (_, line) => `n${line % 300}:1`));
    expect(plot.series).toHaveLength(maxSeries);
  });

  it('gives others their turn, and stops when it is cancelled', async () => {
    const channel = receivedChannel(4 * 1024 * 1024);
    channel.append(utf8('v:1\n'.repeat(100_000)), start);
    let now = 0;
    const { wallTime, schedule, sleep } = clock;
    const ticking = { ...new VirtualClock(), now: () => (now += 5), wallTime, schedule, sleep };
    const plot = new Plot(ticking, [channel]);
    let pauses = 0;
    await plot.run(async () => {
      pauses++;
    });
    expect(pauses).toBeGreaterThan(10);
    const abort = new AbortController();
    const other = new Plot(ticking, [channel]);
    const running = other.run(async () => abort.abort(new Error('closed')), abort.signal);
    await expect(running).rejects.toThrow('closed');
    expect(other.complete).toBe(false);
  });
});

describe('window of a plot', () => {
  it('keeps the lowest and the highest point of each column, in their order', () => {
    const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 200 });
    fc.assert(
      fc.property(
        values,
        fc.integer({ min: 1, max: 40 }),
        fc.nat({ max: 150 }),
        fc.integer({ min: 1, max: 150 }),
        (all, width, first, length) => {
          const plot = plotted(all.map((value) => `${value}`));
          const from = start + first;
          const to = from + length;
          const window = plot.window({ from, to, width });
          const columns: number[][] = Array.from({ length: width }, () => []);
          all.forEach((value, index) => {
            if (index >= first && index < first + length) {
              columns[Math.min(width - 1, Math.floor(((index - first) * width) / length))]?.push(value);
            }
          });
          const expected = columns.flatMap((column) => {
            const [low, high] = [Math.min(...column), Math.max(...column)];
            if (low === high || column.length === 0) {
              return [column[0] ?? Number.NaN, Number.NaN];
            }
            return column.lastIndexOf(low) < column.indexOf(high) || column.indexOf(low) < column.indexOf(high)
              ? [low, high]
              : [high, low];
          });
          expect([...(window.series[0]?.values ?? [])]).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is the picture of a slow reference in every column, also after the oldest points were dropped', () => {
    const values = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 9_000, maxLength: 14_000 });
    fc.assert(
      fc.property(
        values,
        fc.integer({ min: 1, max: 90 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.boolean(),
        (all, width, start0, share, isSmall) => {
          const channel = receivedChannel(isSmall ? 4_096 : 1 << 20);
          const plot = new Plot(clock, [channel], { sparePoints: isSmall ? 4_096 : 1 << 20 });
          for (let at = 0; at < all.length; at += 500) {
            all.slice(at, at + 500).forEach((value, index) => {
              channel.append(utf8(`${value}\n`), start + at + index);
            });
            finish(plot);
          }
          const dropped = plot.series[0]?.dropped ?? 0;
          expect(dropped > 0).toBe(isSmall);
          const from = start + Math.floor(all.length * start0);
          const to = from + Math.max(1, Math.floor(all.length * share));
          const shown = plot.window({ from, to, width }).series[0]?.values ?? new Float64Array();
          const columns: number[][] = Array.from({ length: width }, () => []);
          const scale = width / (to - from);
          all.forEach((value, index) => {
            const time = start + index;
            if (index >= dropped && time >= from && time < to) {
              columns[Math.min(width - 1, Math.floor((time - from) * scale))]?.push(value);
            }
          });
          columns.forEach((column, index) => {
            const pair = [...shown.subarray(2 * index, 2 * index + 2)].filter((value) => !Number.isNaN(value));
            expect(pair.sort((one, other) => one - other)).toEqual(
              column.length === 0 ? [] : [...new Set([Math.min(...column), Math.max(...column)])],
            );
          });
        },
      ),
      { numRuns: 12 },
    );
  });

  it('goes on to the points beside it, so that a close-up between two points has a line', () => {
    const plot = plotted(['10', '20', '30', 'nan', '50']);
    const between = plot.window({ from: start + 0.25, to: start + 0.75, width: 10 }).series[0];
    expect(between).toMatchObject({ points: 0, before: { at: start, value: 10 }, after: { at: start + 1, value: 20 } });
    // The curve is broken where a reading had no value, and ends at the newest point.
    expect(plot.window({ from: start + 1.5, to: start + 2.5, width: 10 }).series[0]).toMatchObject({
      points: 1,
      before: { at: start + 1, value: 20 },
      after: null,
    });
    expect(plot.window({ from: start + 3, to: start + 5, width: 10 }).series[0]).toMatchObject({
      points: 1,
      before: null,
      after: null,
    });
  });

  it('has the first and the last state of each column', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), fc.nat({ max: 60 }), (all, width, skipped) => {
        const plot = plotted(all.map((text) => `>s:${text}|t`));
        const names = plot.series[0]?.valueNames ?? new Map<number, string>();
        const [from, to] = [start + skipped, start + all.length + 5];
        const shown = plot.window({ from, to: Math.max(to, from + 1), width }).series[0]?.values ?? new Float64Array();
        const columns: string[][] = Array.from({ length: width }, () => []);
        all.forEach((text, index) => {
          const at = Math.floor((start + index - from) * (width / (Math.max(to, from + 1) - from)));
          if (at >= 0) {
            columns[Math.min(width - 1, at)]?.push(text);
          }
        });
        columns.forEach((column, index) => {
          const pair = [...shown.subarray(2 * index, 2 * index + 2)].map((value) => names.get(value));
          const [first, last] = [column.at(0), column.at(-1)];
          expect(pair).toEqual([first, last === first ? undefined : last]);
        });
      }),
      { numRuns: 200 },
    );
  });

  it('draws no line across silence', () => {
    const channel = receivedChannel(1_024 * 1_024);
    const say = (from: number, count: number) => {
      for (let index = 0; index < count; index++) {
        channel.append(utf8(`v:${index}\n`), from + index * 100);
      }
    };
    say(start, 20);
    say(start + 60_000, 20);
    const plot = new Plot(new VirtualClock(), [channel]);
    plot.step();
    const [series] = plot.window({ from: start, to: start + 62_000, width: 620 }).series;
    const breaks = [...(series?.values ?? [])].flatMap((value, index) => (value === curveBreak ? [index] : []));
    // One break, before the first point after the silence.
    expect(breaks).toEqual([2 * 600 - 1]);
    // A burst every 100 ms is no break, even in a close-up.
    const near = plot.window({ from: start, to: start + 1_900, width: 1_900 }).series[0];
    expect([...(near?.values ?? [])]).not.toContain(curveBreak);
  });

  it('draws no line across readings that are no numbers', () => {
    const plot = plotted(['1,1', '2,2', '3,nan', '4,nan', '5,5', '6,6']);
    const [first, second] = plot.window({ from: start, to: start + 6, width: 6 }).series;
    const none = Number.NaN;
    expect([...(first?.values ?? [])]).toEqual([1, none, 2, none, 3, none, 4, none, 5, none, 6, none]);
    expect([...(second?.values ?? [])]).toEqual([1, none, 2, none, none, none, none, curveBreak, 5, none, 6, none]);
    const next = plotted(['1', '2', 'nan', '4']).window({ from: start, to: start + 4, width: 4 }).series[0];
    expect([...(next?.values ?? [])]).toEqual([1, none, 2, none, none, curveBreak, 4, none]);
  });

  it('takes a slow reading for no silence', () => {
    const channel = receivedChannel(1_024 * 1_024);
    for (let index = 0; index < 10; index++) {
      channel.append(utf8(`v:${index}\n`), start + index * 60_000);
    }
    const plot = new Plot(new VirtualClock(), [channel]);
    plot.step();
    const [series] = plot.window({ from: start, to: start + 600_000, width: 600 }).series;
    expect([...(series?.values ?? [])]).not.toContain(curveBreak);
  });

  it('has the same times for all series, two for each column', () => {
    const plot = plotted(['1,2', '3,4']);
    const window = plot.window({ from: start, to: start + 4, width: 2 });
    expect([...window.times]).toEqual([start, start + 1, start + 2, start + 3]);
    expect(window.series.map(({ id, values }) => [id, ...values])).toEqual([
      [0, 1, 3, Number.NaN, Number.NaN],
      [1, 2, 4, Number.NaN, Number.NaN],
    ]);
    expect(plot.window({ from: start, to: start + 4, width: 2, series: [1] }).series.map(({ id }) => id)).toEqual([1]);
  });

  it('refuses a stretch without length and a screen without width', () => {
    const plot = plotted([]);
    expect(() => plot.window({ from: 1, to: 1, width: 10 })).toThrow(RangeError);
    expect(() => plot.window({ from: 1, to: 2, width: 0 })).toThrow(RangeError);
  });
});

describe('curves over another one', () => {
  it('pair the values of one line, as each of their pixels once', () => {
    const plot = plotted(['a:0 b:0', 'a:10 b:4', 'a:5', 'b:2', 'a:5 b:2 c:1', 'a:10 b:4 c:2', 'a:10 b:nan c:3']);
    const [a = -1, b = -1, c = -1] = plot.series.map(({ id }) => id);
    const size = { width: 11, height: 5 };
    expect(plot.plane({ from: start, to: start + 9, x: a, ys: [b], ...size })).toEqual({
      x: { low: 0, high: 10 },
      curves: [{ id: b, pairs: 4, y: { low: 0, high: 4 }, dots: Uint32Array.of(4 * 11, 10, 2 * 11 + 5) }],
    });
    expect(plot.plane({ from: start + 3, to: start + 5, x: a, ys: [b, c], ...size })?.curves).toMatchObject([
      { id: b, pairs: 1 },
      { id: c, pairs: 1 },
    ]);
    expect(plot.plane({ from: start + 2, to: start + 4, x: a, ys: [b], ...size })).toBeNull();
    expect(plot.plane({ from: start, to: start + 9, x: 99, ys: [b], ...size })).toBeNull();
  });

  it('have the dots of a slow reference', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 0, max: 9 })), {
      minLength: 3,
      maxLength: 400,
    });
    fc.assert(
      fc.property(pairs, fc.integer({ min: 2, max: 60 }), fc.integer({ min: 2, max: 40 }), (all, width, height) => {
        const plot = plotted(all.map(([x, y]) => `x:${x} y:${y}`));
        const [x = -1, y = -1] = plot.series.map(({ id }) => id);
        const plane = plot.plane({ from: start, to: start + 1_000, x, ys: [y], width, height });
        const place = (values: readonly number[], value: number, size: number) => {
          const [low, high] = [Math.min(...values), Math.max(...values)];
          return high > low ? Math.round((value - low) * ((size - 1) / (high - low))) : size >> 1;
        };
        const [xs, ys] = [all.map(([one]) => one), all.map(([, other]) => other)];
        const dots = all.map(([one, other]) => (height - 1 - place(ys, other, height)) * width + place(xs, one, width));
        expect([...(plane?.curves[0]?.dots ?? [])]).toEqual([...new Set(dots)]);
        expect(plane?.curves[0]?.pairs).toBe(all.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe('cursor of a plot', () => {
  const plot = plotted(['a:1 b:10', 'text', 'a:2', 'b:nan', 'a:4 b:40', 'a:5', 'b:60']);
  const [a = -1, b = -1] = plot.series.map(({ id }) => id);
  const cursor = (query: PlotCursorQuery, near = [a, b]) => {
    const found = plot.cursor(query, near);
    return found === null ? null : [found.at - start, found.values.get(a), found.values.get(b)];
  };
  const sequence = (query: PlotCursorQuery, near = [a, b]) => plot.cursor(query, near)?.sequence ?? -1;

  it('stands at the line with a point nearest to a time, and has the values up to there', () => {
    expect(cursor({ at: start - 500 })).toEqual([0, 1, 10]);
    expect(cursor({ at: start + 0.9 })).toEqual([0, 1, 10]);
    expect(cursor({ at: start + 1.2 })).toEqual([2, 2, undefined]);
    expect(cursor({ at: start + 1.2 }, [b])).toEqual([0, 1, 10]);
    expect(cursor({ at: start + 900 }, [b])).toEqual([6, 5, 60]);
    expect(plotted([]).cursor({ at: start }, [])).toBeNull();
  });

  it('goes from line to line, and stays at the ends', () => {
    const first = sequence({ at: start });
    expect(cursor({ sequence: first, step: 1 })).toEqual([2, 2, undefined]);
    expect(cursor({ sequence: first, step: 1 }, [b])).toEqual([4, 4, 40]);
    expect(cursor({ sequence: first, step: -1 })).toBeNull();
    expect(cursor({ sequence: sequence({ at: start + 4 }), step: -1 })).toEqual([2, 2, undefined]);
    expect(cursor({ sequence: sequence({ at: start + 5 }), step: 1 }, [a])).toBeNull();
  });

  it('stands at a line of the log, also at one without a number', () => {
    const first = sequence({ at: start });
    expect(cursor({ sequence: first, at: 0 })).toEqual([0, 1, 10]);
    // Between the points of b is a reading without a value.
    expect(cursor({ sequence: first + 1, at: start + 1 })).toEqual([1, 1, undefined]);
    expect(cursor({ sequence: first + 4, at: 0 })).toEqual([4, 4, 40]);
    expect(cursor({ sequence: first + 1, at: Number.NaN })).toEqual([0, 1, undefined]);
  });
});

describe('points of a series', () => {
  it('are those of a plain list, in whole chunks from the newest dropped one on', () => {
    const steps = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 12_500 }), fc.nat({ max: 2 }), (some, length, drops) => {
        const store = new PointStore();
        let time = 0;
        const model = Array.from({ length }, (_, index) => {
          time += some[index % some.length] ?? 0;
          store.push(time, (index * 7) % 1_001, index * 3);
          return time;
        });
        for (let drop = 0; drop < drops && store.oldestEnd !== null && store.oldestEnd < store.end; drop++) {
          store.dropOldest();
        }
        expect([store.first % 4_096, store.end]).toEqual([0, length]);
        for (let point = store.first; point < length; point += 37) {
          expect([store.timeOf(point), store.valueOf(point), store.sequenceOf(point)]).toEqual([
            model[point],
            (point * 7) % 1_001,
            point * 3,
          ]);
        }
        const held = model.slice(store.first);
        for (const at of [0, 1, time / 3, time / 2, time - 1, time, time + 1]) {
          const index = held.findIndex((later) => later >= at);
          expect(store.pointAt(at)).toBe(index === -1 ? store.end : store.first + index);
        }
        expect(store.pointAtSequence(store.first * 3 + 1)).toBe(Math.min(store.end, store.first + 1));
        const values = held.map((_, index) => ((store.first + index) * 7) % 1_001);
        expect(store.extremes).toEqual({ low: Math.min(...values), high: Math.max(...values) });
      }),
      { numRuns: 30 },
    );
  });

  it('keep their lines when billions of other lines come between them', () => {
    const store = new PointStore();
    const sequences = [5, 6, 0x1_0000_0005, 0x1_0000_0006, 0x40_0000_0000];
    for (const sequence of sequences) {
      store.push(0, 1, sequence);
    }
    expect(sequences.map((_, point) => store.sequenceOf(point))).toEqual(sequences);
  });
});

describe('CSV of a plot', () => {
  const csv = (plot: Plot, portNames = {}) =>
    [...plot.exportCsv(portNames)]
      .map((chunk) => new TextDecoder().decode(chunk))
      .join('')
      .split('\r\n');

  it('has a row for each line and a column for each series', () => {
    const rows = csv(plotted(['a:1 b:2', 'a:3', 'nothing', 'b:-4.5', 'a:5 a:6', 'b:7']));
    expect(rows.map((row) => row.replace(/^[^,]*,/, ''))).toEqual([
      'epoch_ms,a,b',
      `${start}.000,1,2`,
      `${start + 1}.000,3,`,
      `${start + 3}.000,,-4.5`,
      `${start + 4}.000,5,`,
      `${start + 4}.000,6,`,
      `${start + 5}.000,,7`,
      '',
    ]);
    expect(rows[0]).toBe('time,epoch_ms,a,b');
  });

  it('names the ports where there are several', async () => {
    const test = testRig();
    const [one, two] = [await connected(test, 1), await connected(test, 2)];
    one.receive('v:0\nv:1\nv:2\n');
    two.receive('v:2\nv:3\nv:4\n');
    await test.clock.settle();
    const plot = test.bench.plot();
    finish(plot);
    expect(csv(plot, { 2: 'Left, motor' })[0]).toBe('time,epoch_ms,Port 1 v,"Left, motor v"');
  });

  it('leaves the cell empty of a reading that is no number', () => {
    const rows = csv(plotted(['t:1 h:2', 't:nan h:3', 't:inf h:--', 't:4 h:5', 't:6 h:7']));
    expect(rows.map((row) => row.replace(/^[^,]*,[^,]*,/, ''))).toEqual(['t,h', '1,2', ',3', '4,5', '6,7', '']);
  });

  it('has every one of a million lines, and so has the picture of all', { timeout: 60_000 }, () => {
    const channel = receivedChannel(16 << 20);
    const valueAt = (line: number) => (line * 7_919) % 1_000_003;
    for (let line = 0; line < 1_000_000; line += 1_000) {
      const block = Array.from({ length: 1_000 }, (_, index) => `${valueAt(line + index)}\n`);
      channel.append(utf8(block.join('')), start + line);
    }
    const plot = new Plot(clock, [channel]);
    finish(plot);
    expect(plot.series).toMatchObject([{ points: 1_000_000, dropped: 0, from: start, to: start + 999_000 }]);
    let rows = 0;
    let last = '';
    for (const chunk of plot.exportCsv()) {
      const text = new TextDecoder().decode(chunk);
      rows += text.split('\r\n').length - 1;
      last = text.slice(-13);
    }
    expect([rows, last]).toEqual([1_000_001, `.000,${valueAt(999_999)}\r\n`]);
    const width = 777;
    const to = start + 1_000_000;
    const shown = plot.window({ from: start, to, width }).series[0]?.values ?? new Float64Array();
    const lows = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
    const highs = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
    for (let line = 0; line < 1_000_000; line++) {
      const column = Math.floor((line - (line % 1_000)) * (width / 1_000_000));
      lows[column] = Math.min(lows[column] as number, valueAt(line));
      highs[column] = Math.max(highs[column] as number, valueAt(line));
    }
    const drawn = Array.from({ length: width }, (_, column) => [...shown.subarray(2 * column, 2 * column + 2)]);
    expect(drawn.map((pair) => Math.min(...pair))).toEqual([...lows]);
    expect(drawn.map((pair) => Math.max(...pair))).toEqual([...highs]);
  });

  it('leaves the time empty for a log without times, and the date for unknown days', () => {
    const bare = receivedChannel();
    bare.append(utf8('1\n2\n3\n'), Number.NaN);
    const plot = new Plot(clock, [bare]);
    finish(plot);
    expect(csv(plot).slice(1, 4)).toEqual([',,1', ',,2', ',,3']);
    const undated = receivedChannel();
    undated.isDated = false;
    undated.append(utf8('1\n'), new Date(2026, 10, 20, 14, 3, 5).getTime());
    undated.append(utf8('2\n'), Number.NaN);
    const other = new Plot(clock, [undated]);
    finish(other);
    expect(csv(other).slice(1, 3)).toEqual(['14:03:05.000,,1', ',,2']);
  });

  it('has the times of the lines also when they go back, and the curve continues', () => {
    const channel = receivedChannel();
    const times = [36_000_000, 36_001_000, 33_000_000, 33_001_000].map((at) => new Date(2026, 10, 20).getTime() + at);
    for (const [index, at] of times.entries()) {
      channel.append(utf8(`${index}\n`), at);
    }
    const plot = new Plot(clock, [channel]);
    finish(plot);
    expect(plot.series).toMatchObject([{ points: 4, from: times[0], to: (times[3] ?? 0) + 86_400_000 }]);
    expect(csv(plot).map((row) => row.slice(11, 19))).toEqual([
      'ms,Value'.slice(0, 8),
      '10:00:00',
      '10:00:01',
      '09:10:00',
      '09:10:01',
      '',
    ]);
  });

  it('comes in pieces, and in full', () => {
    const plot = plotted(Array.from({ length: 30_000 }, (_, line) => `v:${line}`));
    const chunks = [...plot.exportCsv()];
    expect(chunks.length).toBeGreaterThan(3);
    const rows = chunks
      .map((chunk) => new TextDecoder().decode(chunk))
      .join('')
      .split('\r\n');
    expect(rows).toHaveLength(30_002);
    expect(rows.at(-2)).toMatch(/,29999$/);
  });
});
