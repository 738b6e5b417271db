import { VirtualClock } from '@wirebench/clock';
import { MicroPythonBoard, type MicroPythonOptions } from '@wirebench/devices/micropython';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteLink } from '../transfer/byte-link.ts';
import { boardErrorOf } from './board-error.ts';
import { decodeName, parsePythonBytes, pathLiteral, pathText, pythonBytes, pythonString } from './python-text.ts';
import { type ExecuteOptions, RawRepl } from './raw-repl.ts';
import { boardLink } from './testing/board-link.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const quiet = () => new AbortController().signal;

async function rig(options: MicroPythonOptions = {}) {
  const clock = new VirtualClock();
  const board = await MicroPythonBoard.load(options);
  const link = boardLink(board, clock);
  const repl = new RawRepl({ link, clock, signal: quiet() });
  return { clock, board, link, repl };
}

/** A board that answers every write with what a test says. */
function answering(answer: (bytes: Uint8Array) => Uint8Array | null): ByteLink {
  const waiting: Uint8Array[] = [];
  let wake: (() => void) | null = null;
  return {
    read: async (signal) => {
      while (waiting.length === 0) {
        signal.throwIfAborted();
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      return waiting.shift() ?? new Uint8Array();
    },
    write: async (bytes) => {
      const given = answer(bytes);
      if (given !== null) {
        waiting.push(given);
        wake?.();
      }
    },
  };
}

async function ended<Result>(clock: VirtualClock, work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const done = () => {
    isOver = true;
  };
  work.then(done, done);
  await clock.settle();
  while (!isOver) {
    await clock.advance(100);
  }
  return work;
}

describe('raw REPL of the genuine interpreter', () => {
  it.each([null, 1, 32, 128, 65_535])('runs code with a paste window of %s', async (pasteWindow) => {
    const { clock, repl } = await rig({ pasteWindow });
    await ended(clock, repl.enter(false));
    const code = `# ${'x'.repeat(700)}\nprint('é', 1 + 1)\n`;
    const { output, error } = await ended(clock, repl.execute(code));
    expect([text(output), error]).toEqual(['é 2\r\n', '']);
    expect(repl.canPaste).toBe(pasteWindow !== null);
    expect(repl.wasInterrupted).toBe(false);
  });

  it('returns the traceback of an exception, and runs on', async () => {
    const { clock, repl } = await rig();
    await ended(clock, repl.enter(false));
    const { output, error } = await ended(clock, repl.execute('print(1)\n1/0\n'));
    expect(text(output)).toBe('1\r\n');
    expect(error).toMatch(/ZeroDivisionError: divide by zero\s*$/);
    expect(text((await ended(clock, repl.execute('print(3)'))).output)).toBe('3\r\n');
  });

  it('ends with the board that refuses code by its flow control', async () => {
    const { clock, repl } = await rig({ maxPaste: 100 });
    await ended(clock, repl.enter(false));
    const { error } = await ended(clock, repl.execute(`# ${'x'.repeat(5_000)}`));
    expect(error).toContain('MemoryError');
    expect(text((await ended(clock, repl.execute('print(3)'))).output)).toBe('3\r\n');
  });

  it('leaves a running program alone without leave, and interrupts it with', async () => {
    const program = "while True:\n  print('tick')\n";
    const { clock, link, repl } = await rig({ files: { '/main.py': program } });
    await expect(ended(clock, repl.enter(false))).rejects.toMatchObject({ code: 'busy' });
    await ended(clock, repl.enter(true));
    expect(repl.wasInterrupted).toBe(true);
    expect(text((await ended(clock, repl.execute('print(3)'))).output)).toBe('3\r\n');
    await ended(clock, repl.softReset());
    repl.close();
    await clock.settle();
    expect(link.takeAll()).not.toContain('>>>');
    const again = new RawRepl({ link, clock, signal: quiet() });
    await expect(ended(clock, again.enter(false))).rejects.toMatchObject({ code: 'busy' });
  });

  it('interrupts a half typed line only with leave', async () => {
    const { board, clock, repl } = await rig();
    board.receive(new TextEncoder().encode('half'));
    await expect(ended(clock, repl.enter(false))).rejects.toMatchObject({ code: 'busy' });
    await ended(clock, repl.enter(true));
    expect(text((await ended(clock, repl.execute('print(3)'))).output)).toBe('3\r\n');
  });

  it('passes output on while code runs, and stops it with Ctrl+C', async () => {
    const { board, clock, repl } = await rig();
    await ended(clock, repl.enter(false));
    board.interruptAfter(20);
    let printed = '';
    const onOutput = (bytes: Uint8Array) => {
      printed += text(bytes);
    };
    const options: ExecuteOptions = { onOutput };
    const { output, error } = await ended(clock, repl.execute("while True:\n  print('tick')\n", options));
    expect(output).toHaveLength(0);
    expect(printed.match(/tick/g)?.length).toBeGreaterThan(19);
    expect(error).toMatch(/KeyboardInterrupt/);
  });

  it('sends Ctrl+C to code that waits for it, when it is stopped', async () => {
    const { board, clock, repl } = await rig();
    await ended(clock, repl.enter(false));
    board.waitForInterrupt(3);
    const stop = new AbortController();
    let printed = '';
    const onOutput = (bytes: Uint8Array) => {
      printed += text(bytes);
    };
    const run = repl.execute("while True:\n  print('tick')\n", { onOutput, silence: 60_000, stop: stop.signal });
    await clock.advance(5_000);
    expect(printed).toBe('tick\r\n'.repeat(3));
    stop.abort();
    expect((await ended(clock, run)).error).toMatch(/KeyboardInterrupt/);
  });
});

describe('raw REPL of a hostile board', () => {
  const raw = 'raw REPL; CTRL-B to exit\r\n>';
  const bytes = (given: string) => Uint8Array.from(given, (character) => character.charCodeAt(0));
  /** Answers Ctrl+A as a board does, and the rest as a test says. */
  const entered = async (rest: (written: string) => string | null, maxBytes?: number) => {
    const clock = new VirtualClock();
    const link = answering((written) => {
      const answer = written[0] === 1 ? raw : rest(String.fromCharCode(...written));
      return answer === null
        ? null
        : bytes(answer.repeat(maxBytes === undefined ? 1 : Math.ceil(maxBytes / answer.length)));
    });
    const repl = new RawRepl({ link, clock, signal: quiet() });
    await ended(clock, repl.enter(false));
    return ended(
      clock,
      repl.execute('print(1)').then(
        () => 'done',
        (error: { readonly code: string }) => error.code,
      ),
    );
  };

  it.each([
    ['never answers', 'no-answer', () => null],
    ['has a window of nothing', 'out-of-step', () => 'R\x01\0\0'],
    ['answers something else', 'out-of-step', () => 'xx'],
    [
      'breaks its flow control',
      'out-of-step',
      (written: string) => (written.includes('\x05A') ? 'R\x01\x08\0' : '\x09'),
    ],
    [
      'starts again',
      'reset',
      (written: string) => (written.includes('\x05A') ? 'R\x01\x80\0' : '\r\nrst:0x1 (POWERON)'),
    ],
  ] as const)('fails on a board that %s with %s', async (_name, code, rest) => {
    expect(await entered(rest)).toBe(code);
  });

  it('refuses endless output before it fills the memory', async () => {
    const answer = (written: string) =>
      written.includes('\x05A') ? 'R\x01\x80\0' : `\x04${'x'.repeat((1 << 20) + 1)}`;
    expect(await entered(answer)).toBe('too-much-output');
  });
});

describe('raw REPL of a board with a late prompt', () => {
  const raw = 'raw REPL; CTRL-B to exit\r\n>';

  /** Takes keys as a board does, once its prompt is there, and answers Ctrl+A late and plain code at once. */
  async function late(prepare: (say: (given: string) => void, clock: VirtualClock) => (key: number) => void) {
    const clock = new VirtualClock();
    const waiting: Uint8Array[] = [];
    let wake: (() => void) | null = null;
    const take = prepare((given) => {
      waiting.push(Uint8Array.from(given, (character) => character.charCodeAt(0)));
      wake?.();
    }, clock);
    const repl = new RawRepl({
      clock,
      signal: quiet(),
      link: {
        write: async (written) => written.forEach(take),
        read: async (signal) => {
          while (waiting.length === 0) {
            signal.throwIfAborted();
            await new Promise<void>((resolve) => {
              wake = resolve;
              signal.addEventListener('abort', () => resolve(), { once: true });
            });
          }
          return waiting.shift() ?? new Uint8Array();
        },
      },
    });
    return { clock, repl };
  }

  /** A board in its raw REPL, without raw paste. Ctrl+A prints its prompt again. */
  function rawKeys(say: (given: string) => void) {
    let code = '';
    return (key: number) => {
      if (key === 1) {
        say(code === '\x05A' ? 'R\0' : raw);
        code = '';
      } else if (key === 4) {
        const printed = /print\('?(.*?)'?\)/.exec(code)?.[1] ?? '';
        say(`OK${printed}\r\n\x04\x04>`);
        code = '';
      } else {
        code += String.fromCharCode(key);
      }
    };
  }

  it('waits for the raw prompt when the prompt of a start comes in a read of its own', async () => {
    const { clock, repl } = await late((say, time) => {
      let isRaw = false;
      const inRaw = rawKeys(say);
      return (key) => {
        if (isRaw) {
          inRaw(key);
        } else if (key === 1) {
          isRaw = true;
          say('>>> ');
          time.schedule(200, () => say(`\r\n${raw}`));
        }
      };
    });
    await ended(clock, repl.enter(false));
    expect(text((await ended(clock, repl.execute('print(3)'))).output)).toBe('3\r\n');
  });

  it('finds the raw prompt with the output of a thread behind it in the same read', async () => {
    const { clock, repl } = await late((say) => {
      let isRaw = false;
      const inRaw = rawKeys(say);
      return (key) => {
        if (isRaw) {
          inRaw(key);
        } else if (key === 1) {
          isRaw = true;
          say(`tick\r\n${raw}tick\r\nti`);
        }
      };
    });
    await ended(clock, repl.enter(false));
    expect(text((await ended(clock, repl.execute('print(3)'))).output)).toBe('3\r\n');
  });

  it('finds no raw prompt in front of the prompt of a board that has left it', async () => {
    const { clock, repl } = await late((say, time) => {
      let isRaw = false;
      const inRaw = rawKeys(say);
      return (key) => {
        if (isRaw) {
          inRaw(key);
        } else if (key === 1) {
          isRaw = true;
          say(`${raw}\r\n>>> `);
          time.schedule(200, () => say(`\r\n${raw}`));
        }
      };
    });
    await ended(clock, repl.enter(false));
    expect(text((await ended(clock, repl.execute('print(3)'))).output)).toBe('3\r\n');
  });

  it('lets a program end its finally after one Ctrl+C, and skips the prompts of early Ctrl+A', async () => {
    let interrupts = 0;
    const { clock, repl } = await late((say, time) => {
      let isRaw = false;
      const early: number[] = [];
      const inRaw = rawKeys(say);
      return (key) => {
        if (isRaw) {
          inRaw(key);
        } else if (key === 3) {
          interrupts++;
          time.schedule(500, () => {
            say('Traceback (most recent call last):\r\nKeyboardInterrupt: \r\n>>> ');
            isRaw = early.includes(1);
            early.filter((given) => given === 1).forEach(inRaw);
          });
        } else {
          early.push(key);
        }
      };
    });
    await ended(clock, repl.enter(true));
    expect(interrupts).toBe(1);
    expect(text((await ended(clock, repl.execute('print(3)'))).output)).toBe('3\r\n');
    expect(text((await ended(clock, repl.execute('print(4)'))).output)).toBe('4\r\n');
  });
});

describe('names of files', () => {
  it('keep bytes that are no UTF-8, apart from characters', () => {
    const name = decodeName(Uint8Array.of(0x63, 0xe9, 0xc3, 0xa9, 0xff));
    expect(name).toBe('c\udce9é\udcff');
    expect(pathText(`/sd/${name}`)).toBe('/sd/c\\xE9é\\xFF');
    expect(pathLiteral(`/${name}`)).toBe("b'/c\\xe9\\xc3\\xa9\\xff'");
    expect(pathLiteral('/é.py')).toBe("'/é.py'");
  });

  it('are read back from any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const literal = pathLiteral(decodeName(bytes));
        expect(literal.startsWith('b') ? parsePythonBytes(literal) : bytes).toEqual(bytes);
      }),
    );
  });
});

describe('Python literals', () => {
  it('are read back with every byte', () => {
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(parsePythonBytes(pythonBytes(all))).toEqual(all);
    expect(parsePythonBytes(`b"it's"`)).toEqual(new TextEncoder().encode("it's"));
  });

  it.each(['', 'b', "b'", "b'\\q'", "b'\\x4'", "'a'", "b'é'"])('refuses %j', (literal) => {
    expect(parsePythonBytes(literal)).toBeNull();
  });

  it('quote characters that would end a string or leave the raw REPL', () => {
    expect(pythonString("a'b\\c\x03\x04\nü")).toBe("'a\\'b\\\\c\\x03\\x04\\x0aü'");
  });
});

describe('errors of boards', () => {
  it.each([
    ['OSError: [Errno 2] ENOENT', 'missing'],
    ['OSError: 28', 'full'],
    ['OSError: [Errno 51] ENOSPC', 'full'],
    ['OSError: [Errno 30] Read-only filesystem', 'read-only'],
    ['OSError: 30', 'read-only'],
    ['OSError: [Errno 39] ENOTEMPTY', 'not-empty'],
    ['MemoryError: memory allocation failed, allocating 4096 bytes', 'no-memory'],
    ['KeyboardInterrupt: ', 'interrupted'],
    ['OSError: [Errno 5] EIO', 'exception'],
    ['ValueError: \x1b[31mred', 'exception'],
  ])('%j is %s', (line, code) => {
    const error = boardErrorOf(`Traceback (most recent call last):\r\n  File "<stdin>", line 1\r\n${line}\r\n`, '/a');
    expect(error.code).toBe(code);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(error.message).not.toMatch(/[\x00-\x1f]|\{/);
  });
});
