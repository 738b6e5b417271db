import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { latin1, utf8 } from './testing/line-channels.ts';
import { allRows, connected, notices, type TestRig, testRig } from './testing/test-rig.ts';

/** A Zephyr shell on a UART: 64 bytes of buffer, emptied every 8 ms. What comes faster is lost. */
class SlowShell extends FakeSerialPort {
  taken = '';
  #held: number[] = [];

  constructor({ clock }: TestRig) {
    super();
    this.onWrite = (bytes) => {
      this.#held.push(...bytes.subarray(0, 64 - this.#held.length));
    };
    const empty = () => {
      this.taken += latin1(Uint8Array.from(this.#held.splice(0, 16)));
      clock.schedule(8, empty);
    };
    empty();
  }
}

const command = `bt test_tx ${Array.from({ length: 60 }, (_, index) => `${index + 10}`).join(' ')}\n`;

describe('text in pieces', () => {
  let test: TestRig;
  let device: FakeSerialPort;
  beforeEach(async () => {
    test = testRig({ reconnect: false });
    device = await connected(test);
  });
  const written = () => latin1(Uint8Array.from(device.written));
  const settled = async (sending: Promise<unknown>) => {
    const outcome = sending.then(
      () => 'sent',
      (error: Error) => error.message,
    );
    await test.clock.settle();
    return outcome;
  };

  it('arrives whole at a shell with a buffer of 64 bytes, which loses text that comes at once', async () => {
    const other = testRig();
    for (const pieces of [null, { bytes: 8, pause: 10 }]) {
      const shell = new SlowShell(other);
      const port = pieces === null ? 1 : 2;
      await connected(other, port, shell);
      other.bench.setPieces(port, pieces);
      void other.bench.send(port, utf8(command));
      await other.clock.advance(3_000);
      expect(shell.taken === command).toBe(pieces !== null);
    }
  });

  it('rests behind the wire, and for every sender of the port', async () => {
    test.bench.setPieces(1, { bytes: 4, pause: 10 });
    void test.bench.send(1, utf8('12345678'));
    void test.bench.type(1, utf8('keys'));
    await test.clock.settle();
    expect(written()).toBe('1234');
    await test.clock.advance(10);
    expect(written()).toBe('1234');
    await test.clock.advance(1);
    expect(written()).toBe('12345678');
    await test.clock.advance(11);
    expect(written()).toBe('12345678keys');
    expect(test.bench.status().ports[1].sent).toBe(12);
  });

  it('keeps every byte in its order, for all senders together', async () => {
    const sendings = fc.array(
      fc.record({ kind: fc.constantFrom('send', 'type', 'lines'), text: fc.stringMatching(/^[a-z]{0,12}$/) }),
      { maxLength: 8 },
    );
    const pieces = fc.option(
      fc.record({ bytes: fc.integer({ min: 1, max: 9 }), pause: fc.integer({ min: 1, max: 9 }) }),
    );
    await fc.assert(
      fc.asyncProperty(sendings, pieces, async (all, pace) => {
        const other = testRig();
        const port = await connected(other);
        other.bench.setPieces(1, pace);
        for (const { kind, text } of all) {
          const bytes = utf8(text);
          if (kind === 'send') {
            void other.bench.send(1, bytes);
          } else if (kind === 'type') {
            void other.bench.type(1, bytes);
          } else {
            void other.bench.sendLines(1, [bytes, utf8('|')], { pause: 5, onSent: () => undefined });
          }
        }
        await other.clock.advance(1_500);
        const expected = all.map(({ kind, text }) => (kind === 'lines' ? `${text}|` : text));
        expect(latin1(Uint8Array.from(port.written))).toBe(expected.join(''));
        expect(other.bench.sending(1)).toBeNull();
      }),
      { numRuns: 40 },
    );
  });

  it('lets files keep their own pace', async () => {
    test.bench.setPieces(1, { bytes: 1, pause: 1_000 });
    const content = utf8('0123456789');
    const file = { name: 'a', size: 10, read: async (from: number, to: number) => content.slice(from, to) };
    const sent = test.bench.jobs.sendFile(1, file, { pace: { kind: 'free' } });
    await test.clock.settle();
    expect(written()).toBe('0123456789');
    expect(await sent).toMatchObject({ outcome: 'complete' });
  });

  it('shows its progress from a second on', async () => {
    test.bench.setPieces(1, { bytes: 1, pause: 100 });
    void test.bench.send(1, utf8('short'));
    await test.clock.settle();
    expect(test.bench.sending(1)).toBeNull();
    void test.bench.send(1, utf8('a longer text'));
    await test.clock.settle();
    expect(test.bench.sending(1)).toEqual({ sent: 1, total: 18 });
    await test.clock.advance(5_000);
    expect(test.bench.sending(1)).toBeNull();
  });

  it('stops at once by Ctrl+C, which is sent, and drops what waits behind', async () => {
    test.bench.setPieces(1, { bytes: 4, pause: 1_000 });
    const long = settled(test.bench.send(1, utf8('echo 0123456789\n')));
    const waiting = settled(test.bench.type(1, utf8('more')));
    await test.clock.settle();
    await test.bench.type(1, Uint8Array.of(3));
    expect(await long).toBe('Stopped: nothing more went to Port 1.');
    expect(await waiting).toBe('Stopped: nothing more went to Port 1.');
    expect(written()).toBe('echo\x03');
    expect(notices(test.bench).slice(-1)).toEqual(['Stopped: 4 of 20 bytes went to Port 1.']);
    await test.clock.advance(60_000);
    expect(written()).toBe('echo\x03');
    await test.bench.send(1, utf8('next'));
    expect(written()).toBe('echo\x03next');
  });

  it('keeps Ctrl+C behind a few keys that are still on their way', async () => {
    test.bench.setPieces(1, { bytes: 1, pause: 10 });
    void test.bench.type(1, utf8('abc'));
    void test.bench.type(1, Uint8Array.of(3));
    await test.clock.advance(100);
    expect(written()).toBe('abc\x03');
  });

  it('stops at once at a port that takes nothing', async () => {
    test.bench.setPieces(1, { bytes: 4, pause: 1_000 });
    device.hold('write');
    const sending = settled(test.bench.send(1, utf8('0123456789')));
    await test.clock.settle();
    test.bench.stopSending(1);
    expect(await sending).toBe('Stopped: nothing more went to Port 1.');
  });

  it('ends with a sentence when the port is closed', async () => {
    test.bench.setPieces(1, { bytes: 4, pause: 1_000 });
    const sending = settled(test.bench.send(1, utf8('0123456789')));
    await test.clock.settle();
    const closing = test.bench.disconnect(1);
    await test.clock.advance(5_000);
    await closing;
    expect(await sending).toBe('Port 1 was closed: 4 of 10 bytes went to it.');
    expect(notices(test.bench)).toContain('Port 1 was closed: 4 of 10 bytes went to it.');
  });

  it('ends with a sentence when a write fails', async () => {
    test.bench.setPieces(1, { bytes: 4, pause: 1_000 });
    const sending = settled(test.bench.send(1, utf8('0123456789')));
    await test.clock.settle();
    device.writeError = new DOMException('The device is stuck.', 'UnknownError');
    await test.clock.advance(10_000);
    expect(await sending).toContain('4 of 10 bytes');
    expect(notices(test.bench).join('\n')).toContain('Sending to Port 1 failed: The device is stuck.');
  });

  it('refuses a transfer in its middle', async () => {
    test.bench.setPieces(1, { bytes: 4, pause: 1_000 });
    void settled(test.bench.send(1, utf8('0123456789')));
    expect(() => test.bench.jobs.holdForTransfer(1, () => undefined)).toThrow('Text is still being sent to Port 1.');
    test.bench.stopSending(1);
  });

  it('gives a message its time before its answer is late, and its echo is late', async () => {
    test.bench.setPieces(1, { bytes: 1, pause: 500 });
    device.receive('gw> ');
    await test.clock.settle();
    const talk = test.bench.converse(1);
    const answers = [{ kind: 'bytes', bytes: utf8('OK') }] as const;
    const never = new AbortController().signal;
    const asked = talk.exchange({ bytes: utf8('AT+GMR\n'), answers, fresh: true, timeout: 1_000 }, never);
    await test.clock.advance(4_000);
    device.receive('AT+GMR\r\nOK\r\n');
    await test.clock.settle();
    expect(await asked).toMatchObject({ kind: 'answered' });
    expect(test.bench.rows({ layout: 'text', anchor: { position: 0 }, count: 9, joinsEchoes: true }).rows).toHaveLength(
      3,
    );
    talk.end();
  });

  it('ends with the exchange that it belongs to', async () => {
    test.bench.setPieces(1, { bytes: 1, pause: 500 });
    const talk = test.bench.converse(1);
    const abort = new AbortController();
    for (const answers of [[], [{ kind: 'bytes', bytes: utf8('OK') }]] as const) {
      const asked = talk.exchange({ bytes: utf8('AT+GMR\n'), answers, fresh: true, timeout: 1_000 }, abort.signal);
      await test.clock.settle();
      abort.abort();
      expect(await asked).toMatchObject({ kind: 'cancelled' });
      await test.clock.advance(5_000);
      expect(written()).toBe('A');
    }
    talk.end();
  });

  it('is refused with pieces that would never be sent', () => {
    for (const pieces of [
      { bytes: 0, pause: 1 },
      { bytes: 1.5, pause: 1 },
      { bytes: 8, pause: 0 },
    ]) {
      expect(() => test.bench.setPieces(1, pieces)).toThrow(RangeError);
    }
  });
});

describe('pasted lines', () => {
  it('rest on the wire after each, stand in the log one by one, and keep typing behind them', async () => {
    const test = testRig();
    const device = new FakeSerialPort();
    await test.bench.connect(1, device, { ...defaultPortSettings, baudRate: 1_200 });
    const sent: number[] = [];
    const lines = ['one\n', 'two\n', 'three\n'].map(utf8);
    const pasting = test.bench.sendLines(1, lines, { pause: 50, onSent: (count) => sent.push(count) });
    await test.clock.settle();
    void test.bench.type(1, utf8('typed'));
    expect(latin1(Uint8Array.from(device.written))).toBe('one\n');
    // 4 bytes at 1,200 baud take 33 ms.
    await test.clock.advance(80);
    expect(latin1(Uint8Array.from(device.written))).toBe('one\n');
    await test.clock.advance(300);
    await pasting;
    expect(sent).toEqual([1, 2, 3]);
    expect(latin1(Uint8Array.from(device.written))).toBe('one\ntwo\nthree\ntyped');
    expect(allRows(test.bench).filter(({ direction }) => direction === 'sent')).toHaveLength(3);
  });
});
