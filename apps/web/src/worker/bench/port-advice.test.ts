import { VirtualClock } from '@wirebench/clock';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench, enterAnswerTime } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeviceFacts } from '../../protocol/bench/port-part.ts';
import { PortAdvisor } from './port-advice.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('advice about a port', () => {
  let clock: VirtualClock;
  let bench: Bench;
  let advisor: PortAdvisor;
  let port: FakeSerialPort;
  let isSearched = false;
  let device: DeviceFacts | null = null;
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
    device = null;
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
      facts: () => device,
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

  it('says after 10 s that nothing was received, until something is', async () => {
    expect(advice().isSilent).toBe(false);
    await clock.advance(9_999);
    expect(advice().isSilent).toBe(false);
    await clock.advance(1);
    expect(advice().isSilent).toBe(true);
    port.receive('a');
    await clock.settle();
    expect(advice().isSilent).toBe(false);
    await clock.advance(60_000);
    expect(advice().isSilent).toBe(false);
  });

  it('calls no port silent that has spoken before the first look at it, nor one elsewhere', async () => {
    port.receive('a');
    await clock.advance(60_000);
    expect(advice().isSilent).toBe(false);
    device = { kind: 'remote', plugged: true };
    const other = new FakeSerialPort();
    await bench.connect(2, other, defaultPortSettings);
    expect(advisor.progress.advice[2].isSilent).toBe(false);
    await clock.advance(60_000);
    expect(advisor.progress.advice[2].isSilent).toBe(false);
  });

  it('waits again for each connection', async () => {
    expect(advice().isSilent).toBe(false);
    await clock.advance(10_000);
    expect(advice().isSilent).toBe(true);
    const closing = bench.disconnect(1);
    await clock.advance(10_000);
    await closing;
    expect(advice().isSilent).toBe(false);
    await bench.connect(1, new FakeSerialPort(), defaultPortSettings);
    await clock.advance(9_000);
    expect(advice().isSilent).toBe(false);
    await clock.advance(1_000);
    expect(advice().isSilent).toBe(true);
  });

  it('knows a full-screen program until it leaves its screen, unless frames were chosen', async () => {
    port.receive('$ vi\r\n\x1b[?1049h\x1b[2J');
    await clock.settle();
    expect(advice().isProgram).toBe(true);
    port.receive('\x1b[?1049l$ ');
    await clock.settle();
    expect(advice().isProgram).toBe(false);
    advisor.setText(1, false);
    port.receive('\x1b[?1049h');
    await clock.settle();
    expect(advice().isProgram).toBe(false);
  });

  it('counts the frames from the first byte on, also those that come while their code is loaded', async () => {
    // Modbus Application Protocol 1.1b3, 6.3 with the checksum of Modbus over Serial Line 1.02, 6.2.2; last byte wrong.
    const right = [0x01, 0x03, 0x00, 0x00, 0x00, 0x02, 0xc4, 0x0b];
    const since = clock.wallTime();
    port.receive(Uint8Array.from(Array.from({ length: 10 }, () => right).flat()));
    await clock.advance(100);
    port.receive(Uint8Array.from(right));
    await clock.settle();
    await vi.waitUntil(() => advice().frames !== null, 10_000);
    expect(advice().frames).toMatchObject({ decoder: 'modbus', broken: 0, since });
    const before = advice().frames?.right ?? 0;
    port.receive(Uint8Array.from(Array.from({ length: 5 }, () => right).flat()));
    await clock.settle();
    expect(advice().frames?.right).toBe(before + 5);
  });
});
