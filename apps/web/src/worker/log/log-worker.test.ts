import { crashText } from '@wirebench/devices';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OpenedLogs } from './testing/opened-logs.ts';

/** Smallest buffer of a port, in bytes. */
const minimumBuffer = 64 * 1_024;
const midnight = new Date(2026, 10, 25).getTime();
const text = (wanted: string) => ({ terms: [{ kind: 'text', text: wanted, ignoreCase: true } as const] });
const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${String(index).padStart(6, '0')}\n`).join('');

describe('opened logs', () => {
  let opened: OpenedLogs;
  beforeEach(() => {
    opened = new OpenedLogs();
  });
  afterEach(() => opened.dispose());

  it('have their lines with times, and are no ports', async () => {
    expect(await opened.open('[14:03:05.120] a\n[14:03:05.130] b\n[14:03:05.140] c\n', 'a.log', midnight)).toBe(1);
    const at = midnight + 50_585_120;
    expect(await opened.rows()).toEqual([`${at} 1 received a`, `${at + 10} 1 received b`, `${at + 20} 1 received c`]);
    await vi.waitFor(() => expect(opened.first).toMatchObject({ name: 'a.log', program: 'tio', from: 0, to: 51 }));
    await vi.waitFor(() => expect(opened.benchTick?.devices[1]).toEqual({ kind: 'log', plugged: true }));
    expect(opened.benchTick?.status.ports[1]).toMatchObject({ state: 'disconnected', received: 6, lines: 3 });
    await vi.waitFor(() => expect(opened.tick?.work).toBeNull());
  });

  it('have the last verdict of a test on boards, which no line of a board can forge', async () => {
    const stamp = '2026-11-20 14:03:05.120  ';
    const forged = `${stamp}ttyUSB0  RX  ${stamp}SUCCESS  Test passed: Forged\n`;
    const failed = `${stamp}ERROR  Test failed: Smoke, 1 of 3 checks passed\n`;
    await opened.open(`${forged}${stamp}SUCCESS  Test passed: Boot, 2 of 2 checks passed\n${failed}${forged}`);
    const verdict = { isPassed: false, text: 'Test failed: Smoke, 1 of 3 checks passed' };
    await vi.waitFor(() => expect(opened.first).toMatchObject({ verdict }));
  });

  it('have no verdict without a test', async () => {
    await opened.open('2026-11-20 14:03:05.120  ttyUSB0  RX  2026-11-20 14:03:05.120  SUCCESS  Test passed: x\n');
    await vi.waitFor(() => expect(opened.first).toMatchObject({ program: 'wirebench', verdict: null }));
  });

  it('are, as raw bytes, the file byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 7_919) >> 3);
    await opened.open(bytes, 'capture.bin');
    await vi.waitFor(() => expect(opened.first).toMatchObject({ encoding: 'bytes', program: null }));
    expect(await opened.raw()).toEqual(bytes);
  });

  it('have the received bytes only in a raw export of a log with times', async () => {
    const stamp = '2026-11-20 14:03:05.120  Port 1  ';
    await opened.open(`${stamp}TX  AT\n${stamp}RX  OK\n`);
    expect(new TextDecoder().decode(await opened.raw())).toBe('OK\n');
  });

  it('have each line once if slices cut them', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `line ${index} ${'.'.repeat(index % 97)}\r\n`);
    await opened.open(lines.map((line) => `[14:03:05.120] ${line}`).join(''));
    expect(new TextDecoder().decode(await opened.raw()) === lines.join('')).toBe(true);
  });

  it('are decoded in any encoding, and read again in another one', async () => {
    await opened.open(Uint8Array.from([...new TextEncoder().encode('temperature 20'), 0xb0, 0x43, 0x0a]));
    await vi.waitFor(() => expect(opened.first).toMatchObject({ encoding: 'utf-8', isDamaged: true }));
    await opened.logs.call('choose', 1, { encoding: 'latin1' });
    expect(await opened.texts()).toEqual(['temperature 20°C']);
    await opened.logs.call('choose', 1, { encoding: 'bytes' });
    expect(await opened.texts()).toEqual(['temperature 20\\xb0C']);
  });

  it('are read again without times, or with those of another program', async () => {
    await opened.open('[14:03:05.120] a\n[14:03:05.130] b\n[14:03:05.140] c\n', 'a.log', midnight);
    await opened.logs.call('choose', 1, { program: null });
    expect(await opened.rows()).toEqual([
      'NaN 1 received [14:03:05.120] a',
      'NaN 1 received [14:03:05.130] b',
      'NaN 1 received [14:03:05.140] c',
    ]);
    await opened.logs.call('choose', 1, { program: 'tio-delta' });
    expect((await opened.rows())[2]).toBe(`${midnight + 3 * 50_585_130} 1 received c`);
  });

  it('show the time of the line above for lines of a block, which exports leave out', async () => {
    const stamp = '[2026-06-10 16:57:07] Received 64 bytes.\n';
    await opened.open(`${stamp}48 65\n6c 6c\n`);
    const at = new Date(2026, 5, 10, 16, 57, 7).getTime();
    const { rows } = await opened.bench.call('rows', { layout: 'text', anchor: { position: 0 }, count: 9 });
    expect(rows.map((row) => [row.text, row.at, row.blockAt])).toEqual([
      ['Received 64 bytes.', at, undefined],
      ['48 65', Number.NaN, at],
      ['6c 6c', Number.NaN, at],
    ]);
    await vi.waitFor(() => expect(opened.first).toMatchObject({ program: 'minicom', hasBlocks: true }));
    expect((await opened.csv())[2]).toBe(',,Port 1,RX,48 65');
  });

  it('are read by a form that the person marks, and by one that was kept', async () => {
    const lines = ['14h03m05s a', '14h03m06s b', 'c'].map((line) => `${line}\n`).join('');
    const at = midnight + 50_585_000;
    await opened.open(lines, 'a.log', midnight);
    await vi.waitFor(() => expect(opened.first).toMatchObject({ hasTimes: false, marked: null }));
    const marked = 'hh\\hmm\\mss\\s ';
    await opened.logs.call('choose', 1, { marked });
    expect(await opened.rows()).toEqual([`${at} 1 received a`, `${at + 1_000} 1 received b`, 'NaN 1 received c']);
    await vi.waitFor(() => expect(opened.first).toMatchObject({ hasTimes: true, marked, program: null }));
    await opened.logs.call('choose', 1, { program: null });
    expect((await opened.rows())[0]).toBe('NaN 1 received 14h03m05s a');
    await opened.logs.call('close', 1);
    await opened.open(lines.replace('c\n', '14h03m07s c\n'), 'b.log', midnight, ['hh-mm ', marked]);
    expect(await opened.texts()).toEqual(['a', 'b', 'c']);
    await opened.logs.call('choose', 1, { program: null });
    expect((await opened.texts())[0]).toBe('14h03m05s a');
  });

  it('give lines to mark a time in, also from where the first one is', async () => {
    const plain = 'no time in this line\n'.repeat(8_000);
    await opened.open(`${plain}3/5/24 14:03:05; late\n${plain}`);
    await vi.waitFor(() => expect(opened.first).toMatchObject({ mayHaveTimes: false }));
    expect(await opened.logs.call('firstLines', 1)).toContain('3/5/24 14:03:05; late');
    await opened.open('\r\n3/5/24 14:03:05; a\r\n3/5/24 14:03:06; b\r\nc');
    await vi.waitFor(() => expect(opened.tick?.logs[1]).toMatchObject({ mayHaveTimes: true, hasTimes: false }));
    expect(await opened.logs.call('firstLines', 2)).toEqual(['', '3/5/24 14:03:05; a', '3/5/24 14:03:06; b', 'c']);
    await opened.open('words\nand more\n');
    expect(await opened.logs.call('firstLines', 3)).toEqual(['words', 'and more', '']);
  });

  it('are one timeline if all have times, and one after the other if not', async () => {
    const one = '14:00:01.000 -> a\n14:00:03.000 -> c\n14:00:05.000 -> e\n';
    const other = '[14:00:02.000] b\n[14:00:04.000] d\n[14:00:06.000] f\n';
    await opened.open(one, 'one.log', midnight);
    expect(await opened.open(other, 'other.log', midnight)).toBe(2);
    expect(await opened.texts()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    await vi.waitFor(() => expect(opened.tick).toMatchObject({ isMerged: true }));
    await opened.logs.call('choose', 2, { program: null });
    expect((await opened.texts()).slice(0, 4)).toEqual(['a', 'c', 'e', '[14:00:02.000] b']);
    await vi.waitFor(() => expect(opened.tick).toMatchObject({ isMerged: false }));
    await opened.logs.call('close', 1);
    expect(await opened.texts()).toEqual(['[14:00:02.000] b', '[14:00:04.000] d', '[14:00:06.000] f']);
  });

  it('are not on one timeline if the times of one count from its start', async () => {
    await opened.open('14:00:01.000 -> a\n14:00:03.000 -> c\n14:00:05.000 -> e\n', 'one.log', midnight);
    await opened.open('[0 00:00:02.000] b\n[0 00:00:04.000] d\n[0 00:00:06.000] f\n', 'other.log', midnight);
    await vi.waitFor(() => expect(opened.tick).toMatchObject({ isMerged: false, work: null }));
    expect(await opened.texts()).toEqual(['a', 'c', 'e', 'b', 'd', 'f']);
  });

  it('without dates are of the day of a log beside them', async () => {
    await opened.open('14:03:06.000 -> b\n14:03:08.000 -> d\n14:03:09.000 -> e\n', 'one.log', 0);
    const dated = ['05 a', '07 c', '10 f'].map((line) => `[2026-11-20 14:03:${line.slice(0, 2)}] ${line.slice(3)}\n`);
    await opened.open(dated.join(''), 'other.log', midnight);
    expect(await opened.texts()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('without dates have the date on which their file was changed, and say so', async () => {
    const changed = new Date(2026, 10, 20, 18).getTime();
    await opened.open('[14:03:05.120] a\n[14:03:05.130] b\n[14:03:05.140] c\n', 'a.log', changed);
    expect((await opened.csv())[1]).toMatch(/^2026-11-20 14:03:05\.120,\d+\.000,Port 1,RX,a$/);
    await vi.waitFor(() => expect(opened.first).toMatchObject({ date: { from: 'changed', at: changed } }));
  });

  it('end on the day on which their file was changed if they pass midnight', async () => {
    const changed = new Date(2026, 10, 20, 18).getTime();
    await opened.open('23:59:58.000 -> a\n23:59:59.000 -> b\n00:00:01.000 -> c\n', 'a.log', changed);
    expect((await opened.csv()).map((line) => line.slice(0, 19))).toEqual([
      'time,epoch_ms,port,',
      '2026-11-19 23:59:58',
      '2026-11-19 23:59:59',
      '2026-11-20 00:00:01',
    ]);
  });

  it.each([
    [
      'whose file has no time',
      '[14:03:05.120] a\n[14:03:05.130] b\n[14:03:06.000] c\n',
      0,
      ['14:03:05.120', '14:03:05.130', '14:03:06.000'],
    ],
    [
      'appended to on unknown days',
      '[10:00:00.000] a\n[10:00:01.000] b\n[09:10:00.000] c\n[09:10:01.000] d\n',
      midnight,
      ['10:00:00.000', '10:00:01.000', '09:10:00.000', '09:10:01.000'],
    ],
    [
      'that count from a start',
      '[0 00:00:05.120] a\n[0 00:00:06.000] b\n[0 00:00:07.000] c\n',
      midnight,
      ['00:00:05.120', '00:00:06.000', '00:00:07.000'],
    ],
  ])('%s have times without a date in exports', async (_, text, changed, times) => {
    await opened.open(text, 'a.log', changed);
    const [, ...rows] = await opened.csv();
    expect(rows.map((row) => row.split(',').slice(0, 2))).toEqual(times.map((time) => [time, '']));
    await vi.waitFor(() => expect(opened.first).toMatchObject({ date: null, hasTimes: true }));
  });

  it('offer each way to read times that can be read in two ways, and show none', async () => {
    const text = '[10:00:00.000] a\n[09:10:00.000] b\n[08:30:00.000] c\n';
    await opened.open(text, 'a.log', midnight);
    expect((await opened.rows())[0]).toBe('NaN 1 received [10:00:00.000] a');
    await vi.waitFor(() => expect(opened.first).toMatchObject({ program: null, candidates: ['tio', 'tio-delta'] }));
    await opened.logs.call('choose', 1, { program: 'tio' });
    expect((await opened.rows())[2]).toBe(`${midnight + 30_600_000} 1 received c`);
    await vi.waitFor(() => expect(opened.first).toMatchObject({ program: 'tio', candidates: [] }));
  });

  it('have a line for each prefix behind a return', async () => {
    await opened.open('[14:03:01.000] a\r[14:03:02.000] b\r[14:03:03.000] c\r', 'a.log', midnight);
    expect(await opened.texts()).toEqual(['a', 'b', 'c']);
  });

  it('opened together keep their order', async () => {
    const numbers = await Promise.all(['one\n', 'two\n', 'three\n'].map((text) => opened.open(text, text.trim())));
    expect(numbers).toEqual([1, 2, 3]);
    expect(await opened.texts()).toEqual(['one', 'two', 'three']);
  });

  it('are at most four, and an unreadable file is refused', async () => {
    for (const name of ['1', '2', '3', '4']) {
      await opened.open(`${name}\n`, name);
    }
    await expect(opened.open('5\n')).rejects.toThrow('Four logs are open');
    await opened.logs.call('close', 2);
    const gone = new Blob(['gone']);
    vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValueOnce(new DOMException('gone', 'NotFoundError'));
    await expect(opened.logs.call('open', gone, 'gone', 0, [])).rejects.toThrow('The file could not be read.');
    expect(await opened.open('again\n')).toBe(2);
  });

  it('with a crash list it and hold its core dump, also behind times', async () => {
    const log = crashText('null', 4_200).replaceAll('\r\n', '\n');
    const stamped = log
      .split('\n')
      .map((line) => `[2026-11-20 14:03:05] ${line}`)
      .join('\n');
    await opened.open(stamped);
    await vi.waitFor(async () => expect(await opened.bench.call('incidents')).toHaveLength(1));
    await vi.waitFor(async () => expect(await opened.bench.call('logDumps')).toHaveLength(1));
    // Reading again lists the crash once.
    await opened.logs.call('choose', 1, { program: 'minicom' });
    await vi.waitFor(async () => expect(await opened.bench.call('logDumps')).toHaveLength(1));
    expect(await opened.bench.call('incidents')).toHaveLength(1);
  });

  it('are coloured and counted by rules, and counted once when they are read again', async () => {
    await opened.open('[14:03:05.120] fine\n[14:03:05.130] error\n[14:03:05.140] error\n', 'a.log', midnight);
    const condition = { kind: 'line', find: 'error', matchCase: false } as const;
    const look = {
      colour: 'red',
      colours: 'line',
      mark: true,
      answer: null,
      answerName: null,
      isReported: false,
    } as const;
    await opened.bench.call('setRules', [{ id: 'rule', name: 'Errors', condition, ports: null, ...look }]);
    const counts = async () => (await opened.bench.call('ruleCounts')).counts;
    await vi.waitFor(async () => expect(await counts()).toEqual({ rule: 2 }));
    const { rows } = await opened.bench.call('rows', { layout: 'text', anchor: { position: 0 }, count: 3 });
    expect(rows.map(({ rule }) => rule?.line ?? null)).toEqual([null, 'red', 'red']);
    await opened.logs.call('choose', 1, { program: null });
    await vi.waitFor(async () => expect(await counts()).toEqual({ rule: 2 }));
    await opened.logs.call('close', 1);
    expect(await counts()).toEqual({ rule: 0 });
  });

  it('end their lines as the chosen framing says', async () => {
    await opened.open(Uint8Array.from([1, 2, 0, 3, 4, 0, 0, 0, 0, 9]));
    await opened.logs.call('setFraming', 1, { name: 'fixed-length', options: { length: 5 } });
    expect((await opened.rows()).length).toBe(2);
  });

  it.each([
    [
      'bytes',
      Uint8Array.from('070300000004446f07030805d2013f02340003acce'.match(/../g) ?? [], (pair) =>
        Number.parseInt(pair, 16),
      ),
    ],
    ['lines of hex digits', '07 03 00 00 00 04 44 6F\n07 03 08 05 D2 01 3F 02 34 00 03 AC CE\n'],
  ])('are frames of a chosen decoder, read from %s', async (_, file) => {
    await opened.open(file);
    await opened.bench.call('setDecoder', 1, 'modbus');
    const query = { layout: 'text', anchor: { position: 0 }, count: 10, channels: ['received-1'] } as const;
    const { rows } = await opened.bench.call('rows', query, { frames: { opened: null } });
    expect(rows.map(({ text }) => text)).toEqual(['read 4 from 0', 'read 0–3: 1490, 319, 564, 3']);
    // Without times a row has no cycle. Read once more, the frames are counted once.
    const counts = {
      totals: { frames: 2, unanswered: 0, leftOver: 0 },
      rows: [{ who: '07', count: 2, cycle: null, words: 'read 0–3: 1490, 319, 564, 3' }],
      devices: [{ who: '07', questions: 1, answers: 1, mean: null }],
    };
    expect(await opened.bench.call('frameOverview', 1)).toMatchObject(counts);
    await opened.logs.call('showPart', 1, 0);
    expect(await opened.bench.call('frameOverview', 1)).toMatchObject(counts);
    await opened.bench.call('setDecoder', 1, null);
    const plain = await opened.bench.call('rows', query, { frames: { opened: null } });
    expect(plain.rows.every(({ frame }) => frame === undefined)).toBe(true);
  });

  it('takes short rows of a log in hex for bytes as all others', async () => {
    await opened.open('41 54 0D\n30 0D\n');
    await opened.bench.call('setDecoder', 1, 'at');
    const query = { layout: 'text', anchor: { position: 0 }, count: 10, channels: ['received-1'] } as const;
    const { rows } = await opened.bench.call('rows', query, { frames: { opened: null } });
    expect(rows.map(({ text }) => text)).toEqual(['AT', 'OK']);
  });
});

describe('two logs of one conversation', () => {
  it('give each answer its question, in the order of their times', async () => {
    const opened = new OpenedLogs();
    const line = (second: number, ms: number, digits: string) =>
      `2026-11-20 14:00:0${second}.${ms}  Port 1  RX  ${digits}\n`;
    await opened.open(`${line(1, 100, checked('070300000001'))}${line(2, 100, checked('070300000001'))}`);
    await opened.open(`${line(1, 125, checked('07030200e7'))}${line(2, 130, checked('07030200e8'))}`);
    await opened.bench.call('setDecoder', 1, 'modbus', 2);
    const query = {
      layout: 'text',
      anchor: { position: 0 },
      count: 10,
      channels: ['received-1', 'received-2'],
    } as const;
    const { rows } = await opened.bench.call('rows', query, { frames: { opened: null } });
    expect(rows.map(({ port, text, frame }) => [port, text, frame?.aside])).toEqual([
      [1, 'read 1 from 0', ''],
      [2, 'read 0: 231', '25 ms after Port 1'],
      [1, 'read 1 from 0', ''],
      [2, 'read 0: 232', '30 ms after Port 1'],
    ]);
    expect(await opened.bench.call('frameOverview', 1)).toMatchObject({
      totals: { frames: 4, unanswered: 0 },
      devices: [{ who: '07', questions: 2, answers: 2 }],
    });
  });

  /** Adds the CRC of Modbus (MODBUS over Serial Line V1.02, 6.2.2) to hex digits. */
  function checked(digits: string): string {
    const bytes = Buffer.from(digits, 'hex');
    let crc = 0xffff;
    for (const byte of bytes) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) {
        crc = (crc & 1) === 0 ? crc >> 1 : (crc >> 1) ^ 0xa001;
      }
    }
    return Buffer.from([...bytes, crc & 0xff, crc >> 8]).toString('hex');
  }
});

describe('a log that is larger than the buffer', () => {
  let opened: OpenedLogs;
  /** 13 bytes a line. */
  const file = `${lines(20_000, 'early')}needle 000000\n${lines(20_000, 'later')}`;
  beforeEach(async () => {
    opened = new OpenedLogs();
    opened.worker.bench.resize(minimumBuffer);
    await opened.open(file);
    await vi.waitFor(() => expect(opened.tick?.work).toBeNull());
  });
  afterEach(() => opened.dispose());

  it('is held in parts, without dropping a line', async () => {
    await vi.waitFor(() => expect(opened.first).toMatchObject({ from: 0, size: file.length }));
    const { to = 0 } = opened.first ?? {};
    expect(to).toBeLessThanOrEqual(minimumBuffer);
    expect(to).toBeGreaterThan(0);
    expect(opened.benchTick?.status.droppedLines).toBe(0);
    await opened.logs.call('showPart', 1, to);
    expect((await opened.texts())[0]).toBe(file.slice(to, file.indexOf('\n', to)));
    await vi.waitFor(() => expect(opened.first?.from).toBe(to));
  });

  it('is searched as a whole, and shows the part of the hit', async () => {
    const sequence = await opened.logs.call('findOn', 1, text('NEEDLE'));
    const anchor = { sequence: Number(sequence), part: 0, offset: 0 };
    const { rows } = await opened.bench.call('rows', { layout: 'text', anchor, count: 1 });
    expect(rows[0]?.text).toBe('needle 000000');
    // A quarter of the part is before the line, so that its surroundings can be read.
    const [first] = await opened.rows(1);
    expect(first).toContain('early 0');
    await vi.waitFor(() => expect(opened.first?.from).toBeGreaterThan(0));
    const before = file.indexOf('needle') - (opened.first?.from ?? 0);
    expect(before).toBeGreaterThan((minimumBuffer >> 2) - 'early 000000\n'.length);
    expect(before).toBeLessThan(minimumBuffer >> 1);
    // From there on, the next search goes around to the start.
    expect(await opened.logs.call('findOn', 1, text('early 000001'))).not.toBeNull();
    await vi.waitFor(() => expect(opened.first?.from).toBe(0));
    expect(await opened.logs.call('findOn', 1, text('nowhere'))).toBeNull();
    await vi.waitFor(() => expect(opened.tick?.work).toBeNull());
  });

  it('is exported as a whole', async () => {
    expect(new TextDecoder().decode(await opened.raw())).toBe(file);
  });

  it('stops a search when it is cancelled', async () => {
    const finding = opened.logs.call('findOn', 1, text('nowhere'));
    await opened.logs.call('cancel');
    expect(await finding).toBe('cancelled');
  });
});
