import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { minimumRingBytes } from './bench-channels.ts';
import { channelNames } from './channel-name.ts';
import { portNumbers } from './port-number.ts';
import { utf8 } from './testing/line-channels.ts';
import { allRows, connected, notices, received, testRig } from './testing/test-rig.ts';

describe('bench', () => {
  it('begins with four ports that have never been open, and nothing on the timeline', () => {
    const { bench } = testRig();
    const port = {
      state: 'disconnected',
      settings: null,
      info: null,
      notBack: false,
      signals: { dtr: false, rts: false },
      connectedAt: null,
      received: 0,
      sent: 0,
      lines: 0,
      heldLines: 0,
      droppedLines: 0,
      asks: null,
      errors: { framing: 0, parity: 0, overrun: 0, break: 0 },
    };
    expect(bench.status()).toEqual({
      ports: { 1: port, 2: port, 3: port, 4: port },
      revision: 0,
      lines: 0,
      droppedLines: 0,
      newestAt: null,
    });
  });

  it('has nine channels', () => {
    expect(channelNames).toHaveLength(9);
    expect(new Set(channelNames).size).toBe(9);
  });

  it('counts typed keys and puts no line of them on the timeline', async () => {
    const test = testRig();
    const device = await connected(test, 1);
    await test.bench.type(1, utf8('secret'));
    expect(device.writes).toEqual([utf8('secret')]);
    expect(test.bench.status().ports[1].sent).toBe(6);
    expect(allRows(test.bench).filter(({ direction }) => direction === 'sent')).toEqual([]);
  });

  it('merges four boards in the order of their first bytes', async () => {
    const test = testRig();
    const devices = [];
    for (const port of portNumbers) {
      devices.push(await connected(test, port));
    }
    test.bench.clear();
    const [one, two, three, four] = devices;
    one?.receive('one begins, ');
    await test.clock.advance(1);
    two?.receive('two\n');
    await test.clock.advance(1);
    one?.receive('one ends\n');
    await test.clock.advance(1);
    three?.receive('three\n');
    await test.clock.advance(1);
    await test.bench.send(4, utf8('to four\n'));
    four?.receive('four\n');
    await test.clock.settle();
    const lines = allRows(test.bench).map(({ port, direction, bytes }) => [
      port,
      direction,
      new TextDecoder().decode(bytes),
    ]);
    expect(lines).toEqual([
      [1, 'received', 'one begins, one ends'],
      [2, 'received', 'two'],
      [3, 'received', 'three'],
      [4, 'sent', 'to four'],
      [4, 'received', 'four'],
    ]);
  });

  it('shows the requested channels', async () => {
    const test = testRig();
    const [one, two] = [await connected(test, 1), await connected(test, 2)];
    one.receive('one\n');
    two.receive('two\n');
    await test.clock.settle();
    const page = test.bench.rows({
      layout: 'text',
      anchor: 'tail',
      count: 9,
      channels: ['received-2', 'sent-1', 'received-2'],
    });
    expect(page.rows.map((row) => new TextDecoder().decode(row.bytes))).toEqual(['two']);
    expect(page.total).toBe(1);
  });

  it('passes every byte on exactly once and in order', async () => {
    const recorded: number[] = [];
    const test = testRig({ onReceived: (port, bytes) => recorded.push(port, ...bytes) });
    const device = await connected(test, 3);
    device.receive(Uint8Array.of(1, 2));
    await device.fail('BreakError');
    device.receive(Uint8Array.of(3));
    await test.clock.settle();
    await device.unplug();
    await test.clock.settle();
    const returned = new FakeSerialPort();
    test.bench.deviceAppeared(returned);
    await test.clock.settle();
    returned.receive(Uint8Array.of(4));
    await test.clock.settle();
    expect(recorded).toEqual([3, 1, 2, 3, 3, 3, 4]);
  });

  it('passes sent bytes on, once and in order, and nothing that was refused', async () => {
    const sent: string[] = [];
    const test = testRig({ onSent: (port, bytes) => sent.push(`${port} ${new TextDecoder().decode(bytes)}`) });
    await expect(test.bench.send(3, new TextEncoder().encode('too early'))).rejects.toThrow();
    await connected(test, 3);
    await test.bench.send(3, new TextEncoder().encode('one'));
    await test.bench.send(3, new Uint8Array(0));
    await test.bench.send(3, new TextEncoder().encode('two'));
    expect(sent).toEqual(['3 one', '3 two']);
  });

  it('reports each change, and grows its revision with each change of the timeline', async () => {
    let changes = 0;
    const test = testRig({ onChange: () => changes++ });
    const device = await connected(test);
    const { revision } = test.bench.status();
    const before = changes;
    device.receive('one\ntwo\nthree\n');
    await test.clock.settle();
    expect(changes).toBe(before + 1);
    expect(test.bench.status().revision).toBe(revision + 1);
    test.bench.status();
    test.bench.rows({ layout: 'hex', anchor: 'tail', count: 5 });
    expect(changes).toBe(before + 1);
  });

  it('reports the time of the newest line', async () => {
    const test = testRig();
    const device = await connected(test);
    await test.clock.advance(40);
    device.receive('line');
    await test.clock.settle();
    expect(test.bench.status().newestAt).toBe(test.clock.now());
    test.bench.clear();
    expect(test.bench.status().newestAt).toBeNull();
  });

  it('clears everything, and continues with new bytes', async () => {
    const test = testRig();
    const device = await connected(test);
    device.receive('old\nopen');
    await test.clock.settle();
    const last = allRows(test.bench).at(-1)?.sequence ?? 0;
    test.bench.clear();
    expect(test.bench.status()).toMatchObject({ lines: 0, droppedLines: 0 });
    device.receive(' end\nnew\n');
    await test.clock.settle();
    expect(received(test.bench)).toEqual([' end', 'new']);
    expect(allRows(test.bench)[0]?.sequence).toBeGreaterThan(last);
  });

  it('drops the oldest lines of a port that floods, never those of another', async () => {
    const test = testRig({ ringBytes: minimumRingBytes });
    const [quiet, loud] = [await connected(test, 1), await connected(test, 2)];
    quiet.receive('quiet\n');
    await test.clock.settle();
    for (let reads = 0; reads < 40; reads++) {
      loud.receive(utf8(`${'x'.repeat(99)}\n`.repeat(100)));
      await test.clock.settle();
    }
    const { ports, droppedLines, lines } = test.bench.status();
    expect(ports[2].lines).toBe(4_000);
    expect(ports[2].droppedLines).toBe(4_000 - 655);
    expect(ports[1].droppedLines).toBe(0);
    expect(droppedLines).toBe(4_000 - 655);
    expect(lines).toBe(655 + 1 + 2);
    expect(received(test.bench, 1)).toEqual(['quiet']);
  });

  it('keeps the newest lines when its rings are made smaller', async () => {
    const test = testRig({ ringBytes: 4 * minimumRingBytes });
    const device = await connected(test);
    device.receive(utf8('0123456789\n'.repeat(10_000)));
    await test.clock.settle();
    test.bench.resize(minimumRingBytes);
    expect(test.bench.status().ports[1].droppedLines).toBe(10_000 - Math.floor(minimumRingBytes / 11));
    expect(() => test.bench.resize(minimumRingBytes - 1)).toThrow(RangeError);
    expect(() => testRig({ ringBytes: 1.5 })).toThrow(RangeError);
  });

  it('refuses to connect without memory for the received bytes', async () => {
    const test = testRig({ ringBytes: minimumRingBytes });
    const real = globalThis.Uint8Array;
    const device = new FakeSerialPort();
    globalThis.Uint8Array = new Proxy(real, {
      construct(target, args) {
        if (args[0] === minimumRingBytes) {
          throw new RangeError('Array buffer allocation failed');
        }
        return Reflect.construct(target, args);
      },
    });
    const connecting = test.bench.connect(1, device, defaultPortSettings);
    globalThis.Uint8Array = real;
    await expect(connecting).rejects.toMatchObject({ code: 'no-memory' });
    expect(device.calls).toEqual([]);
  });

  it('puts notices on the timeline', () => {
    const { bench } = testRig();
    bench.notice('success', 'Messages exported to file', null);
    bench.notice('error', '', 2);
    bench.notice('warning', 'Build 2 skipped', 4, 'build');
    expect(notices(bench)).toEqual(['Messages exported to file', '', 'Build 2 skipped']);
    expect(allRows(bench)).toMatchObject([
      { level: 'success', port: null },
      { level: 'error', port: 2 },
      { level: 'warning', port: 4, kind: 'build' },
    ]);
    expect(allRows(bench)[1]).not.toHaveProperty('kind');
  });

  it('shows recorded bytes as lines of a port that it has not opened', () => {
    const { bench } = testRig();
    const before = bench.status().revision;
    bench.record(1, 'sent', utf8('I2C 0x76 W F4 27'));
    bench.record(1, 'received', utf8('I2C 0x76 W D0 · R 60\nI2C 0x7'));
    bench.record(1, 'received', utf8('7: nobody\n'));
    const lines = allRows(bench).map(({ port, direction, bytes }) => [
      port,
      direction,
      new TextDecoder().decode(bytes),
    ]);
    expect(lines).toEqual([
      [1, 'sent', 'I2C 0x76 W F4 27'],
      [1, 'received', 'I2C 0x76 W D0 · R 60'],
      [1, 'received', 'I2C 0x77: nobody'],
    ]);
    expect(bench.status().revision).toBeGreaterThan(before);
    expect(bench.status().ports[1]).toMatchObject({ state: 'disconnected', heldLines: 3 });
  });

  it('counts recorded bytes only while counting is on, after the counts of its session', async () => {
    const test = testRig();
    const { bench, clock } = test;
    const device = await connected(test, 1);
    device.receive('boot');
    await clock.settle();
    await bench.disconnect(1);
    const amounts = () => {
      const { received, sent } = bench.status().ports[1];
      return [received, sent];
    };
    bench.record(1, 'received', utf8('not counted'));
    bench.countRecords(1, true);
    expect(amounts()).toEqual([4, 0]);
    bench.record(1, 'received', utf8('three'));
    bench.record(1, 'sent', utf8('xy'));
    expect(amounts()).toEqual([9, 2]);
    expect(bench.statistics(1)).toMatchObject({ received: { bytes: 9 }, sent: { bytes: 2 } });
    bench.countRecords(1, false);
    bench.record(1, 'received', utf8('not counted'));
    expect(amounts()).toEqual([4, 0]);
  });

  it('shows rows through a filter as they come, and marks them in the hex layout', async () => {
    const test = testRig();
    const device = await connected(test);
    device.receive('hit one\nmiss\n');
    await test.clock.settle();
    const filter = test.bench.search({ terms: [{ kind: 'text', text: 'hit', ignoreCase: false }], ports: [1] });
    await filter.run(async () => undefined);
    device.receive('miss\nhit two\n');
    await test.clock.settle();
    const query = { layout: 'hex', anchor: 'tail', count: 9 } as const;
    const page = test.bench.rows(query, { filter, marks: filter });
    expect(page.total).toBe(2);
    expect(page.rows.map((row) => [new TextDecoder().decode(row.bytes), row.marks])).toEqual([
      ['hit one\n', [{ start: 0, end: 3 }]],
      ['hit two\n', [{ start: 0, end: 3 }]],
    ]);
    expect(filter.marker.inText('a hit')).toEqual([{ start: 2, end: 5 }]);
    expect(test.bench.rows({ ...query, channels: ['sent-1'] }, { filter }).total).toBe(0);
    test.bench.clear();
    expect(test.bench.rows(query, { filter }).total).toBe(0);
  });

  it('searches the requested channels', async () => {
    const test = testRig();
    const [one, two] = [await connected(test, 1), await connected(test, 2)];
    one.receive('needle\n');
    two.receive('needle\n');
    await test.clock.settle();
    const search = test.bench.search({ kind: 'text', text: 'needle', ignoreCase: false, channels: ['received-2'] });
    await search.run(async () => undefined);
    expect(search.count).toBe(1);
  });
});
