import { VirtualClock } from '@wirebench/clock';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench } from '@wirebench/serial';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Paste, PasteOutcome } from '../../protocol/bench/job-part.ts';
import { PortDevices } from './port-devices.ts';
import { RunningJobs } from './running-jobs.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const code = ['def f():', '    a = 1', '', '    return a', 'for n in (1, 2):', '    print(n)', "print('f', f())"];

describe('pastes on a port', () => {
  let clock: VirtualClock;
  let bench: Bench;
  let device: FakeSerialPort;
  let jobs: RunningJobs;
  let abort: AbortController;
  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    bench = new Bench({ clock, reconnect: false });
    device = new FakeSerialPort();
    abort = new AbortController();
    const devices = new PortDevices(clock, () => undefined);
    jobs = new RunningJobs({ bench, clock, devices, onProgress: () => undefined, hiddenWay: () => undefined });
    await bench.connect(1, device, defaultPortSettings);
  });

  const micropython = async () => {
    const board = await MicroPythonBoard.load();
    device.onWrite = (bytes) => board.receive(bytes);
    board.attach({
      clock,
      pending: 0,
      write: (bytes) => device.receive(bytes),
      sendBreak: () => undefined,
      setInputs: () => undefined,
    });
    await clock.settle();
  };
  const log = () =>
    bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 200 })
      .rows.map(({ bytes }) => new TextDecoder().decode(bytes));
  const written = () => new TextDecoder().decode(Uint8Array.from(device.written));
  const run = async (paste: Paste, meanwhile: () => void = () => undefined): Promise<PasteOutcome> => {
    let outcome: PasteOutcome | null = null;
    const running = jobs.paste(1, paste, 7, abort.signal).then((value) => {
      outcome = value;
    });
    await clock.advance(1);
    meanwhile();
    await expect
      .poll(async () => {
        await clock.advance(50);
        return outcome;
      })
      .not.toBeNull();
    await running;
    return outcome as unknown as PasteOutcome;
  };

  it('run code on the genuine interpreter, with its output and the prompt as the end of the log', async () => {
    await micropython();
    expect(await run({ kind: 'code', lines: code })).toEqual({ kind: 'done', sent: code.length });
    await clock.advance(100);
    expect(log().slice(-4)).toEqual(['1', '2', 'f 1', '>>> ']);
    expect(log().join('\n')).toContain('=== def f():');
  });

  it('keep typed keys behind the code', async () => {
    await micropython();
    const outcome = await run({ kind: 'code', lines: code }, () => void bench.type(1, utf8('1 + 1\r')));
    expect(outcome).toEqual({ kind: 'done', sent: code.length });
    await clock.advance(100);
    expect(log().slice(-4)).toEqual(['f 1', '>>> 1 + 1', '2', '>>> ']);
  });

  it('send nothing of the code to a board without paste mode', async () => {
    expect(await run({ kind: 'code', lines: code })).toEqual({ kind: 'no-paste-mode', sent: 0 });
    expect(written()).toBe('\x05');
    expect(bench.sending(1)).toBeNull();
  });

  it('cancel the code by Ctrl+C, at once', async () => {
    device.onWrite = (bytes) => {
      if (bytes[0] === 5) {
        device.receive('\r\npaste mode; Ctrl-C to cancel, Ctrl-D to finish\r\n=== ');
      }
    };
    const outcome = await run({ kind: 'code', lines: code }, () => void bench.type(1, Uint8Array.of(3)));
    expect(outcome).toEqual({ kind: 'cancelled', sent: 0 });
    expect(written().slice(1).replaceAll('\x03', '')).toBe(code.join('\r').slice(0, 32));
    expect(written().endsWith('\x03')).toBe(true);
  });

  it('stop lines between two of them, and say how many went', async () => {
    const lines = ['one\n', 'two\n', 'three\n'].map(utf8);
    const outcome = await run({ kind: 'lines', lines, pause: 1_000, hidden: false }, () => abort.abort());
    expect(outcome).toEqual({ kind: 'cancelled', sent: 1 });
    expect(written()).toBe('one\n');
  });

  it('end with the port', async () => {
    const lines = ['one\n', 'two\n'].map(utf8);
    const outcome = await run({ kind: 'lines', lines, pause: 1_000, hidden: true }, () => void bench.disconnect(1));
    expect(outcome).toEqual({ kind: 'closed', sent: 1 });
    expect(log().join('\n')).not.toContain('one');
    expect(log()).toContain('Port 1 was closed: 4 of 8 bytes went to it.');
  });
});
