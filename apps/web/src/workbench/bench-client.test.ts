import { describe, expect, it } from 'vitest';
import type { BenchTick, Call, Channel, FromBench, ToBench } from '../protocol/bench/bench-tick.ts';
import { BenchClient, CallError } from './bench-client.ts';

/** The page's end of a line whose other end is the test. */
class FakeChannel implements Channel {
  readonly sent: ToBench[] = [];
  #listener: (event: MessageEvent) => void = () => undefined;

  postMessage(message: ToBench): void {
    this.sent.push(message);
  }

  addEventListener(_type: 'message', listener: (event: MessageEvent) => void): void {
    this.#listener = listener;
  }

  answer(message: FromBench): void {
    this.#listener(new MessageEvent('message', { data: message }));
  }

  get calls(): Call[] {
    return this.sent.filter((message) => 'id' in message);
  }
}

function attached() {
  const channel = new FakeChannel();
  const ticks: BenchTick[] = [];
  const client = new BenchClient((tick) => ticks.push(tick));
  client.attach(channel);
  return { channel, client, ticks };
}

describe('bench client', () => {
  it('gives each call its own answer, in whatever order they come', async () => {
    const { channel, client } = attached();
    const first = client.call('stopRecording', 'a');
    const second = client.call('stopRecording', 'b');
    const [a, b] = channel.calls;
    channel.answer({ id: b?.id ?? 0, value: ['second'] });
    channel.answer({ id: a?.id ?? 0, value: ['first'] });
    expect(await Promise.all([first, second])).toEqual([['first'], ['second']]);
  });

  it('rejects a refused call with its code and its words', async () => {
    const { channel, client } = attached();
    const refused = client.call('disconnect', 1);
    const failure = { name: 'SessionError', message: 'Port 1 is not connected', code: 'not-connected' };
    channel.answer({ id: channel.calls[0]?.id ?? 0, failure });
    await expect(refused).rejects.toThrow(CallError);
    await expect(refused).rejects.toMatchObject(failure);
  });

  it('keeps calls that are made before the bench is there, and sends them in order', () => {
    const channel = new FakeChannel();
    const client = new BenchClient(() => undefined);
    void client.call('resize', 1_024);
    void client.call('clear');
    expect(channel.sent).toEqual([]);
    client.attach(channel);
    expect(channel.calls.map(({ call, args }) => [call, args])).toEqual([
      ['resize', [1_024]],
      ['clear', []],
    ]);
  });

  it('takes each tick, so that the next may come', () => {
    const { channel, ticks } = attached();
    const tick = { recordings: [] as BenchTick['recordings'] } as BenchTick;
    channel.answer({ tick });
    expect(ticks).toEqual([tick]);
    expect(channel.sent).toEqual([{ tickTaken: true }]);
  });

  const loss = { name: 'BenchLostError', message: 'Reload the page, then connect again.', code: 'bench-lost' };
  const lost = { pending: () => loss, later: () => loss };

  it('a bench whose thread has died leaves no call pending', async () => {
    const { client } = attached();
    const answers = Promise.allSettled([client.call('stopRecording', 'a'), client.call('disconnect', 1)]);
    client.lose(lost);
    const outcomes = await answers;
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof CallError)).toBe(
      true,
    );
  });

  it('a call after the bench has died ends at once, with the same code and words', async () => {
    const { channel, client } = attached();
    client.lose(lost);
    await expect(client.call('clear')).rejects.toMatchObject(loss);
    expect(channel.calls).toEqual([]);
  });

  it('calls that waited for a bench that never came end, too', async () => {
    const client = new BenchClient(() => undefined);
    const waiting = client.call('clear');
    client.lose(lost);
    await expect(waiting).rejects.toMatchObject(loss);
  });

  it('ignores an answer to an unknown call', () => {
    const { channel } = attached();
    expect(() => channel.answer({ id: 99, value: null })).not.toThrow();
  });
});
