import { VirtualClock } from '@wirebench/clock';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench, enterAnswerTime } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PortAdvisor } from './port-advice.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('advice about a port', () => {
  let clock: VirtualClock;
  let bench: Bench;
  let advisor: PortAdvisor;
  let port: FakeSerialPort;
  let isSearched = false;
  const advice = () => advisor.progress.advice[1];
  const shown = () =>
    bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 100, channels: ['received-1'] })
      .rows.map((row) => new TextDecoder().decode(row.bytes))
      .join('|');
  const send = async (text: string) => {
    await bench.send(1, utf8(text));
    // With the time of the line on the wire.
    await clock.advance(enterAnswerTime + 10);
  };

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    bench = new Bench({
      clock,
      ringBytes: 64 * 1_024,
      onReceived: (number, bytes, at) => advisor.received(number, bytes, at),
      onSent: (number, bytes) => advisor.sent(number, bytes),
    });
    advisor = new PortAdvisor({
      bench,
      clock,
      facts: () => null,
      usesOtherSettings: () => isSearched,
      onProgress: () => undefined,
    });
    port = new FakeSerialPort();
    await bench.connect(1, port, defaultPortSettings);
  });
  afterEach(async () => {
    const closing = bench.dispose();
    await clock.advance(10_000);
    await closing;
  });

  it('knows that the genuine MicroPython takes CR for Enter, and not LF', async () => {
    const board = await MicroPythonBoard.load({ files: {} });
    port.onWrite = (bytes) => board.receive(bytes);
    board.attach({
      clock,
      pending: 0,
      write: (bytes) => port.receive(bytes),
      sendBreak: () => undefined,
      setInputs: () => undefined,
    });
    await clock.settle();
    expect(advice()).toMatchObject({ isPython: true, expected: null });
    await send('print(40+2)\n');
    expect(shown()).not.toContain('|42');
    expect(advice()).toMatchObject({ isPython: true, expected: 'cr', sent: 'lf' });
    await send('\r');
    expect(shown()).toContain('|42');
    await send('print(50+5)\r');
    expect(shown()).toContain('|55');
    expect(advice().expected).toBeNull();
  });

  it('ends with the connection', async () => {
    port.receive('>>> ');
    await clock.settle();
    expect(advice().isPython).toBe(true);
    const closing = bench.disconnect(1);
    await clock.advance(10_000);
    await closing;
    expect(advice().isPython).toBe(false);
  });

  it('takes no bytes for evidence that a search receives at other settings', async () => {
    isSearched = true;
    port.receive(Uint8Array.from({ length: 300 }, (_, at) => (at * 151) & 0xff));
    await clock.settle();
    expect(advice()).toMatchObject({ rate: null });
    isSearched = false;
    port.receive(Uint8Array.from({ length: 300 }, (_, at) => (at * 151) & 0xff));
    await clock.settle();
    expect(advice().rate?.kind).toBe('rate');
  });

  it('says nothing of the rate where frames were chosen', async () => {
    advisor.setText(1, false);
    port.receive(Uint8Array.from({ length: 300 }, (_, at) => (at * 151) & 0xff));
    await clock.settle();
    expect(advice().rate).toBeNull();
    advisor.setText(1, true);
    port.receive(Uint8Array.from({ length: 300 }, (_, at) => (at * 151) & 0xff));
    await clock.settle();
    expect(advice().rate?.kind).toBe('rate');
  });
});
