import { VirtualClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench } from '@wirebench/serial';
import { beforeEach, describe, expect, it } from 'vitest';
import { PortTransfers } from './port-transfers.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('transfers of a bench', () => {
  let clock: VirtualClock;
  let bench: Bench;
  let device: FakeSerialPort;
  let transfers: PortTransfers;

  beforeEach(async () => {
    clock = new VirtualClock(1_000_000);
    bench = new Bench({
      clock,
      ringBytes: 64 * 1_024,
      onReceived: (port, chunk, at) => transfers.received(port, chunk, at),
      onSent: (port) => transfers.sent(port),
    });
    transfers = new PortTransfers({ bench, clock, onProgress: () => undefined });
    device = new FakeSerialPort();
    await bench.connect(1, device, defaultPortSettings);
  });

  const say = async (text: string) => {
    device.receive(bytes(text));
    await clock.settle();
  };
  const log = () =>
    bench
      .rows({ layout: 'text', anchor: { position: 0 }, count: 100 })
      .rows.map((row) => new TextDecoder().decode(row.bytes));
  const offer = () => transfers.progress.transferOffers[1];
  const ask = async () => {
    await say('C');
    await clock.advance(2_000);
  };
  /** Lets the protocols load. */
  const begun = async () => {
    await expect.poll(() => transfers.progress.transfers[1]).not.toBeNull();
    await clock.settle();
  };

  it('offers a transfer once for all repetitions, until the board prints something else', async () => {
    await ask();
    expect(offer()).toBeNull();
    await ask();
    const first = offer();
    expect(first).toMatchObject({ kind: 'send', protocol: 'block' });
    await ask();
    expect(offer()?.id).toBe(first?.id);
    await say('Timed out\r\n');
    expect(offer()).toBeNull();
  });

  it('withdraws an offer that the board does not repeat, and with the port', async () => {
    await ask();
    await ask();
    await clock.advance(30_000);
    expect(offer()).toBeNull();
    await say('**\x18B00000000000000\r\x8a\x11');
    expect(offer()).toMatchObject({ kind: 'receive', protocol: 'zmodem' });
    await bench.disconnect(1);
    expect(offer()).toBeNull();
  });

  it('says what happens in two lines of the log, and cleans up when it is stopped', async () => {
    const file = new File(['hello'], 'boot.txt');
    const done = transfers.send(1, [file], { protocol: 'ymodem', resume: false }, new AbortController().signal);
    await begun();
    await say('C');
    await expect.poll(() => device.written.length).toBeGreaterThan(100);
    const stopping = transfers.stop(1);
    await clock.advance(4_000);
    await stopping;
    expect(await done).toEqual({ isComplete: false, received: [] });
    expect(device.written.slice(-16)).toEqual([...Array(8).fill(0x18), ...Array(8).fill(0x08)]);
    expect(log().slice(-2)).toEqual([
      'Sending boot.txt to Port 1 by YMODEM. The log goes on after it.',
      expect.stringMatching(/^Sending boot\.txt to Port 1 by YMODEM ended.*: it was stopped here\.$/),
    ]);
    expect(transfers.progress.transfers[1]).toBeNull();
    expect(bench.jobs.isTransferring(1)).toBe(false);
  });

  it('ends with a board that vanishes', async () => {
    const done = transfers.receive(1, 'zmodem', new AbortController().signal);
    await begun();
    await device.unplug();
    await clock.advance(5_000);
    expect(await done).toEqual({ isComplete: false, received: [] });
    expect(log()).toContain('Receiving from Port 1 by ZMODEM ended: Port 1 was closed.');
  });

  it('refuses a second transfer on the port', async () => {
    const abort = new AbortController();
    const done = transfers.receive(1, 'zmodem', abort.signal);
    await begun();
    await expect(transfers.receive(1, 'ymodem', abort.signal)).rejects.toMatchObject({
      code: 'send-while-transferring',
    });
    abort.abort();
    await clock.advance(5_000);
    await done;
  });
});
