import type { FakeSerialPort } from '@wirebench/port/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { latin1, utf8 } from '../testing/line-channels.ts';
import { allRows, connected, type TestRig, testRig } from '../testing/test-rig.ts';
import type { AnswerPattern } from './answer-race.ts';
import { type Conversation, type Exchange, maxUnreadBytes } from './conversation.ts';

const text = (words: string): AnswerPattern => ({ kind: 'bytes', bytes: utf8(words) });
const expression = (source: string): AnswerPattern => ({ kind: 'expression', source, flags: '' });

describe('a conversation', () => {
  let test: TestRig;
  let device: FakeSerialPort;
  let talk: Conversation;
  let abort: AbortController;
  beforeEach(async () => {
    test = testRig({ reconnect: false });
    device = await connected(test);
    talk = test.bench.converse(1);
    abort = new AbortController();
  });

  const exchange = (message: string | null, answers: readonly AnswerPattern[], more: Partial<Exchange> = {}) =>
    talk.exchange(
      { bytes: message === null ? null : utf8(message), answers, fresh: false, timeout: 1_000, ...more },
      abort.signal,
    );
  const receive = async (words: string) => {
    device.receive(words);
    await test.clock.settle();
  };

  it('sends, and answers with the first of the answers', async () => {
    const asked = exchange('AT\n', [text('OK'), text('ERROR')]);
    await test.clock.settle();
    await test.clock.advance(20);
    await receive('AT\r\nERR');
    await receive('OR\r\n');
    expect(await asked).toMatchObject({ kind: 'answered', answer: 1, after: 20 });
    expect(String.fromCharCode(...device.written)).toBe('AT\n');
    expect(test.clock.pending).toBe(0);
  });

  it('matches bytes that came between two exchanges, each once', async () => {
    await receive('login: ');
    expect(await exchange('root\n', [text('login: ')])).toMatchObject({ kind: 'answered', after: 0 });
    await receive('Password: one two');
    expect(await exchange(null, [expression('(\\w+) ')])).toMatchObject({ kind: 'answered' });
    expect(await exchange(null, [text('two')])).toMatchObject({ kind: 'answered' });
    const again = exchange(null, [text('two')]);
    await test.clock.advance(1_000);
    expect(await again).toMatchObject({ kind: 'no-answer' });
  });

  it('counts only later bytes where the exchange is fresh', async () => {
    await receive('OK');
    const asked = exchange('AT\n', [text('OK')], { fresh: true });
    await test.clock.advance(2_000);
    expect(await asked).toMatchObject({ kind: 'no-answer' });
  });

  it('gives what an expression captured, without colours and NUL', async () => {
    const asked = exchange('info\n', [expression('heap: (?<free>\\d+)(x)?')]);
    await receive('heap: \x1b[32m1\x002');
    await receive('34\x1b[0m\n');
    const outcome = await asked;
    expect(outcome).toMatchObject({ kind: 'answered', names: [null, 'free', null] });
    const groups = outcome.kind === 'answered' ? outcome.groups.map((bytes) => bytes && latin1(bytes)) : [];
    expect(groups).toEqual(['heap: 1234', '1234', null]);
  });

  it('takes a match that could go on once the board pauses', async () => {
    const asked = exchange('info\n', [expression('heap: (\\d+)')]);
    await receive('heap: 1');
    await test.clock.advance(60);
    await receive('2');
    await test.clock.advance(99);
    expect(test.clock.pending).toBe(2);
    await test.clock.advance(1);
    expect(await asked).toMatchObject({ kind: 'answered', after: 160 });
  });

  it('keeps the newest bytes that no answer took', async () => {
    await receive('first');
    for (let size = 0; size < maxUnreadBytes; size += 32_768) {
      await receive('.'.repeat(32_768));
    }
    await receive('last');
    expect(await exchange(null, [text('last'), text('first')])).toMatchObject({ answer: 0 });
  });

  it('ends in time although the port takes no bytes', async () => {
    device.hold('write');
    const late = exchange('c\n', [text('OK')]);
    await test.clock.advance(2_000);
    expect(await late).toMatchObject({ kind: 'no-answer' });
  });

  it('waits as long as its timeout, and the time of its own bytes on the wire', async () => {
    // 1,152 bytes of 10 bits take 100 ms at 115,200 baud.
    const asked = exchange('x'.repeat(1_152), [text('OK')]);
    let isOver = false;
    void asked.then(() => {
      isOver = true;
    });
    await test.clock.advance(1_099);
    expect(isOver).toBe(false);
    await test.clock.advance(1);
    expect(await asked).toMatchObject({ kind: 'no-answer' });
  });

  it('still hears what arrives while the port is closed', async () => {
    const asked = exchange('AT\n', [text('OK')]);
    await test.clock.settle();
    device.receive('OK');
    const closing = test.bench.disconnect(1);
    expect(await asked).toMatchObject({ kind: 'answered' });
    await test.clock.advance(5_000);
    await closing;
  });

  it('goes on beside another one on the same port', async () => {
    const other = test.bench.converse(1);
    const first = exchange('a\n', [text('+CSQ: ')]);
    const second = other.exchange(
      { bytes: utf8('b\n'), answers: [text('OK')], fresh: true, timeout: 1_000 },
      abort.signal,
    );
    device.receive('+CS');
    device.receive('Q: 17\r\nOK');
    expect(await Promise.all([first, second])).toMatchObject([{ kind: 'answered' }, { kind: 'answered' }]);
  });

  it('refuses an answer without bytes before it sends', async () => {
    await expect(exchange('a\n', [text('')])).rejects.toThrow(RangeError);
    expect(device.written).toEqual([]);
  });

  it('finds the prompt of the board behind the echo', async () => {
    const asked = exchange('ls\n', [{ kind: 'prompt', prompt: 'gw>' }]);
    await receive('ls\r\nmain.py\r\n');
    await receive('gw> ');
    expect(await asked).toMatchObject({ kind: 'answered' });
  });

  it('ends when it is aborted, and when the port closes', async () => {
    const stopped = exchange('a\n', [text('OK')]);
    await test.clock.settle();
    abort.abort();
    expect(await stopped).toMatchObject({ kind: 'cancelled' });
    expect(await exchange('b\n', [text('OK')])).toMatchObject({ kind: 'cancelled' });
    abort = new AbortController();

    const lost = exchange(null, [text('OK')]);
    await device.unplug();
    await test.clock.advance(10);
    expect(await lost).toMatchObject({ kind: 'closed' });
    expect(await exchange(null, [text('OK')])).toMatchObject({ kind: 'closed' });
    await expect(exchange('d\n', [text('OK')])).rejects.toMatchObject({ code: 'not-connected' });
    expect(test.clock.pending).toBe(0);
  });

  it('hears its own port alone, and nothing after its end', async () => {
    const other = await connected(test, 2);
    other.receive('OK');
    await receive('no');
    const { entries } = talk.end();
    await receive('more');
    expect(entries.map((entry) => (entry.kind === 'received' ? latin1(entry.bytes) : entry.kind))).toEqual(['no']);
  });

  it('logs all that passed with its times, but no hidden bytes', async () => {
    const asked = exchange('root\n', [text('word: ')]);
    await receive('Password: ');
    await asked;
    await exchange('secret\n', [], { hidden: true });
    const { entries, leftOut, startedAt } = talk.end();
    expect(entries.map((entry) => ({ ...entry, at: entry.at - startedAt }))).toEqual([
      { kind: 'sent', at: 0, bytes: utf8('root\n'), length: 5 },
      { kind: 'received', at: 0, bytes: utf8('Password: ') },
      { kind: 'ended', at: 0 },
      { kind: 'sent', at: 0, bytes: null, length: 7 },
      { kind: 'ended', at: 0 },
    ]);
    expect(leftOut).toBe(0);
    expect(allRows(test.bench).map((row) => latin1(row.bytes))).not.toContain('secret\n');
  });

  it('leaves out the oldest received bytes of a long log, and says how many', async () => {
    for (let count = 0; count < 40; count++) {
      await receive('.'.repeat(32_768));
      await test.clock.advance(1);
    }
    const { entries, leftOut } = talk.end();
    const kept = entries.reduce((sum, entry) => sum + (entry.kind === 'received' ? entry.bytes.length : 0), 0);
    expect(kept).toBeLessThanOrEqual(1 << 20);
    expect(kept + leftOut).toBe(40 * 32_768);
  });
});
