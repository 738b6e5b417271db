import { VirtualClock } from '@wirebench/clock';
import { ChattyBoard, demoUsbIds, SimulatedSerial } from '@wirebench/devices';
import { defaultPortSettings } from '@wirebench/port';
import type { RunPort } from '@wirebench/runs';
import { Bench, type Conversation } from '@wirebench/serial';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { codeFault, type PasteEnd, pasteEndText, pasteFault, sendLines } from './paste-lines.ts';
import { joinedLines, pastedLines } from './pasted-lines.ts';

const text = { mode: 'text', lineEnding: 'lf' } as const;
const hex = { mode: 'hex', lineEnding: 'lf' } as const;

describe('pasted text', () => {
  it('is divided at every kind of line end, without the empty lines at its end', () => {
    expect(pastedLines('a\r\nb\rc\n\nd\n\n', text)).toEqual(['a', 'b', 'c', '', 'd']);
    expect(pastedLines('a\n', text)).toEqual(['a']);
  });

  it('keeps every line as it was', () => {
    const line = fc.string({ maxLength: 20 }).map((content) => content.replaceAll(/[\r\n]/g, ''));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        const last = lines.findLastIndex((content) => content !== '');
        expect(pastedLines(lines.join(end), text)).toEqual(last === -1 ? [''] : lines.slice(0, last + 1));
      }),
    );
  });

  it('in hex has no lines without bytes', () => {
    expect(pastedLines('{ // sync\n0xB5, 0x62,\n/* rate\nis next */ 06 08\n};\n', hex)).toEqual([
      '0xB5, 0x62,',
      '  06 08',
    ]);
  });

  it('is joined by spaces', () => {
    expect(joinedLines(['echo a ', 'b'])).toBe('echo a b');
  });

  it('has the limit of a message in each line, and none as a whole', () => {
    expect(
      pasteFault(
        Array.from({ length: 1_000 }, () => 'x'.repeat(256)),
        text,
      ),
    ).toBeNull();
    expect(pasteFault(['ok', 'x'.repeat(3_000)], text)).toBeNull();
    expect(pasteFault(['B5', 'XY'], hex)).toBe(
      'Line 2: Invalid hex input. Please enter valid hex characters (0-9, A-F)',
    );
  });
});

describe('pasted code', () => {
  it('has no control characters but tabs, which would end paste mode', () => {
    expect(codeFault(['if x:', '\tprint(1)'])).toBeNull();
    expect(codeFault(['a', 'b\x04'])).toBe('Line 2: paste mode takes no control characters but tabs.');
  });

  it('says of every end whether anything ran', () => {
    const says = (end: PasteEnd) => pasteEndText(end, 7, 'Port 1', 'code');
    expect(says({ kind: 'done', sent: 7 })).toBe('7 lines of Python run on Port 1');
    expect(says({ kind: 'cancelled', sent: 3 })).toBe('Stopped: nothing of the code ran on Port 1.');
    expect(says({ kind: 'no-paste-mode', sent: 0 })).toContain('nothing was pasted');
    expect(says({ kind: 'lost', line: 4, sent: 3 })).toMatch(/did not echo line 4 whole, so nothing of the code ran/);
    expect(says({ kind: 'no-answer', sent: 7 })).toContain('did not answer Ctrl+D');
  });
});

describe('lines sent to a board', () => {
  let clock: VirtualClock;
  let bench: Bench;
  let conversation: Conversation;
  let abort: AbortController;
  let counts: number[];
  let unplug: () => void;
  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    bench = new Bench({ clock });
    abort = new AbortController();
    counts = [];
    const bus = new SimulatedSerial();
    const plug = bus.plugIn({ device: new ChattyBoard(), clock, ...demoUsbIds });
    if (plug.port === null) {
      throw new Error('plugged in');
    }
    unplug = () => plug.unplug();
    await bench.connect(1, plug.port, defaultPortSettings);
    await clock.advance(2_000);
    conversation = bench.converse(1);
  });

  const port: RunPort = {
    exchange: (exchange, signal) => conversation.exchange(exchange, signal),
    pause: (duration, signal) => clock.sleep(duration, signal).catch(() => undefined),
  };
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `echo line ${index}`);
  const send = (given: readonly string[], prompt: string) =>
    sendLines({ lines: given, how: text, prompt, port, signal: abort.signal, onSent: (sent) => counts.push(sent) });
  /** Advances the board's time until the lines have ended. */
  const ended = async (sending: Promise<PasteEnd>): Promise<PasteEnd> => {
    let end: PasteEnd | null = null;
    void sending.then((value) => {
      end = value;
    });
    for (let step = 0; step < 20_000 && end === null; step++) {
      await clock.advance(20);
    }
    return sending;
  };
  const received = () => {
    const pieces = [...bench.exportRaw(1)].map((piece) => new TextDecoder().decode(piece));
    return pieces.join('');
  };

  it('wait for its prompt each, a thousand of them, so that it answers every one in order', async () => {
    expect(received().endsWith('demo> ')).toBe(true);
    const end = await ended(send(lines(1_000), 'demo>'));
    expect(end).toEqual({ kind: 'done', sent: 1_000 });
    expect(counts).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    const echoed = [...received().matchAll(/demo> echo line (\d+)\r?\n/g)].map(([, number]) => Number(number));
    expect(echoed).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  }, 60_000);

  it('stop at a line that waits for its prompt, and the count is that of the board', async () => {
    const sending = send(lines(12), 'never>');
    await clock.advance(450);
    abort.abort();
    expect(await ended(sending)).toEqual({ kind: 'cancelled', sent: 1 });
    await clock.advance(1_000);
    expect([...received().matchAll(/demo> echo line \d+\r?\n/g)]).toHaveLength(1);
  });

  it('end with the port, and say how many went', async () => {
    const sending = send(lines(12), 'never>');
    await clock.advance(100);
    unplug();
    const end = await ended(sending);
    expect(end).toEqual({ kind: 'closed', sent: 1 });
    expect(pasteEndText(end, 12, 'Port 1', { prompt: 'never>' })).toBe('Port 1 was closed: 1 of 12 lines went.');
  });

  it('end when the prompt stays away', async () => {
    const end = await ended(send(lines(3), 'never>'));
    expect(end).toEqual({ kind: 'no-prompt', sent: 1 });
    expect(pasteEndText(end, 3, 'Port 1', { prompt: 'never>' })).toBe(
      'never> did not come back within 10 s: 1 of 3 lines went to Port 1.',
    );
  });

  it('are all sent when only the last of them brings no prompt back', async () => {
    expect(await ended(send(['crash'], 'never>'))).toEqual({ kind: 'done', sent: 1 });
  });
});
