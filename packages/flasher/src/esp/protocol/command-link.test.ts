import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { openBytePort } from '../../byte-port.ts';
import { sendFrames } from '../../testing/scripted-answers.ts';
import { CommandLink, type Reply } from './command-link.ts';
import { type Request, readRegRequest, securityInfoRequest, syncRequest } from './commands.ts';

async function linked() {
  const clock = new VirtualClock();
  const device = new FakeSerialPort();
  let heard = '';
  const link = new CommandLink(await openBytePort(device, { baudRate: 115_200 }, clock), (bytes) => {
    heard += String.fromCharCode(...bytes);
  });
  /** Returns the reply to `request` if the board answers with `frames`. */
  const ask = async (request: Request, ...frames: readonly string[]): Promise<Reply> => {
    device.onWrite = () => sendFrames(device, ...frames);
    const asking = link.exchange(request, { limit: 100 });
    await clock.advance(1_000);
    return asking;
  };
  return { clock, device, link, ask, heard: () => heard };
}

const magic = readRegRequest(0x4000_1000);
const syncAnswer = '010804000707122000000000';
const eight = (frame: string) => Array.from({ length: 8 }, () => frame);

describe('a request', () => {
  it('is sent in one write', async () => {
    const { device, ask } = await linked();
    await ask(magic, '010a0400831df00000000000');
    expect(device.writes).toEqual([magic.frame]);
  });

  it('gets the answer with its operation code, behind stale ones', async () => {
    const { ask } = await linked();
    const reply = await ask(magic, syncAnswer, syncAnswer, '010a0400831df00000000000');
    expect(reply).toMatchObject({ kind: 'done', answer: { value: 0x00f0_1d83 } });
  });

  it('is refused once when the ROM refuses SYNC eight times (recorded: ESP32)', async () => {
    const { ask } = await linked();
    await ask(syncRequest(), ...eight(syncAnswer));
    expect(await ask(securityInfoRequest(), ...eight('010804000707122001050000'))).toEqual({
      kind: 'refused',
      reason: 0x05,
    });
    expect(await ask(magic, '010a0400831df00000000000')).toMatchObject({ kind: 'done' });
  });

  it('is refused also under its own operation code', async () => {
    const { ask } = await linked();
    expect(await ask(securityInfoRequest(), '0114020000000000ff00')).toEqual({ kind: 'refused', reason: 0xff });
  });

  it('waits longer behind a request that keeps the board busy after its answer', async () => {
    const { clock, device, link, ask } = await linked();
    device.onWrite = () => sendFrames(device, '010a0400831df00000000000');
    const busy = link.exchange(magic, { limit: 100, backlog: 5_000 });
    await clock.advance(10);
    expect(await busy).toMatchObject({ kind: 'done' });
    expect(link.backlog).toBeGreaterThan(4_900);
    device.onWrite = () => clock.schedule(4_000, () => sendFrames(device, '010a0400831df00000000000'));
    const next = link.exchange(magic, { limit: 100 });
    await clock.advance(4_500);
    expect(await next).toMatchObject({ kind: 'done' });
    expect(link.backlog).toBe(0);
    expect(await ask(magic)).toEqual({ kind: 'late' });
  });

  it('waits longer behind a request that was given up', async () => {
    const { clock, link } = await linked();
    const abort = new AbortController();
    const given = link.exchange(magic, { limit: 3_000, signal: abort.signal }).catch(() => 'given up');
    await clock.advance(1_000);
    abort.abort();
    expect(await given).toBe('given up');
    expect(link.backlog).toBeGreaterThan(1_900);
    await clock.advance(5_000);
    expect(link.backlog).toBe(0);
  });

  it('times out without an answer, and with frames that are not answers', async () => {
    const { clock, device, ask, heard } = await linked();
    expect(await ask(magic)).toEqual({ kind: 'late' });
    expect(await ask(magic, 'deadbeef')).toEqual({ kind: 'late' });
    expect(heard()).toBe('\xde\xad\xbe\xef');
    expect(device.writes).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('is not delayed by output of the board, which is kept', async () => {
    const { clock, device, link, heard } = await linked();
    device.onWrite = () => {
      device.receive('ets Jul 29 2019\r\n');
      sendFrames(device, '010a0400831df00000000000');
    };
    const asking = link.exchange(magic, { limit: 100 });
    await clock.advance(10);
    expect(await asking).toMatchObject({ kind: 'done' });
    expect(link.text).toBe('ets Jul 29 2019\r\n');
    expect(heard()).toBe(link.text);
  });

  it('runs its own work while the wire is busy', async () => {
    const { clock, device, link } = await linked();
    const order: string[] = [];
    device.onWrite = () => {
      order.push('written');
      sendFrames(device, '010a0400831df00000000000');
    };
    const asking = link.exchange(magic, { limit: 100 }, () => order.push('meanwhile'));
    await clock.advance(10);
    await asking;
    expect(order.toSorted()).toEqual(['meanwhile', 'written']);
  });

  it('ends with its signal', async () => {
    const { clock, link } = await linked();
    const abort = new AbortController();
    const asking = link.exchange(magic, { limit: 100, signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    expect(clock.pending).toBe(0);
  });
});

describe('requests in flight', () => {
  const read = (address: number) => readRegRequest(address);
  const answer = (value: number, op = '0a') => `01${op}0400${value.toString(16).padStart(2, '0')}00000000000000`;

  /** Returns the replies to `count` requests if the board answers all of them with `frames`. */
  async function askTogether(count: number, ...frames: readonly string[]) {
    const { clock, device, link } = await linked();
    device.onWrite = () => sendFrames(device, ...frames);
    link.submit(Array.from({ length: count }, (_, index) => read(4 * index)));
    const replies: string[] = [];
    for (let index = 0; index < count; index++) {
      const asking = link.reply(100);
      await clock.advance(200);
      const reply = await asking;
      replies.push(reply.kind === 'done' ? String(reply.answer.value) : reply.kind);
    }
    return { replies, device, link };
  }

  it('are sent in one write, and answered in order', async () => {
    const { replies, device, link } = await askTogether(3, answer(7), answer(8), answer(9));
    expect(replies).toEqual(['7', '8', '9']);
    expect(device.writes.map(({ length }) => length)).toEqual([3 * read(0).frame.length]);
    expect(link.inFlight).toBe(0);
  });

  it('are all given up when one answer is missing', async () => {
    expect((await askTogether(3, answer(7), answer(8))).replies).toEqual(['7', '8', 'late']);
  });

  it('are all given up when an answer of another command comes', async () => {
    const { replies, link } = await askTogether(3, answer(7), answer(8, '09'), answer(9));
    expect(replies).toEqual(['7', 'astray', 'late']);
    expect(link.inFlight).toBe(0);
  });

  it('do not take an answer that came before they were sent', async () => {
    const { clock, device, link } = await linked();
    device.onWrite = () => sendFrames(device, answer(7), answer(7));
    link.submit([read(0)]);
    await clock.advance(10);
    await link.reply(100);
    await clock.advance(10);
    device.onWrite = () => sendFrames(device, answer(8));
    link.submit([read(4)]);
    await clock.advance(10);
    expect(await link.reply(100)).toMatchObject({ kind: 'done', answer: { value: 8 } });
  });

  it('are all given up when other bytes than frames arrive in between', async () => {
    expect((await askTogether(2, answer(7), 'deadbeef', answer(9))).replies[1]).toBe('astray');
  });

  it('are not disturbed by events that a handler takes', async () => {
    const { clock, device, link } = await linked();
    const events: number[] = [];
    link.handleEvents(({ op }) => events.push(op));
    device.onWrite = () => sendFrames(device, answer(7), answer(1, 'f2'), answer(8));
    link.submit([read(0), read(4)]);
    await clock.advance(10);
    expect(await link.reply(100)).toMatchObject({ kind: 'done', answer: { value: 7 } });
    expect(await link.reply(100)).toMatchObject({ kind: 'done', answer: { value: 8 } });
    expect(events).toEqual([0xf2]);
  });

  it('are refused when the board refuses one', async () => {
    expect((await askTogether(1, '010a04000000000001050000')).replies).toEqual(['refused']);
  });
});
