/** Tests writes of a guest that wait at the board for exactly the bytes that they expect. */
import { VirtualClock } from '@wirebench/clock';
import type { ExpectedBytes } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { isLong, randomSeeds } from '@wirebench/test-input';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MessageChannel } from './frames/message-channel.ts';
import { expectedLimit, expectedTimeLimit, type Message } from './frames/messages.ts';
import { faults, numbersOf, tamperAt } from './testing/hostile-relay.ts';
import { RemoteRig, type RemoteRigOptions } from './testing/remote-rig.ts';

const text = (value: string) => new TextEncoder().encode(value);

const ok = (change: Partial<ExpectedBytes> = {}): ExpectedBytes => ({
  begins: text('ok'),
  length: 2,
  pause: 0,
  limit: 1_000,
  ...change,
});

async function using(options: Partial<RemoteRigOptions> = {}) {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const rig = new RemoteRig({ clock, device: () => device, delay: () => 20, ...options });
  rig.share();
  const { guest, port } = await rig.using();
  await rig.run(port.open({ baudRate: 115_200 }));
  const writer = port.writable?.getWriter();
  const write = (value: string, after?: ExpectedBytes) => {
    const bytes = text(value);
    if (after !== undefined) {
      port.writeAfter(bytes, after);
    }
    void writer?.write(bytes).catch(() => undefined);
  };
  const written = () => new TextDecoder().decode(Uint8Array.from(device.written));
  return { rig, clock, device, guest, port, write, written };
}

/** Passes the host's messages to this guest through `change`. */
function hostSays(change: (message: Message) => Message[]) {
  const send = MessageChannel.prototype.send;
  vi.spyOn(MessageChannel.prototype, 'send').mockImplementation(function (this: MessageChannel, message) {
    for (const one of change(message)) {
      send.call(this, one);
    }
  });
}

describe('a write that expects bytes of the board', () => {
  afterEach(() => vi.restoreAllMocks());

  it('reaches it when it has sent all of them, however they are cut, also while the guest is away', async () => {
    const { rig, clock, device, port, write, written } = await using();
    expect(port.canExpectBytes).toBe(true);
    write('one');
    write('two', ok());
    write('three', ok({ length: 5 }));
    await clock.advance(200);
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    device.receive('o');
    await clock.advance(50);
    expect(written()).toBe('one');
    device.receive('k');
    await clock.advance(50);
    expect(written()).toBe('onetwo');
    device.receive('ok12');
    await clock.advance(50);
    expect(written()).toBe('onetwo');
    device.receive('3');
    await clock.advance(50);
    expect(written()).toBe('onetwothree');
  });

  it.each([
    ['a refusal', ['no']],
    ['a byte before it', ['.ok']],
    ['a byte behind it', ['ok.']],
    ['half of it and something else', ['o', '.']],
    ['something else first', ['no', 'ok']],
    ['more than is expected', ['okok']],
  ])('is dropped, with all that follow, after %s', async (_, said) => {
    const { clock, device, write, written } = await using();
    write('one');
    write('two', ok());
    write('three', ok());
    await clock.advance(200);
    for (const words of said) {
      device.receive(words);
      await clock.advance(50);
    }
    device.receive('ok');
    await clock.advance(50);
    device.receive('ok');
    await clock.advance(5_000);
    expect(written()).toBe('one');
  });

  it('goes nowhere when the board is silent for too long', async () => {
    const { clock, device, write, written } = await using();
    write('one');
    write('two', ok({ limit: 500 }));
    await clock.advance(700);
    device.receive('ok');
    await clock.advance(1_000);
    expect(written()).toBe('one');
  });

  it('has the time of its limit from the last byte on the wire, which may take long', async () => {
    const { clock, device, write, written } = await using();
    const first = '.'.repeat(11_520);
    write(first);
    write('two', ok({ limit: 500 }));
    await clock.advance(1_300);
    device.receive('ok');
    await clock.advance(100);
    expect(written()).toBe(`${first}two`);
  });

  it('waits for the pause behind the answer, and goes nowhere when the board says more in it', async () => {
    const { clock, device, write, written } = await using();
    write('one');
    write('two', ok({ pause: 300 }));
    write('three', ok({ pause: 300 }));
    await clock.advance(200);
    device.receive('ok');
    await clock.advance(250);
    expect(written()).toBe('one');
    await clock.advance(100);
    expect(written()).toBe('onetwo');
    device.receive('ok');
    await clock.advance(200);
    device.receive('.');
    await clock.advance(5_000);
    expect(written()).toBe('onetwo');
  });

  it('leaves no time to answer to the board while it pauses', async () => {
    const { rig, clock, device, port, write } = await using();
    write('one');
    write('two', ok({ pause: 2_000 }));
    await clock.advance(100);
    device.receive('ok');
    await clock.advance(1_000);
    expect(await rig.run(port.timeToAnswer())).toBe(0);
  });

  it('is dropped with all that follow at the guest’s request, and later writes pass at once', async () => {
    const { clock, device, port, write, written } = await using();
    write('one');
    write('two', ok());
    write('three', ok());
    await clock.advance(200);
    device.receive('no');
    await clock.advance(200);
    port.dropWaiting();
    write('four');
    write('five', ok());
    await clock.advance(200);
    expect(written()).toBe('onefour');
    device.receive('ok');
    await clock.advance(200);
    expect(written()).toBe('onefourfive');
  });

  it.each([
    ['while it waits', 0],
    ['in its pause', 1_000],
  ])('goes nowhere when the right is taken %s', async (_, pause) => {
    const { rig, clock, device, write, written } = await using();
    write('one');
    write('two', ok({ pause }));
    await clock.advance(200);
    if (pause > 0) {
      device.receive('ok');
      await clock.advance(100);
    }
    rig.host.takeBack(1);
    device.receive('ok');
    await clock.advance(5_000);
    expect(written()).toBe('one');
    expect(device.isOpen).toBe(false);
  });

  it('goes nowhere when its guest does not come back', async () => {
    const { rig, clock, device, write, written } = await using();
    write('one');
    write('two', ok({ limit: 60_000 }));
    await clock.advance(200);
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    await clock.advance(rig.limits.away + 1_000);
    expect(written()).toBe('one');
    expect(device.isOpen).toBe(false);
  });

  it.each([
    ['no bytes', { begins: new Uint8Array(), length: 0 }],
    ['fewer bytes than they begin with', { length: 1 }],
    ['too many bytes', { length: expectedLimit + 1 }],
    ['a pause that is too long', { pause: expectedTimeLimit + 1 }],
    ['too much time', { limit: expectedTimeLimit + 1 }],
  ])('ends the visit of a guest that expects %s', async (_, change) => {
    const { rig, clock, guest, write, written } = await using();
    write('one', ok(change));
    await clock.advance(1_000);
    expect(guest.status).toMatchObject({ state: 'ended', why: 'expelled' });
    expect(rig.host.status.guests).toEqual([]);
    expect(written()).toBe('');
  });

  it.each([
    ['too many of them', (message: Message) => [message]],
    ['one wait behind the other', (message: Message) => (message.kind === 'expect' ? [message, message] : [message])],
  ])('ends the visit of a guest that would fill the memory with %s', async (_, change) => {
    const { rig, clock, guest, write } = await using({ limits: { waits: 100 } });
    hostSays(change);
    write('one');
    for (let count = 0; count <= 100; count++) {
      write('.', ok());
    }
    await clock.advance(2_000);
    expect(guest.status).toMatchObject({ state: 'ended', why: 'expelled' });
    expect(rig.host.status.guests).toEqual([]);
  });

  it(
    'is written after its answer and not before, once and in order, with any relay',
    async () => {
      let whole = 0;
      const seeds = isLong ? 200 : 12;
      for (const seed of randomSeeds(seeds)) {
        const next = numbersOf(seed);
        const hostile = tamperAt(seed, [0.01, 0.05, 0.3][seed % 3] ?? 0, faults);
        let isHostile = false;
        const { clock, device, write, written } = await using({
          seed,
          delay: () => 5 + next() * 20,
          tamper: (message, way) => (isHostile ? hostile(message, way) : [{ message }]),
        });
        isHostile = true;
        const words = Array.from({ length: 30 }, (_, at) => `${at}.`);
        let unanswered = 0;
        device.onWrite = (bytes) => {
          // Two requests are never at the board together, and none follows a refused one.
          unanswered++;
          expect(unanswered, `seed ${seed}`).toBe(1);
          const isRefused = new TextDecoder().decode(bytes) === '25.';
          clock.schedule(3, () => {
            unanswered -= isRefused ? 0 : 1;
            device.receive(isRefused ? 'no' : 'ok');
          });
        };
        for (const [at, word] of words.entries()) {
          write(word, at === 0 ? undefined : ok({ limit: 30_000 }));
        }
        await clock.advance(90_000);
        const all = words.slice(0, 26).join('');
        expect(all.startsWith(written()), `seed ${seed}: ${written()}`).toBe(true);
        whole += written() === all ? 1 : 0;
      }
      expect(whole).toBeGreaterThan(seeds / 3);
    },
    isLong ? 1_200_000 : 60_000,
  );
});

describe('a side of an older version', () => {
  afterEach(() => vi.restoreAllMocks());

  it('sends an older host no message that it does not know', async () => {
    const sent: string[] = [];
    // An older host ignores the request for a right that every guest has, so it never sends its abilities.
    hostSays((message) => {
      sent.push(message.kind);
      return message.kind === 'abilities' || message.kind === 'boards' ? [] : [message];
    });
    const { port } = await using();
    expect(port.canExpectBytes).toBe(false);
    expect(sent).not.toContain('expect');
  });

  it('sends an older guest no message that it does not know', async () => {
    const sent: string[] = [];
    hostSays((message) => {
      sent.push(message.kind);
      return message.kind === 'ask' && message.right === 'watch' ? [] : [message];
    });
    const { guest } = await using();
    expect(guest.status.state).toBe('joined');
    expect(sent.filter((kind) => kind === 'abilities' || kind === 'boards')).toEqual([]);
  });
});
