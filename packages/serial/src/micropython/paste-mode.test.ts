import { VirtualClock } from '@wirebench/clock';
import type { Device } from '@wirebench/devices';
import { MicroPythonBoard, type MicroPythonOptions } from '@wirebench/devices/micropython';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CodePasteEnd, pasteCode } from './paste-mode.ts';
import { boardLink } from './testing/board-link.ts';

type DeviceLine = Parameters<Device['attach']>[0];

/** An empty line inside of a function, and a line at the margin behind a block. */
const code = [
  'def mean(values):',
  '    total = sum(values)',
  '',
  '    return total / len(values)',
  'for n in (1, 2):',
  "\tprint('n =', n)",
  "print('mean', mean([1, 2, 6]))",
];
const printed = 'n = 1\r\nn = 2\r\nmean 3.0\r\n>>> ';

/** A receiver with a small buffer that is emptied slowly: bytes that come faster are lost. */
function smallBuffer(board: Device, clock: VirtualClock, room: number): Device {
  const held: number[] = [];
  let isRunning = false;
  const step = () => {
    const byte = held.shift();
    isRunning = byte !== undefined;
    if (byte !== undefined) {
      board.receive(Uint8Array.of(byte));
      clock.schedule(0.5, step);
    }
  };
  return {
    link: board.link,
    attach: (line) => board.attach(line),
    detach: () => board.detach(),
    receive: (bytes) => {
      held.push(...bytes.subarray(0, Math.max(0, room - held.length)));
      if (!isRunning) {
        step();
      }
    },
  };
}

/** Prints as CircuitPython does: a title for each change of state, and an echo that comes once the input pauses. */
function circuitPython(board: Device, clock: VirtualClock): Device {
  let line: DeviceLine | null = null;
  let held = '';
  const flush = () => {
    const title = '\x1b]0;🐍Wi-Fi: off | REPL | 10.0.3\x1b\\';
    line?.write(new TextEncoder().encode(title + held.replaceAll('\r\n=== ', '\r')));
    held = '';
  };
  return {
    link: board.link,
    attach: (given) => {
      line = given;
      board.attach({
        ...given,
        write: (bytes) => {
          const text = new TextDecoder().decode(bytes);
          if (text.includes('paste mode;') || !/=== |^[^\r\n>]*$/.test(text)) {
            flush();
            given.write(bytes);
            return;
          }
          held += text;
          clock.schedule(1, flush);
        },
      });
    },
    detach: () => board.detach(),
    receive: (bytes) => board.receive(bytes),
  };
}

async function rig(
  wrap: (board: Device, clock: VirtualClock) => Device = (board) => board,
  options?: MicroPythonOptions,
) {
  const clock = new VirtualClock();
  const board = await MicroPythonBoard.load(options);
  const link = boardLink(wrap(board, clock), clock);
  let received = '';
  const heard = {
    read: async (signal: AbortSignal) => {
      const bytes = await link.read(signal);
      received += new TextDecoder().decode(bytes);
      return bytes;
    },
    write: link.write,
  };
  await clock.settle();
  link.takeAll();
  const stop = new AbortController();
  const lines: number[] = [];
  const paste = async (pasted: readonly string[]): Promise<CodePasteEnd> => {
    let end: CodePasteEnd | Error | null = null;
    pasteCode(pasted, {
      link: heard,
      clock,
      signal: stop.signal,
      finish: link.write,
      onLines: (count) => lines.push(count),
    }).then(
      (value) => {
        end = value;
      },
      (error: Error) => {
        end = error;
      },
    );
    for (let turn = 0; end === null && turn < 10_000; turn++) {
      await clock.advance(1);
    }
    await clock.advance(200);
    received += link.takeAll();
    const result = end as CodePasteEnd | Error | null;
    if (result === null || result instanceof Error) {
      throw result ?? new Error('The paste does not end');
    }
    return result;
  };
  return { board, clock, link, paste, stop, lines, received: () => received };
}

describe('paste mode of the genuine interpreter', () => {
  it('runs code as a file, with empty lines in functions and lines at the margin', async () => {
    const { paste, received, lines } = await rig();
    expect(await paste(code)).toEqual({ kind: 'done' });
    expect(received().endsWith(`=== \r\n${printed}`)).toBe(true);
    expect(lines.at(-1)).toBe(code.length);
  });

  it('prints what the file prints, which typing line by line does not', async () => {
    const files = { '/main.py': code.join('\n') };
    const clock = new VirtualClock();
    const ran = boardLink(await MicroPythonBoard.load({ files }), clock).takeAll();
    expect(ran).toContain(printed.slice(0, -'>>> '.length));
    const typed = await MicroPythonBoard.load();
    const link = boardLink(typed, clock);
    typed.receive(new TextEncoder().encode(code.map((line) => `${line}\r`).join('')));
    expect(link.takeAll()).toContain('IndentationError');
  });

  it('shows the traceback with the line of the pasted code', async () => {
    const { paste, received } = await rig();
    expect(await paste(['x = 1', '', 'print(x / 0)'])).toEqual({ kind: 'done' });
    expect(received()).toMatch(/File "<stdin>", line 3, in <module>\r\nZeroDivisionError: [^\n]*\r\n>>> $/);
  });

  it('works with the titles and the late echo of CircuitPython', async () => {
    const { paste, received } = await rig(circuitPython);
    expect(await paste(code)).toEqual({ kind: 'done' });
    expect(received().endsWith(printed)).toBe(true);
  });

  it('loses nothing at a receiver with 64 bytes', async () => {
    const long = [...code, `note = '${'0123456789'.repeat(60)}'`, 'print(len(note))'];
    const { paste, received } = await rig((board, clock) => smallBuffer(board, clock, 64));
    expect(await paste(long)).toEqual({ kind: 'done' });
    expect(received()).toContain('600\r\n>>> ');
  });

  it('cancels code of which a byte was lost, and says in which line', async () => {
    const { paste, received } = await rig((board, clock) => smallBuffer(board, clock, 20));
    expect(await paste(['a = 1', `print('${'x'.repeat(80)}')`])).toEqual({ kind: 'lost', line: 2 });
    expect(received()).not.toContain(`\n${'x'.repeat(10)}`);
    expect(received().endsWith('>>> ')).toBe(true);
  });

  it('sends nothing of the code to a board that opens no paste mode', async () => {
    const { board, paste, link, received } = await rig();
    board.receive(new TextEncoder().encode('half a line'));
    link.takeAll();
    const before = link.written;
    expect(await paste(code)).toEqual({ kind: 'no-paste-mode' });
    expect(link.written - before).toBe(1);
    expect(received()).not.toContain('===');
  });

  it('brings the board back to its prompt when it is stopped', async () => {
    const { paste, stop, received, clock } = await rig((board, virtual) => smallBuffer(board, virtual, 64));
    clock.schedule(40, () => stop.abort());
    await expect(paste(Array.from({ length: 200 }, (_, line) => `print(${line})`))).rejects.toThrow();
    expect(received().endsWith('\r\n>>> ')).toBe(true);
    expect(received()).not.toContain('\n0\r\n');
  });

  it('hands over any text without control characters, byte by byte', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', '=', ' ', '\t', 'é', '👍', '>', '#', '"'), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), async (lines) => {
        const literal = lines.map((text) => `got += ${JSON.stringify(text.replaceAll('\t', ' '))} # ${text}`);
        const { paste, received } = await rig();
        expect(await paste(["got = ''", ...literal, 'print(len(got.encode()))'])).toEqual({ kind: 'done' });
        const length = new TextEncoder().encode(lines.join('')).length;
        expect(received()).toContain(`\n${length}\r\n>>> `);
      }),
      { numRuns: 10 },
    );
  });
});
