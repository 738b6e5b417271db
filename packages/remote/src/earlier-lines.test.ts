/**
 * Tests lines from before a guest joined: sent with the host's consent, once, before live pieces, and limited in
 * size.
 */
import { VirtualClock } from '@wirebench/clock';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MessageChannel } from './frames/message-channel.ts';
import { hostAbilities, type Message, type MessageOf } from './frames/messages.ts';
import { EarlierGate } from './guest/earlier-gate.ts';
import type { EarlierLine, EarlierLinesWanted } from './host/bench-access.ts';
import { EarlierLines } from './host/earlier-lines.ts';
import { limits } from './limits.ts';
import { type GuestRig, RemoteRig, type RemoteRigOptions } from './testing/remote-rig.ts';

const text = (value: string) => new TextEncoder().encode(value);
const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const line = (words: string, change: Partial<EarlierLine> = {}): EarlierLine => ({
  lane: 'received',
  time: 999_000,
  order: 1,
  bytes: text(words),
  isOpen: false,
  author: null,
  ...change,
});

const console = [
  line('boot ok\n'),
  line('help', { lane: 'sent', order: 2, time: 999_500, author: 'typed by Ann' }),
  line('demo> ', { order: 3, isOpen: true }),
];

function shared(options: Partial<RemoteRigOptions> = {}) {
  const clock = new VirtualClock(1_000_000);
  const asked: unknown[] = [];
  const earlier: RemoteRigOptions['earlier'] = (port, wanted) => {
    asked.push([port, wanted]);
    return port === 1 ? console : [];
  };
  const rig = new RemoteRig({ clock, delay: () => 20, earlier, showsEarlier: true, ...options });
  rig.share();
  return { clock, rig, asked };
}

const shown = ({ earlier }: GuestRig) => earlier.flatMap(({ lines }) => lines.map(({ bytes }) => read(bytes)));

afterEach(() => vi.restoreAllMocks());

describe('a new guest', () => {
  it('gets the newest lines once, with their times, before live lines', async () => {
    const { clock, rig } = shared();
    const guest = rig.join();
    const order: string[] = [];
    vi.spyOn(guest.earlier, 'push').mockImplementation((...all) => order.push(...all.map(() => 'earlier')));
    vi.spyOn(guest.pieces, 'push').mockImplementation((...all) => order.push(...all.map(() => 'live')));
    for (let turn = 0; turn < 50; turn++) {
      rig.host.tapped(1, 'received', text('x'), clock.now());
      await clock.advance(10);
    }
    expect(order[0]).toBe('earlier');
    expect(order.indexOf('live')).toBe(1);
    expect(order.filter((one) => one === 'earlier')).toHaveLength(1);
  });

  it('sees the direction of the lines and which line continues', async () => {
    const { rig } = shared();
    const guest = await rig.joined();
    const [{ lines, hostAhead } = { lines: [], hostAhead: 0 }] = guest.earlier;
    expect(lines).toEqual([
      { port: 1, lane: 'received', time: 999_000, isOpen: false, bytes: text('boot ok\n'), author: null },
      { port: 1, lane: 'sent', time: 999_500, isOpen: false, bytes: text('help'), author: 'typed by Ann' },
      { port: 1, lane: 'received', time: 999_000, isOpen: true, bytes: text('demo> '), author: null },
    ]);
    expect(Math.abs(hostAhead)).toBeLessThan(1_000);
  });

  it('does not get them again after its connection was lost, also when the host has forgotten it', async () => {
    const { clock, rig } = shared();
    const guest = await rig.joined();
    rig.relay.cutGuests();
    await clock.advance(5_000);
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    await clock.advance(rig.limits.away + 1_000);
    rig.relay.isDown = false;
    await clock.advance(30_000);
    expect(guest.guest.status.state).toBe('joined');
    expect(guest.earlier).toHaveLength(1);
  });

  it('misses no byte and gets none twice between earlier and live lines', async () => {
    let passed = 0;
    /** Ends of the earlier lines, in bytes of the lane. */
    const ends: number[] = [];
    const { clock, rig } = shared({
      earlier: (_port, { without }) => {
        ends.push(passed - without.received);
        return [];
      },
    });
    const pass = async (count: number) => {
      for (let turn = 0; turn < count; turn++) {
        rig.host.tapped(1, 'received', text('0123456789'), clock.now());
        passed += 10;
        await clock.advance(5);
      }
    };
    await pass(7);
    const guest = rig.join();
    await pass(40);
    await clock.advance(200);
    expect(ends).toHaveLength(1);
    expect(ends[0]).toBeGreaterThan(70);
    expect(guest.lane(1, 'received').length).toBe(passed - (ends[0] ?? 0));
  });
});

describe('earlier lines without the consent of the host', () => {
  it('a guest gets no earlier lines, and sees live events at once', async () => {
    const { clock, rig, asked } = shared({ showsEarlier: false });
    const guest = await rig.joined();
    rig.host.tapped(1, 'received', text('live'), clock.now());
    await clock.advance(100);
    expect(guest.earlier).toEqual([]);
    expect(read(guest.lane(1, 'received'))).toBe('live');
    expect(asked).toEqual([]);
  });

  it('a guest that requests lines regardless gets none', async () => {
    const { clock, rig, asked } = shared({ showsEarlier: false });
    const answers: Message[] = [];
    const original = MessageChannel.prototype.send;
    vi.spyOn(MessageChannel.prototype, 'send').mockImplementation(function (this: MessageChannel, message) {
      if (message.kind === 'earlier') {
        answers.push(message);
      }
      original.call(this, message.kind === 'ask' ? { kind: 'wantEarlier' } : message);
    });
    rig.join();
    await clock.advance(2_000);
    expect(answers.flatMap((message) => (message as MessageOf<'earlier'>).lines)).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('guests that join after it was withdrawn get no earlier lines', async () => {
    const { rig } = shared();
    expect(shown(await rig.joined('Ann'))).toHaveLength(3);
    rig.host.showEarlier(false);
    expect(shown(await rig.joined('Bob'))).toEqual([]);
    rig.host.showEarlier(true);
    expect(shown(await rig.joined('Cem'))).toHaveLength(3);
  });

  it('the relay sees no line in plain text, even with consent', async () => {
    const { rig } = shared();
    expect(shown(await rig.joined())).toContain('boot ok\n');
    const all = rig.relay.seen.map((frame) => new TextDecoder('latin1').decode(frame)).join('');
    expect(all).not.toContain('boot ok');
  });
});

describe('another version', () => {
  it('an older host reports no abilities: live events pass with its first answer', async () => {
    const { clock, rig } = shared();
    const original = MessageChannel.prototype.send;
    vi.spyOn(MessageChannel.prototype, 'send').mockImplementation(function (this: MessageChannel, message) {
      if (message.kind !== 'abilities') {
        original.call(this, message);
      }
    });
    const guest = rig.join();
    await clock.advance(200);
    rig.host.tapped(1, 'received', text('live'), clock.now());
    await clock.advance(1_000);
    expect(read(guest.lane(1, 'received'))).toBe('live');
    expect(guest.earlier).toEqual([]);
  });

  it('a guest from before asks for nothing and gets nothing', async () => {
    const { clock, rig, asked } = shared();
    const original = MessageChannel.prototype.send;
    vi.spyOn(MessageChannel.prototype, 'send').mockImplementation(function (this: MessageChannel, message) {
      if (message.kind !== 'ask') {
        original.call(this, message);
      }
    });
    const guest = rig.join();
    await clock.advance(2_000);
    expect(guest.guest.status.state).toBe('joined');
    expect(asked).toEqual([]);
  });
});

describe('bounds', () => {
  const gate = () => {
    const clock = new VirtualClock(1_000_000);
    const seen: string[] = [];
    const lines: EarlierLine['bytes'][] = [];
    const opened = new EarlierGate({
      clock,
      limits,
      ask: () => seen.push('asked'),
      show: (earlier) => {
        seen.push(`${earlier.lines.length} lines`);
        lines.push(...earlier.lines.map(({ bytes }) => bytes));
      },
    });
    opened.abilities(hostAbilities.earlier);
    return { clock, seen, lines, gate: opened };
  };
  const sent = (count: number, length: number, change: Partial<MessageOf<'earlier'>> = {}): MessageOf<'earlier'> => ({
    kind: 'earlier',
    now: 1_000_000,
    isLast: false,
    lines: Array.from({ length: count }, () => ({
      port: 1,
      lane: 'received',
      time: 2_000_000,
      isOpen: false,
      bytes: new Uint8Array(length),
      author: null,
    })),
    ...change,
  });

  it('a guest takes 500 lines or 64 KiB of a port, whichever is less, from a host that sends more', () => {
    const many = gate();
    many.gate.take(sent(400, 1));
    many.gate.take(sent(400, 1, { isLast: true }));
    expect(many.lines).toHaveLength(500);
    const long = gate();
    for (let turn = 0; turn < 100; turn++) {
      long.gate.take(sent(1, 16_000, { isLast: turn === 99 }));
    }
    expect(long.lines).toHaveLength(4);
  });

  it('a guest ignores lines after the last one and lines that it did not request', () => {
    const { gate: opened, seen } = gate();
    opened.take(sent(1, 1, { isLast: true }));
    opened.take(sent(1, 1, { isLast: true }));
    expect(seen).toEqual(['asked', '1 lines']);
  });

  it('live events are not held up by a host without a last line, or by a flood', async () => {
    const slow = gate();
    slow.gate.pass(() => slow.seen.push('live'), 1);
    slow.gate.take(sent(2, 1));
    await slow.clock.advance(limits.earlierWait);
    expect(slow.seen).toEqual(['asked', '2 lines', 'live']);
    const flooding = gate();
    flooding.gate.pass(() => flooding.seen.push('live'), limits.held + 1);
    expect(flooding.seen).toEqual(['asked', 'live']);
  });

  it('a host asks its bench for 500 lines and 64 KiB of a port, for less where many guests are, and cuts messages', () => {
    const asked: unknown[] = [];
    const clock = new VirtualClock(1_000_000);
    let guests = 1;
    const lines = new EarlierLines({
      clock,
      limits,
      bench: {
        earlier: (_port: number, { lines: most, bytes }: EarlierLinesWanted) => {
          asked.push([most, bytes]);
          return [line('x'.repeat(60_000)), ...Array.from({ length: 400 }, () => line('short\n', { order: 2 }))];
        },
      },
      tap: { addedSince: () => 0 },
      ports: () => [1],
      guests: () => guests,
    });
    lines.isShown = true;
    const messages = lines.messages([]);
    expect(messages.length).toBeGreaterThan(1);
    expect(messages.map(({ isLast }) => isLast)).toEqual([...messages.slice(1).map(() => false), true]);
    expect(messages.flatMap((message) => message.lines)).toHaveLength(4 + 400);
    guests = 320;
    lines.messages([]);
    expect(asked).toEqual([
      [500, 65_536],
      [500, 6_553],
    ]);
  });
});
