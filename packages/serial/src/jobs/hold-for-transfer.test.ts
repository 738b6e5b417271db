import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { allRows, connected, notices, received, testRig } from '../testing/test-rig.ts';

async function held() {
  const test = testRig();
  const device = await connected(test);
  const taken: number[] = [];
  const hold = test.bench.jobs.holdForTransfer(1, (bytes) => taken.push(...bytes));
  return { ...test, device, taken, hold };
}

describe('a port that a file transfer has', () => {
  it('gives what it receives to the transfer and not to the log, and counts it', async () => {
    const { bench, clock, device, taken } = await held();
    device.receive(utf8('C'));
    await clock.settle();
    expect(taken).toEqual([0x43]);
    expect(received(bench)).toEqual([]);
    expect(bench.status().ports[1].received).toBe(1);
    expect(bench.statistics(1).received).toMatchObject({ bytes: 1 });
  });

  it('refuses every other send, and a second transfer', async () => {
    const { bench, clock, device, hold } = await held();
    const refusal = { code: 'send-while-transferring' };
    await expect(bench.send(1, utf8('help'))).rejects.toMatchObject(refusal);
    await expect(bench.jobs.repeat(1, utf8('help'), 100)).rejects.toMatchObject(refusal);
    await expect(
      bench.jobs.sendFile(1, { name: 'a', size: 1, read: async () => new Uint8Array(1) }),
    ).rejects.toMatchObject(refusal);
    expect(() => bench.jobs.holdForTransfer(1, () => undefined)).toThrow(expect.objectContaining(refusal));
    await hold.send(utf8('block'));
    await clock.settle();
    expect(device.written).toEqual([...utf8('block')]);
    expect(allRows(bench).filter(({ direction }) => direction === 'sent')).toEqual([]);
    expect(notices(bench)).toContain('Port 1 is transferring a file. Wait until it is done, or stop it.');
  });

  it('names the tool that has the port, and lets others send while it admits them', async () => {
    const test = testRig();
    const device = await connected(test);
    const hold = test.bench.jobs.holdForTransfer(1, () => undefined, 'board-files');
    await expect(test.bench.send(1, utf8('early'))).rejects.toThrow(
      'Board files is working on Port 1. Wait until it is done, or stop it there.',
    );
    hold.admitsOthers = true;
    await test.bench.send(1, utf8('Ada'));
    expect(device.written).toEqual([...utf8('Ada')]);
    expect(allRows(test.bench).filter(({ direction }) => direction === 'sent')).toHaveLength(1);
    hold.release(new Uint8Array());
    const next = test.bench.jobs.holdForTransfer(1, () => undefined);
    await expect(test.bench.send(1, utf8('late'))).rejects.toMatchObject({ code: 'send-while-transferring' });
    next.release(new Uint8Array());
  });

  it('gives the rest to the log when it is released, and is free again', async () => {
    const { bench, clock, device, hold } = await held();
    hold.release(utf8('board> '));
    device.receive(utf8('ok\n'));
    await clock.settle();
    expect(received(bench)).toEqual(['board> ok']);
    await bench.send(1, utf8('help'));
    expect(bench.jobs.isTransferring(1)).toBe(false);
  });

  it('ends with the connection', async () => {
    const { bench, hold } = await held();
    const closing = bench.disconnect(1);
    expect(hold.over.aborted).toBe(true);
    await closing;
    expect(bench.jobs.isTransferring(1)).toBe(false);
    expect(() => bench.jobs.holdForTransfer(1, () => undefined)).toThrow(
      expect.objectContaining({ code: 'not-connected' }),
    );
  });

  it('is not given while a message is repeated, or when its board is at a remote host', async () => {
    const test = testRig();
    await connected(test);
    const stop = new AbortController();
    const repeating = test.bench.jobs.repeat(1, utf8('a'), 100, { signal: stop.signal });
    const begin = () => test.bench.jobs.holdForTransfer(1, () => undefined);
    expect(begin).toThrow(expect.objectContaining({ code: 'transfer-while-repeating' }));
    stop.abort();
    await repeating;
    test.bench.watch(1);
    expect(begin).toThrow(expect.objectContaining({ code: 'transfer-elsewhere' }));
  });
});
