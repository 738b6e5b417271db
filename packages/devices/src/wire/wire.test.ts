import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { type Link, uartLink } from './link.ts';
import { type Pace, Wire } from './wire.ts';

/** A clock whose timers fire 3 ms late, as on a busy machine. */
class LateClock extends VirtualClock {
  override schedule(delay: number, callback: () => void): () => void {
    return super.schedule(delay + 3, callback);
  }
}

interface Setup {
  readonly clock?: VirtualClock;
  readonly pace?: Pace;
  readonly start?: number;
  readonly room?: () => number;
  readonly moved?: (wire: Wire) => void;
}

function wireOf({ pace = 'wire', start = 0, room = () => Infinity, moved = () => undefined, ...given }: Setup = {}) {
  const clock = given.clock ?? new VirtualClock(start);
  const arrived: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  const idles: number[] = [];
  const wire: Wire = new Wire(clock, pace, {
    room,
    deliver: (bytes) => arrived.push({ at: clock.now() - start, bytes }),
    moved: () => moved(wire),
    idle: () => idles.push(clock.now() - start),
  });
  const count = () => arrived.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return { clock, wire, arrived, idles, count };
}

const fast = uartLink(921_600);

describe('wire', () => {
  it.each([
    ['8N1 at 921600 baud', fast, 92_160],
    ['8N1 at 115200 baud', uartLink(115_200), 11_520],
    ['8E1 at 115200 baud', uartLink(115_200, { parity: 'even' }), 115_200 / 11],
    ['7O2 at 9600 baud', uartLink(9_600, { dataBits: 7, parity: 'odd', stopBits: 2 }), 9_600 / 11],
    ['8N1 at 74880 baud', uartLink(74_880), 7_488],
    ['8N1 at 3 Mbaud', uartLink(3_000_000), 300_000],
    ['USB with 800 kB/s', { kind: 'usb', bytesPerSecond: 800_000 }, 800_000],
    ['4 MB/s', uartLink(40_000_000), 4_000_000],
  ] satisfies [string, Link, number][])('carries %s at exactly its rate', async (_name, link, bytesPerSecond) => {
    const { clock, wire, count } = wireOf();
    wire.write(new Uint8Array(bytesPerSecond * 3), link);
    await clock.advance(2_000);
    expect(Math.abs(count() / (bytesPerSecond * 2) - 1)).toBeLessThan(0.001);
  });

  it('keeps its rate on a clock that is at today’s date, whose fractions are coarse', async () => {
    const { clock, wire, count } = wireOf({ start: 1_795_000_000_000.3 });
    wire.write(new Uint8Array(200_000), fast);
    await clock.advance(1_000);
    expect(Math.abs(count() / 92_160 - 1)).toBeLessThan(0.001);
  });

  it('uses a timer every few milliseconds, not one a byte', async () => {
    const { clock, wire, arrived } = wireOf();
    wire.write(new Uint8Array(200_000), fast);
    await clock.advance(1_000);
    expect(arrived.length).toBeLessThanOrEqual(251);
  });

  it('lets a single byte arrive when its last bit has', async () => {
    const { clock, wire, arrived, idles } = wireOf();
    wire.write(Uint8Array.of(1), uartLink(1_000));
    await clock.advance(9.99);
    expect(arrived).toEqual([]);
    await clock.advance(0.02);
    expect(arrived).toEqual([{ at: 10, bytes: Uint8Array.of(1) }]);
    expect(idles).toEqual([10]);
  });

  it('does not save up the time in which nothing was sent', async () => {
    const { clock, wire, count } = wireOf();
    wire.write(new Uint8Array(10), uartLink(1_000));
    await clock.advance(5_000);
    wire.write(new Uint8Array(100), uartLink(1_000));
    await clock.advance(100);
    expect(count()).toBe(20);
  });

  it('sends each write at the rate of its time', async () => {
    const { clock, wire, idles } = wireOf();
    wire.write(Uint8Array.of(1), uartLink(1_000));
    wire.write(Uint8Array.of(2), uartLink(10_000));
    await clock.advance(100);
    expect(idles).toEqual([11]);
  });

  it('makes up for timers that come late when its sender goes on at once', async () => {
    let writes = 0;
    const { clock, wire, count } = wireOf({
      clock: new LateClock(),
      moved: (self) => {
        if (self.pending === 0 && writes++ < 99) {
          self.write(new Uint8Array(10), uartLink(10_000));
        }
      },
    });
    wire.write(new Uint8Array(10), uartLink(10_000));
    await clock.advance(1_003);
    expect(count()).toBe(1_000);
  });

  it('makes up for nothing when its sender goes on later', async () => {
    const { clock, wire, count } = wireOf({ clock: new LateClock() });
    wire.write(new Uint8Array(10), uartLink(10_000));
    await clock.advance(100);
    expect(count()).toBe(10);
    wire.write(new Uint8Array(10), uartLink(10_000));
    expect(count()).toBe(10);
  });

  it('loses no line time when its sender refills it as it runs empty', async () => {
    let writes = 0;
    const { clock, wire, count } = wireOf({
      moved: (self) => {
        if (self.pending === 0 && writes++ < 1_000) {
          self.write(new Uint8Array(100), fast);
        }
      },
    });
    wire.write(new Uint8Array(100), fast);
    await clock.advance(1_000);
    expect(Math.abs(count() / 92_160 - 1)).toBeLessThan(0.001);
  });

  it('waits while the far end has no room, and then makes up for no more than a driver’s buffer', async () => {
    let room = 100;
    const { clock, wire, count } = wireOf({ room: () => room - count() });
    wire.write(new Uint8Array(100_000), fast);
    await clock.advance(1_000);
    expect(count()).toBe(100);
    expect(wire.pending).toBe(99_900);
    room = Infinity;
    wire.resume();
    expect(count()).toBe(100 + 16_384);
    await clock.advance(100);
    expect(count()).toBe(100 + 16_384 + 9_216);
  });

  it('without pacing hands everything on at once, as far as there is room', async () => {
    let room = 10;
    const { wire, count } = wireOf({ pace: 'none', room: () => room - count() });
    wire.write(new Uint8Array(1_000), fast);
    expect(count()).toBe(10);
    room = Infinity;
    wire.resume();
    expect(count()).toBe(1_000);
  });

  it('copies what it is given, so that the sender may go on using its array', () => {
    const { wire, arrived } = wireOf({ pace: 'none', room: () => (open ? Infinity : 0) });
    let open = false;
    const bytes = Uint8Array.of(1, 2, 3);
    wire.write(bytes, fast);
    bytes.fill(0);
    open = true;
    wire.resume();
    expect(arrived[0]?.bytes).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('runs a mark when everything before it has been carried', async () => {
    const { clock, wire, count } = wireOf();
    const seen: number[] = [];
    wire.write(new Uint8Array(92), fast);
    wire.mark(fast, () => seen.push(count()));
    wire.write(new Uint8Array(92), fast);
    await clock.advance(2);
    expect(seen).toEqual([92]);
  });

  it('forgets what it has not carried when it is stopped, and all that comes later', async () => {
    const { clock, wire, count } = wireOf();
    wire.write(new Uint8Array(1_000), fast);
    await clock.advance(4);
    const before = count();
    wire.stop();
    wire.write(new Uint8Array(1_000), fast);
    await clock.advance(100);
    expect(count()).toBe(before);
    expect(clock.pending).toBe(0);
  });
});
