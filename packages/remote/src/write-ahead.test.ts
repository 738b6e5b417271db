/**
 * Tests requests of a guest that wait at the board for the answer to the previous one, and the time that a board has
 * had to answer.
 */
import { VirtualClock } from '@wirebench/clock';
import type { AwaitedFrame } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MessageChannel } from './frames/message-channel.ts';
import type { Message } from './frames/messages.ts';
import { RemoteRig } from './testing/remote-rig.ts';

const text = (value: string) => new TextEncoder().encode(value);

/** A frame `[ok…!]`, with bars as delimiters. */
const good: AwaitedFrame = { delimiter: 0x7c, begins: text('ok'), ends: text('!') };

async function using() {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const rig = new RemoteRig({ clock, device: () => device, delay: () => 20 });
  rig.share();
  const { guest, port } = await rig.using();
  await rig.run(port.open({ baudRate: 115_200 }));
  const writer = port.writable?.getWriter();
  const write = (value: string, after?: AwaitedFrame) => {
    const bytes = text(value);
    if (after !== undefined) {
      port.writeAfter(bytes, after);
    }
    void writer?.write(bytes).catch(() => undefined);
  };
  const written = () => new TextDecoder().decode(Uint8Array.from(device.written));
  return { rig, clock, device, guest, port, writer, write, written };
}

describe('a write that waits for the board', () => {
  afterEach(() => vi.restoreAllMocks());

  it('reaches the board after the answer to the write before, also while the guest is away', async () => {
    const { rig, clock, device, write, written } = await using();
    write('one');
    write('two', good);
    write('three', good);
    await clock.advance(200);
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    await clock.advance(200);
    expect(written()).toBe('one');
    device.receive('|ok');
    await clock.advance(50);
    expect(written()).toBe('one');
    device.receive(' 1!|');
    await clock.advance(50);
    expect(written()).toBe('onetwo');
    await clock.advance(1_000);
    expect(written()).toBe('onetwo');
    device.receive('|ok 2!|');
    await clock.advance(50);
    expect(written()).toBe('onetwothree');
  });

  it('does not take a refusal, a text or half of an answer for one', async () => {
    const { clock, device, write, written } = await using();
    write('one');
    write('two', good);
    await clock.advance(200);
    for (const said of ['|no!|', 'so ok!', '|ok?|', '|o', 'k', '|ok', '!']) {
      device.receive(said);
      await clock.advance(50);
    }
    expect(written()).toBe('one');
    device.receive('|');
    await clock.advance(50);
    expect(written()).toBe('onetwo');
  });

  it.each([
    ['one wait behind the other', (message: Message) => (message.kind === 'hold' ? [message, message] : [message])],
    [
      'writes of no bytes',
      (message: Message) => (message.kind === 'bytes' ? [{ ...message, bytes: new Uint8Array() }, message] : [message]),
    ],
  ])('ends the visit of a guest that would fill the memory with %s', async (_, sentFor) => {
    const { rig, clock, guest, port, write, written } = await using();
    const send = MessageChannel.prototype.send;
    vi.spyOn(MessageChannel.prototype, 'send').mockImplementation(function (this: MessageChannel, message) {
      for (const one of sentFor(message)) {
        send.call(this, one);
      }
    });
    write('one', good);
    await clock.advance(1_000);
    expect(guest.status).toMatchObject({ state: 'ended', why: 'expelled' });
    expect(port.connected).toBe(false);
    expect(rig.host.status.guests).toEqual([]);
    expect(written()).toBe('');
  });

  it('waits for nothing if it has no bytes', async () => {
    const { clock, guest, write, written } = await using();
    write('', good);
    write('', good);
    write('one');
    await clock.advance(1_000);
    expect(guest.status.state).toBe('joined');
    expect(written()).toBe('one');
  });

  it('finds an answer that came before it, and none from before the last write', async () => {
    const { clock, device, write, written } = await using();
    device.receive('|ok 0!|');
    write('one');
    await clock.advance(200);
    write('two', good);
    await clock.advance(200);
    expect(written()).toBe('one');
    device.receive('|ok 1!|');
    await clock.advance(200);
    write('three', good);
    device.receive('|ok 2!|');
    await clock.advance(200);
    expect(written()).toBe('onetwothree');
  });

  it('is dropped with all that follow at the guest’s request, and later writes pass at once', async () => {
    const { clock, device, port, write, written } = await using();
    write('one');
    write('two', good);
    await clock.advance(200);
    write('three', good);
    // Dropped before the last of the writes has left the guest.
    port.dropWaiting();
    await clock.advance(200);
    device.receive('|ok 1!|');
    write('four');
    await clock.advance(200);
    expect(written()).toBe('onefour');
  });

  it('does not keep a port from being closed', async () => {
    const { rig, device, port, writer, write, written } = await using();
    write('one');
    write('two', good);
    await rig.clock.advance(200);
    await rig.run(writer?.abort() ?? Promise.resolve());
    writer?.releaseLock();
    await rig.run(port.close());
    expect(written()).toBe('one');
    expect(device.isOpen).toBe(false);
  });
});

describe('the time that a board has had', () => {
  it('counts from the last byte on the wire there, not from here', async () => {
    const { rig, clock, port, write } = await using();
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    write('late');
    await clock.advance(9_000);
    rig.relay.isDown = false;
    await rig.until('back', () => rig.host.status.guests[0]?.isConnected === true);
    expect(await rig.run(port.timeToAnswer())).toBeLessThan(200);
    await clock.advance(3_000);
    expect(await rig.run(port.timeToAnswer())).toBeGreaterThanOrEqual(3_000);
  });

  it('arrives after everything that the board has sent by then', async () => {
    const { rig, clock, device, port } = await using();
    const reader = port.readable?.getReader();
    const order: string[] = [];
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    void reader?.read().then(() => order.push('bytes'));
    const answered = port.timeToAnswer().then(() => order.push('time'));
    device.receive('answer');
    await clock.advance(5_000);
    expect(order).toEqual([]);
    rig.relay.isDown = false;
    await rig.run(answered);
    expect(order).toEqual(['bytes', 'time']);
  });

  it('never arrives when the port is gone', async () => {
    const { rig, clock, port } = await using();
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    const answered = port.timeToAnswer().catch((error: unknown) => (error as Error).name);
    await clock.advance(rig.limits.away + 1_000);
    expect(await rig.run(answered)).toBe('NetworkError');
  });
});
