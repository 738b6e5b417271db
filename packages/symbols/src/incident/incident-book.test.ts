import { describe, expect, it } from 'vitest';
import { PanicRecogniser } from '../panic/panic-recogniser.ts';
import { IncidentBook } from './incident-book.ts';

const panic = [
  "Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.",
  'Core  1 register dump:',
  'PC      : 0x400d5b3e  PS      : 0x00060f30  A0      : 0x800d5c81  A1      : 0x3ffb4e10',
  'Backtrace: 0x400d5b3b:0x3ffb4e10 0x400d5c7e:0x3ffb4e30',
  'ELF file SHA256: 7d0c5e1b94a2f368',
  'Rebooting...',
];
const restart = ['ets Jul 29 2019 12:21:46', '', 'rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)'];
const powerOn = ['ets Jul 29 2019 12:21:46', 'rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)'];
const build = 'I (151) cpu_start: ELF file SHA256:  aabbccdd0011';

/** Reads a log with a line each millisecond, and a pause before each of its parts. */
function read(parts: readonly (readonly string[])[], pause = 1, book = new IncidentBook()): IncidentBook {
  const recogniser = new PanicRecogniser();
  let at = 0;
  let sequence = 0;
  for (const part of parts) {
    at += pause;
    for (const text of part) {
      at++;
      sequence++;
      const mark = recogniser.line(text);
      if (mark !== undefined) {
        book.add(1, mark, { sequence, at, text }, recogniser.chip ?? null);
      }
    }
  }
  return book;
}

const kinds = (book: IncidentBook) => book.incidents.map(({ lines }) => lines.map(({ kind }) => kind));

describe('incident book', () => {
  it('takes a panic, its dump and the restart after it for one crash', () => {
    const book = read([panic, restart]);
    expect(kinds(book)).toEqual([['panic', 'registers', 'registers', 'backtrace', 'elf-hash', 'reset']]);
    expect(book.incidents[0]).toMatchObject({ severity: 'fault', hash: '7d0c5e1b94a2f368', at: 2 });
  });

  it('treats a restart alone as intended, the newest first', () => {
    const book = read([powerOn, panic, restart, powerOn]);
    expect(book.incidents.map(({ severity }) => severity)).toEqual(['notice', 'fault', 'notice']);
    expect(book.incidents.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  it('distinguishes two crashes that follow each other', () => {
    expect(read([panic, panic]).incidents).toHaveLength(2);
    expect(read([panic, restart, panic, restart]).incidents).toHaveLength(2);
  });

  it('distinguishes a crash from the one whose line it cuts short', () => {
    const cut = 'Core  1 register dump:\nPC      : 0x400d5b3e  PS      : 0x00060f30  A0Guru Meditation Error: Core  0 ';
    const book = read([[panic[0] ?? '', ...`${cut}panic'ed (Cache error). `.split('\n')]]);
    expect(kinds(book)).toEqual([['panic'], ['panic', 'registers', 'registers']]);
  });

  it('does not join what came long after', () => {
    expect(kinds(read([panic, restart], 11_000))).toEqual([
      ['reset'],
      ['panic', 'registers', 'registers', 'backtrace', 'elf-hash'],
    ]);
  });

  it('keeps the reasons together that are printed before one dump', () => {
    const book = read([
      [
        "Guru Meditation Error: Core  0 panic'ed (Unhandled debug exception).",
        'Debug exception reason: Stack canary watchpoint triggered (main) ',
      ],
      panic.slice(1),
    ]);
    expect(kinds(book)[0]?.slice(0, 3)).toEqual(['panic', 'stack-overflow', 'registers']);
    expect(book.incidents).toHaveLength(1);
  });

  it('knows the build by what the board said when it started, where the panic does not say', () => {
    const silent = panic.filter((line) => !line.startsWith('ELF'));
    expect(read([[...powerOn, build], silent]).incidents[0]?.hash).toBe('aabbccdd0011');
    expect(read([[...powerOn, build], panic]).incidents[0]?.hash).toBe('7d0c5e1b94a2f368');
  });

  it('takes a start and what the ROM says behind it for one restart', () => {
    const start = [' ets Jan  8 2013,rst cause:4, boot mode:(3,7)', '', 'wdt reset', 'load 0x4010f000, len 1392'];
    const book = read([start, start]);
    expect(kinds(book)).toEqual([
      ['reset', 'watchdog'],
      ['reset', 'watchdog'],
    ]);
    expect(kinds(read([start, ['Soft WDT reset']]))).toEqual([['watchdog'], ['reset', 'watchdog']]);
  });

  it('takes a task watchdog with the backtraces of two cores for one crash', () => {
    const task = 'E (10303) task_wdt:';
    const book = read([
      [
        `${task} Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:`,
        `${task}  - IDLE0 (CPU 0)`,
        `${task} Print CPU 0 (current core) backtrace`,
        'Backtrace: 0x400d2a18:0x3ffb5030',
        `${task} Print CPU 1 backtrace`,
        'Backtrace: 0x400d4e6d:0x3ffb6080',
      ],
    ]);
    expect(book.incidents).toHaveLength(1);
    expect(book.incidents[0]?.lines.filter(({ addresses }) => addresses.length > 0).map(({ core }) => core)).toEqual([
      0, 1,
    ]);
  });

  it('makes nothing of a detail that belongs to nothing', () => {
    expect(read([[build]]).incidents).toEqual([]);
  });

  it('keeps the newest of a board that restarts without end', () => {
    const book = read(Array.from({ length: 80 }, () => powerOn));
    expect(book.incidents).toHaveLength(50);
    expect(book.incidents[0]?.id).toBe(80);
  });

  it('bounds an incident that does not end', () => {
    const invalid = Array.from({ length: 1_000 }, () => 'invalid header: 0xffffffff');
    const book = read([powerOn, invalid]);
    expect(book.incidents).toHaveLength(1);
    expect(book.incidents[0]?.lines).toHaveLength(400);
    expect(book.incidents[0]?.severity).toBe('fault');
    expect(book.incidents[0]?.lines.flatMap(({ missing }) => missing ?? [])).toEqual([
      'Only the first 400 lines of this report are kept: frames may be missing.',
    ]);
  });

  it('continues a report after a pause where it is certain that it goes on', () => {
    const report = ['*** CRASH DETECTED ON PREVIOUS BOOT ***', 'PC:  0x4018F32B  (fault location)'];
    const frames = ['BT0: 0x4018F32B  (backtrace)', 'BT1: 0x4018F30D  (backtrace)'];
    expect(kinds(read([report, frames], 11_000))).toEqual([['panic', 'registers', 'backtrace', 'backtrace']]);
  });

  it('shortens a long line with an ellipsis', () => {
    const [line] = read([[`Backtrace:${' 0x400d5b3b:0x3ffb4e10'.repeat(40)}`]]).incidents[0]?.lines ?? [];
    expect(line?.text).toMatch(/^Backtrace:.{389}…$/);
    expect(line?.addresses).toHaveLength(40);
  });

  it('forgets all when the log is cleared', () => {
    const book = read([panic]);
    book.clear();
    expect(book.incidents).toEqual([]);
    read([panic], 1, book);
    expect(book.incidents.map(({ id }) => id)).toEqual([2]);
  });

  it('keeps the registers behind a stack of a thousand rows', () => {
    const address = (row: number) => (0x2000_0000 + 4 * row).toString(16).padStart(8, '0');
    const stack = Array.from(
      { length: 1_024 },
      (_, row) => `  addr: ${address(row)}    data: 0800${row.toString(16).padStart(4, '0')}`,
    );
    const registers = '  R12: 00000000  LR : 08000b35  PC : 08000a2c  PSR: 61000000';
    const book = read([['Fault on interrupt or bare metal(no OS) environment', ...stack, registers]]);
    const [{ lines } = { lines: [] }] = book.incidents;
    expect(lines.at(-1)?.registers).toMatchObject({ pc: 0x0800_0a2c });
    expect(lines.flatMap(({ memory }) => memory?.words ?? [])).toHaveLength(1_024);
    expect(lines.flatMap(({ addresses }) => addresses).at(-1)?.value).toBe(0x0800_0a2c);
    expect(lines.length).toBeLessThan(30);
  });

  it('keeps stack rows apart that do not follow each other', () => {
    const rows = ['20000000', '20000004', '20000010'].map((at) => `  addr: ${at}    data: 08000a1d`);
    const book = read([['Fault on interrupt or bare metal(no OS) environment', ...rows]]);
    expect(book.incidents[0]?.lines.map(({ memory }) => memory?.words.length)).toEqual([undefined, 2, 1]);
  });
});
