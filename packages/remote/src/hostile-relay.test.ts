/**
 * Tests a relay that drops, repeats, swaps, cuts and changes frames, and delivers old ones again. Each accepted byte
 * must be the one that was sent, and no wait may exceed its limit. Sixteen seeds here, 1,000 with `npm run
 * test:long`.
 */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { isLong, randomSeeds } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { faults, numbersOf, tamperAt } from './testing/hostile-relay.ts';
import { RemoteRig } from './testing/remote-rig.ts';

const SEEDS = isLong ? 1_000 : 16;
const timeout = isLong ? 1_200_000 : 60_000;
/** Interval between two checks, in milliseconds. */
const STRIDE = 250;
/**
 * Time after which everything has arrived or the port has ended, in milliseconds. A relay that damages every second
 * frame lets a guest come back a few times, each after less than a minute. The product guarantees the minute; this
 * limit is far beyond it.
 */
const FAR = 3_600_000;
const AMOUNT = 20_000;

const pattern = (length: number, seed: number) => {
  const next = numbersOf(seed);
  return Uint8Array.from({ length }, () => Math.floor(next() * 256));
};

interface Outcome {
  readonly ended: boolean;
  readonly read: number;
  readonly written: number;
}

async function exchange(seed: number): Promise<Outcome> {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const next = numbersOf(seed);
  const probability = [0.005, 0.02, 0.1, 0.5][seed % 4] ?? 0;
  const kinds = seed % 8 === 7 ? faults : ([faults[seed % faults.length] ?? 'drop', 'change'] as const);
  const hostile = tamperAt(seed, probability, kinds);
  let isHostile = false;
  const rig = new RemoteRig({
    clock,
    seed,
    device: () => device,
    delay: () => 5 + next() * 20,
    tamper: (message, way) => (isHostile ? hostile(message, way) : [{ message }]),
  });
  rig.relay.keeps = false;
  rig.share();
  const { port, lane, missing, awayFor } = await rig.using();
  await rig.run(port.open({ baudRate: 115_200, bufferSize: 4_096 }));
  isHostile = true;
  const toHost = pattern(AMOUNT, seed + 1);
  const toGuest = pattern(AMOUNT, seed + 2);
  const got: number[] = [];
  let ended = false;
  const reading = async () => {
    const reader = port.readable?.getReader();
    try {
      for (let result = await reader?.read(); result?.value !== undefined; result = await reader?.read()) {
        got.push(...result.value);
      }
    } catch {
      ended = true;
    }
  };
  const writing = async () => {
    const writer = port.writable?.getWriter();
    for (let at = 0; at < toHost.length; at += 400) {
      await writer?.write(toHost.subarray(at, at + 400));
      await clock.sleep(20);
    }
  };
  void reading();
  writing().catch(() => {
    ended = true;
  });
  const start = clock.now();
  for (let at = 0; at < toGuest.length; at += 400) {
    device.receive(toGuest.subarray(at, at + 400));
    await clock.advance(25);
  }
  const isDone = () => got.length === toGuest.length && device.written.length === toHost.length;
  while (!isDone() && !ended && clock.now() - start < FAR) {
    await clock.advance(STRIDE);
    expect(ended ? 0 : awayFor(), 'a port waits for a host that is away').toBeLessThanOrEqual(rig.limits.away + STRIDE);
  }
  const written = device.written;
  // The received bytes are the sent ones, from the first byte on, without a gap.
  expect(got).toEqual([...toGuest.subarray(0, got.length)]);
  expect(written).toEqual([...toHost.subarray(0, written.length)]);
  expect(isDone() || ended, 'neither everything has come nor the port has ended').toBe(true);
  expect(missing).toEqual([]);
  const tapped = lane(1, 'received');
  expect([...tapped]).toEqual([...toGuest.subarray(0, tapped.length)]);
  return { ended, read: got.length, written: written.length };
}

describe('a hostile relay', () => {
  it(
    'cannot make a side accept a wrong byte or wait longer than its limit',
    async () => {
      const outcomes: Outcome[] = [];
      for (const seed of randomSeeds(SEEDS)) {
        outcomes.push(
          await exchange(seed).catch((error: unknown) => {
            throw new Error(`seed ${seed}`, { cause: error });
          }),
        );
      }
      // A relay that damages one frame in two hundred does not end a port.
      const whole = outcomes.filter(({ read, written }) => read === AMOUNT && written === AMOUNT);
      expect(whole.length).toBeGreaterThan(SEEDS / 3);
    },
    timeout,
  );

  it.each([
    ['repeats', (frame: Uint8Array) => [{ message: frame }, { message: frame }]],
    ['changes', (frame: Uint8Array) => [{ message: frame.with(frame.length - 1, (frame.at(-1) ?? 0) ^ 1) }]],
    ['cuts', (frame: Uint8Array) => [{ message: frame.subarray(0, frame.length - 1) }]],
    ['leaves out', () => []],
    ['delivers late, behind those that follow,', (frame: Uint8Array) => [{ message: frame, late: 300 }]],
  ])('%s one frame of a guest, and only the typed words are accepted, once and in order', async (_, spoil) => {
    let wait = Number.POSITIVE_INFINITY;
    const clock = new VirtualClock(1_000_000);
    const rig = new RemoteRig({
      clock,
      delay: () => 20,
      tamper: (message, way) => (way === 'to host' && wait-- === 0 ? spoil(message) : [{ message }]),
    });
    rig.share();
    const { guest } = await rig.joined();
    rig.host.setRight(rig.idOf('Grace'), 1, 'type');
    await clock.advance(1_000);
    for (const word of ['one', 'two', 'three', 'four']) {
      // The next frame contains the word typed now.
      wait = word === 'two' ? 0 : wait;
      void guest.type(1, new TextEncoder().encode(word)).catch(() => undefined);
      await clock.advance(100);
    }
    await clock.advance(20_000);
    expect(wait).toBeLessThan(0);
    expect(rig.calls).toEqual(['type 1 one', 'type 1 two', 'type 1 three', 'type 1 four']);
  });

  it('is refused when it answers in the host’s place', async () => {
    const clock = new VirtualClock(1_000_000);
    const rig = new RemoteRig({ clock });
    // The relay returns each guest's own hello as the challenge, or makes up any other frame.
    const forged = new RemoteRig({ clock, seed: 42 });
    const { guest } = forged.join('Grace', rig.secret);
    await clock.advance(60_000);
    expect(guest.status).toMatchObject({ state: 'ended', why: 'wrong-key' });
  });

  it('causes a bounded number of answers when it floods the host with hellos', async () => {
    const clock = new VirtualClock(1_000_000);
    const rig = new RemoteRig({ clock });
    rig.share();
    await rig.joined();
    const hello = rig.relay.seen.find((frame) => frame[5] === 1)?.subarray(5) ?? new Uint8Array();
    const before = rig.relay.seen.length;
    for (let turn = 0; turn < 500; turn++) {
      rig.relay.inject(7, hello);
    }
    await clock.advance(1_000);
    expect(rig.relay.seen.length - before).toBeLessThanOrEqual(20);
    expect(rig.host.status.guests).toHaveLength(1);
  });

  it('changes nothing when it delivers unknown or cut frames', async () => {
    const clock = new VirtualClock(1_000_000);
    const rig = new RemoteRig({ clock });
    rig.share();
    const { guest } = await rig.joined();
    for (const frame of [[], [0], [1], [1, 1], [2, 1], [3], [3, 0, 0, 0, 0], [9, 9, 9]]) {
      rig.relay.inject(1, Uint8Array.from(frame));
      rig.relay.inject(2, Uint8Array.from(frame));
    }
    await clock.advance(30_000);
    expect(guest.status.state).toBe('joined');
    expect(rig.host.status.guests).toHaveLength(1);
  });
});
