import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { errorHintText } from './statistics.ts';
import { utf8 } from './testing/line-channels.ts';
import { connected, testRig } from './testing/test-rig.ts';

describe('statistics of a port', () => {
  it('report amounts, rate, peak, load and the last minute of both directions', async () => {
    const test = testRig();
    const device = await connected(test);
    device.receive(`${'x'.repeat(5_758)}\n\n`);
    await test.clock.settle();
    await test.bench.send(1, utf8('0123456789'));
    await test.clock.advance(500);
    const now = test.bench.statistics(1);
    expect(now.received).toMatchObject({ bytes: 5_760, rate: 5_760, peak: 5_760, load: 0.5 });
    expect(now.sent).toMatchObject({ bytes: 10, rate: 10, peak: 10 });
    expect(now.lines).toBe(2);
    expect(now.received.lane.bytes.at(-2)).toBe(5_760);
    await test.clock.advance(30_000);
    const later = test.bench.statistics(1);
    expect(later.received).toMatchObject({ bytes: 5_760, rate: 0, peak: 5_760, load: 0 });
    expect(later.received.lane.bytes.reduce((sum, bytes) => sum + bytes)).toBe(5_760);
  });

  it('restart at a connect, except for the last minute', async () => {
    const test = testRig();
    const device = await connected(test);
    device.receive('x'.repeat(100));
    await test.clock.advance(200);
    const closing = test.bench.disconnect(1);
    await test.clock.advance(1_000);
    await closing;
    await connected(test, 1, new FakeSerialPort());
    await test.clock.advance(1_000);
    const { received } = test.bench.statistics(1);
    expect(received).toMatchObject({ bytes: 0, rate: 0, peak: 0 });
    expect(received.lane.bytes.reduce((sum, bytes) => sum + bytes)).toBe(100);
  });

  it('are empty for a port that has never been open', () => {
    const { received, hints, errors } = testRig().bench.statistics(4);
    expect(received).toMatchObject({ bytes: 0, rate: 0, peak: 0, load: null });
    expect(hints).toEqual([]);
    expect(errors).toEqual({ framing: 0, parity: 0, overrun: 0, break: 0 });
  });

  it('name the errors of the port, the most frequent first, with a hint for each', async () => {
    const test = testRig();
    const device = await connected(test);
    for (const error of ['BreakError', 'FramingError', 'FramingError'] as const) {
      await device.fail(error);
      await test.clock.settle();
    }
    const { hints } = test.bench.statistics(1);
    expect(hints).toEqual(['framing', 'break']);
    expect(hints.map((hint) => errorHintText[hint])[0]).toMatch(/^Framing errors: check the baud rate/);
  });
});
