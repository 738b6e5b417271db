import type { FakeSerialPort } from '@wirebench/port/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnswerOutcome, Expectation } from './answer-watch.ts';
import { utf8 } from './testing/line-channels.ts';
import { connected, type TestRig, testRig } from './testing/test-rig.ts';

describe('a question', () => {
  let test: TestRig;
  let device: FakeSerialPort;
  beforeEach(async () => {
    test = testRig({ reconnect: false });
    device = await connected(test);
  });

  const ask = (answer: string, more: Partial<Expectation> = {}, message = 'AT\n') =>
    test.bench.ask(1, utf8(message), { answer: utf8(answer), timeout: 1_000, ...more });
  const settle = () => test.clock.settle();

  it('is answered by the bytes that were asked for, cut into pieces', async () => {
    const asked = ask('OK\r\n');
    await settle();
    expect(String.fromCharCode(...device.written)).toBe('AT\n');
    device.receive('AT\r\nO');
    await test.clock.advance(12);
    device.receive('K\r\n');
    expect(await asked).toEqual({ kind: 'answered', after: 12 });
    expect(test.clock.pending).toBe(0);
  });

  it('is not answered by what came before it', async () => {
    device.receive('OK\r\n');
    await settle();
    const asked = ask('OK');
    await test.clock.advance(2_000);
    expect(await asked).toEqual({ kind: 'no-answer' });
  });

  it('is not answered by another port', async () => {
    const other = await connected(test, 2);
    const asked = ask('OK');
    other.receive('OK');
    await test.clock.advance(2_000);
    expect(await asked).toEqual({ kind: 'no-answer' });
  });

  it('waits as long as its timeout, and the time of its own bytes on the wire', async () => {
    let outcome: AnswerOutcome | null = null;
    // 1,152 bytes of 10 bits take 100 ms at 115,200 baud.
    const asked = ask('OK', {}, 'x'.repeat(1_152)).then((value) => {
      outcome = value;
    });
    await test.clock.advance(1_099);
    expect(outcome).toBeNull();
    await test.clock.advance(1);
    await asked;
    expect(outcome).toEqual({ kind: 'no-answer' });
  });

  it('ends when the device vanishes', async () => {
    const asked = ask('OK');
    await settle();
    await device.unplug();
    await test.clock.advance(10);
    expect(await asked).toEqual({ kind: 'closed' });
    expect(test.clock.pending).toBe(0);
  });

  it('still hears what arrives while the port is closed', async () => {
    const asked = ask('OK');
    await settle();
    device.receive('OK');
    const closing = test.bench.disconnect(1);
    expect(await asked).toMatchObject({ kind: 'answered' });
    await test.clock.advance(5_000);
    await closing;
  });

  it('ends when nobody wants to know any more, and sends nothing when that was so before', async () => {
    const abort = new AbortController();
    const asked = ask('OK', { signal: abort.signal });
    await settle();
    abort.abort();
    expect(await asked).toEqual({ kind: 'cancelled' });
    const sent = device.written.length;
    expect(await ask('OK', { signal: abort.signal })).toEqual({ kind: 'cancelled' });
    await settle();
    expect(device.written).toHaveLength(sent);
  });

  it('is refused like any message while the port is not connected, and waits for nothing', async () => {
    const refused = test.bench.ask(3, utf8('AT\n'), { answer: utf8('OK'), timeout: 1_000 });
    await expect(refused).rejects.toMatchObject({ code: 'not-connected', message: 'Port 3 is not connected' });
    expect(test.clock.pending).toBe(0);
  });

  it('ends in time although the port takes no bytes', async () => {
    device.hold('write');
    const asked = ask('OK');
    await test.clock.advance(2_000);
    expect(await asked).toEqual({ kind: 'no-answer' });
  });

  it('can be asked by several at once, each with an answer of its own', async () => {
    const first = ask('+CSQ: ');
    const second = ask('OK');
    device.receive('+CS');
    device.receive('Q: 17\r\nOK');
    expect(await Promise.all([first, second])).toMatchObject([{ kind: 'answered' }, { kind: 'answered' }]);
  });

  it('without an answer to wait for is no question', async () => {
    await expect(ask('')).rejects.toThrow(RangeError);
  });
});
