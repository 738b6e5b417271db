/**
 * Compares signals with canmatrix, and lines of an adapter with python-can on a pseudo-terminal: `python3-canmatrix`
 * and `python3-can` of Debian. Runs where they are installed. In the long run, 10,000 frames each.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong, random, randomBytes } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDbcFile } from './dbc-file.ts';
import { readSignals } from './signals.ts';
import { readCanFrame } from './slcan-line.ts';

type Random = ReturnType<typeof random>;

const python = '/usr/bin/python3';
const has = (module: string) =>
  spawnSync(python, ['-c', `import ${module}`], { stdio: 'ignore', timeout: 60_000 }).status === 0;

/** Reads a DBC file and lines of id and data; prints a JSON object of values for each. */
const signalScript = `
import json, sys, math, canmatrix.formats
matrix = list(canmatrix.formats.loadp(sys.argv[1]).values())[0]
def plain(value):
    if isinstance(value, str): return value
    value = float(value) if not isinstance(value, int) else value
    if isinstance(value, float): return repr(value) if math.isfinite(value) else 'none'
    return str(value)
for line in open(sys.argv[2]):
    number, data = line.split()
    frame = matrix.frame_by_id(canmatrix.ArbitrationId.from_compound_integer(int(number)))
    decoded = frame.decode(bytes.fromhex(data))
    print(json.dumps({name: [plain(s.raw_value), plain(s.phys_value), plain(s.named_value)] for name, s in decoded.items()}))
`;

/** Sends lines from a file to python-can through a pseudo-terminal; prints a JSON object for each frame. */
const lineScript = `
import json, os, pty, sys, threading, tty
import can
main, port = pty.openpty()
tty.setraw(main); tty.setraw(port)
lines = open(sys.argv[1], 'rb').read().split(b'\\n')
bus = can.Bus(os.ttyname(port), interface='slcan', sleep_after_open=0)
os.read(main, 4096)
def feed():
    for line in lines:
        os.write(main, line + b'\\r')
threading.Thread(target=feed, daemon=True).start()
for line in lines:
    m = bus.recv(20)
    if m is None: break
    print(json.dumps([m.arbitration_id, m.is_extended_id, m.is_remote_frame, m.dlc, bytes(m.data).hex()]))
os._exit(0)
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-can-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function run(script: string, ...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(python, ['-c', script, ...args], {
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 1 << 28,
  });
  expect(status, stderr).toBe(0);
  return stdout.trimEnd().split('\n');
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const factors = ['1', '1', '0.1', '0.05', '0.125', '-0.5', '1e-3', '0.0078125', '2', '1.5E-2', '100'];
const offsets = ['0', '0', '-40', '5', '-273.15', '1e2'];

/** A DBC signal of 1 to 64 bits somewhere in 8 bytes. */
function signalText(
  name: string,
  mark: string,
  numbers: Random,
  size = 1 + numbers.below(numbers.below(2) === 0 ? 16 : 64),
): string {
  const isBig = numbers.below(2) === 1;
  const from = numbers.below(64 - size + 1);
  // Counted from the highest bit of byte 0 for big-endian signals.
  const start = isBig ? (from & ~7) + 7 - (from & 7) : from;
  const pick = (list: readonly string[]) => list[numbers.below(list.length)] ?? '';
  const sign = numbers.below(2) === 1 ? '-' : '+';
  return ` SG_ ${name} ${mark}: ${start}|${size}@${isBig ? 0 : 1}${sign} (${pick(factors)},${pick(offsets)}) [0|0] "u" X`;
}

/** A file with plain, multiplexed, extended multiplexed and floating-point messages. Identifiers count from 1. */
function fileText(messages: number, numbers: Random): string {
  const lines: string[] = [];
  const tail: string[] = [];
  for (let id = 1; id <= messages; id++) {
    const signals: string[] = [];
    const add = (name: string, mark = '', size?: number) => signals.push(signalText(name, mark, numbers, size));
    const kind = id % 5;
    if (kind === 0) {
      add('F', '', 32);
      add('D', '', 64);
      tail.push(`SIG_VALTYPE_ ${id} F : 1;`, `SIG_VALTYPE_ ${id} D : 2;`);
    } else if (kind === 1 || kind === 2) {
      signals.push(' SG_ Page M : 0|2@1+ (1,0) [0|0] "" X');
      for (let page = 0; page < 4; page++) {
        add(`P${page}`, `m${page} `);
      }
    }
    if (kind === 2) {
      signals.push(' SG_ Inner m1M : 2|2@1+ (1,0) [0|0] "" X');
      tail.push(`SG_MUL_VAL_ ${id} Inner Page 1-1;`);
      for (let page = 0; page < 4; page++) {
        tail.push(
          `SG_MUL_VAL_ ${id} P${page} Page ${page}-${page};`,
          `SG_MUL_VAL_ ${id} I${page} Inner ${page}-${page};`,
        );
        add(`I${page}`, `m${page} `);
      }
    }
    for (let index = 0; index < 3; index++) {
      add(`S${index}`);
    }
    signals.push(' SG_ N : 9|2@1+ (1,0) [0|0] "" X');
    tail.push(`VAL_ ${id} N 0 "zero" 1 "one" 2 "two" ;`);
    lines.push(`BO_ ${id} M${id}: 8 X`, ...signals, '');
  }
  return ['VERSION ""', '', 'BU_: X', '', ...lines, ...tail, ''].join('\n');
}

describe.runIf(has('canmatrix.formats'))('canmatrix', { timeout: 300_000 }, () => {
  it('reads the same values of random signals in random frames', () => {
    const numbers = random('signals');
    const count = isLong ? 10_000 : 500;
    const text = fileText(100, numbers);
    const frames = Array.from({ length: count }, (_, index) => {
      const data = randomBytes(8, numbers);
      // Small numbers have names.
      return { id: 1 + (index % 100), data: index % 3 === 0 ? data.map((byte) => byte & 3) : data };
    });
    const list = frames.map(({ id, data }) => `${id} ${Buffer.from(data).toString('hex')}`).join('\n');
    const theirs = run(signalScript, write('random.dbc', text), write('frames.txt', list));
    const file = readDbcFile(text);
    expect(file.faults).toEqual([]);
    let names = 0;
    for (const [index, { id, data }] of frames.entries()) {
      const message = file.find(id, false);
      const ours = (message === null ? [] : readSignals(message, data)).map(
        // canmatrix looks a name up by the scaled value. The format names raw values, so only equal ones are compared.
        ({ signal, raw, value, named }) => [signal.name, raw, value, signal.scale.how === null ? named : null] as const,
      );
      const read = JSON.parse(theirs[index] ?? '') as Record<string, readonly [string, string, string]>;
      const label = `${id} ${Buffer.from(data).toString('hex')}`;
      expect(ours.map(([name]) => name).toSorted(), label).toEqual(Object.keys(read).toSorted());
      for (const [name, raw, value, named] of ours) {
        const [theirRaw, theirValue, theirName] = read[name] ?? ['', '', ''];
        if (theirRaw !== 'none') {
          expect(typeof raw === 'bigint' ? raw : Number(raw), `${label} ${name}`).toEqual(
            typeof raw === 'bigint' ? BigInt(theirRaw) : Number(theirRaw),
          );
          // Its decimals have no largest value.
          if (theirValue === 'none') {
            expect(Number.isFinite(Number(value)), `${label} ${name}`).toBe(false);
          } else {
            expect(Number(value), `${label} ${name}`).toBeCloseTo(Number(theirValue), closeness(Number(theirValue)));
          }
          if (named !== null) {
            names += named === undefined ? 0 : 1;
            expect(named ?? '', `${label} ${name}`).toBe(/^[a-z]+$/.test(theirName) ? theirName : '');
          }
        }
      }
    }
    expect(names).toBeGreaterThan(0);
  });
});

/** Digits behind the point within which doubles of this size are equal but for the last bits. */
function closeness(value: number): number {
  return Math.min(12, 12 - Math.ceil(Math.log10(Math.max(1, Math.abs(value)))));
}

describe.runIf(has('can'))('python-can', { timeout: 300_000 }, () => {
  it('reads the same frames from random lines', () => {
    const numbers = random('lines');
    const lines = Array.from({ length: isLong ? 10_000 : 500 }, () => {
      const isExtended = numbers.below(2) === 1;
      const isRemote = numbers.below(5) === 0;
      const id = numbers.below(isExtended ? 0x2000_0000 : 0x800);
      const length = numbers.below(9);
      const data = isRemote ? '' : Buffer.from(randomBytes(length, numbers)).toString('hex');
      const letter = isRemote ? 'r' : 't';
      const digits = `${id.toString(16).padStart(isExtended ? 8 : 3, '0')}${length}${data}`;
      return `${isExtended ? letter.toUpperCase() : letter}${numbers.below(2) === 1 ? digits : digits.toUpperCase()}`;
    });
    const theirs = run(lineScript, write('lines.txt', lines.join('\n')));
    expect(theirs).toHaveLength(lines.length);
    for (const [index, line] of lines.entries()) {
      const frame = readCanFrame(new TextEncoder().encode(line));
      const ours =
        frame === null
          ? null
          : [frame.id, frame.isExtended, frame.isRemote, frame.length, Buffer.from(frame.data).toString('hex')];
      expect(ours, line).toEqual(JSON.parse(theirs[index] ?? ''));
    }
  });
});
