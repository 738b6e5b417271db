/**
 * Flashes a remote board with the product's own flasher: a round trip of 40 ms, in virtual time, every byte compared.
 */
import { VirtualClock } from '@wirebench/clock';
import { createEspPort, EspDevice, type EspDeviceOptions } from '@wirebench/devices';
import { splitIntoRegions, type WriteEvent } from '@wirebench/flasher/core';
import { connectEsp, type EspNotice } from '@wirebench/flasher/esp';
import { runOn } from '@wirebench/flasher/testing';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { numbersOf } from './testing/hostile-relay.ts';
import { RemoteRig } from './testing/remote-rig.ts';

const offset = 0x1_0000;
/** Interval between the moments at which the connection is cut, in milliseconds. */
const STRIDE = isLong ? 20 : 100;
const timeout = isLong ? 1_200_000 : 120_000;

function firmware(length: number): Uint8Array {
  const next = numbersOf(11);
  return Uint8Array.from({ length }, (_, at) => (at % 64 < 22 ? Math.floor(next() * 256) : at % 64));
}

/** Delay of one direction, in milliseconds. */
const HALF_TRIP = 20;

async function through(options: Partial<EspDeviceOptions> = {}) {
  const clock = new VirtualClock(1_000_000);
  const device = new EspDevice({ chip: 'esp32', flash: { content: 'empty' }, ...options });
  const plugged = createEspPort(device, { clock, pace: 'wire' });
  /** Time until which nothing gets through, without a notice. Messages arrive afterwards. */
  let hangsUntil = 0;
  const rig = new RemoteRig({
    clock,
    device: () => plugged.port,
    delay: () => HALF_TRIP + 2 * Math.max(0, hangsUntil - clock.now()),
  });
  rig.relay.keeps = false;
  rig.share();
  const { port } = await rig.using();
  const notices: EspNotice[] = [];
  const onNotice = (notice: EspNotice) => notices.push(notice);
  const connect = () => runOn(clock, connectEsp(port, { clock, baudRate: 921_600, onNotice }));
  const board = await connect();
  /** Cuts a connection and accepts no new one for `duration` milliseconds. */
  const cut = (duration: number, whose: 'guest' | 'host' = 'guest') => {
    rig.relay.isDown = true;
    if (whose === 'guest') {
      rig.relay.cutGuests();
    } else {
      rig.relay.cutHost();
    }
    clock.schedule(duration, () => {
      rig.relay.isDown = false;
    });
  };
  const hang = (duration: number) => {
    hangsUntil = clock.now() + duration;
  };
  return { clock, device, board, connect, cut, hang, notices };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );

describe('a chip that is flashed through a remote port', () => {
  it('has every byte, verified by itself, with 40 ms of round trip', async () => {
    const image = firmware(200_000);
    const { clock, device, board } = await through();
    expect(board.info.chip).toBe('esp32');
    const report = await runOn(clock, board.write(splitIntoRegions(offset, image)));
    expect(report.state).toBe('complete');
    expect(device.flash.read(offset, image.length)).toEqual(image);
    await runOn(clock, board.restart());
    await runOn(clock, board.close());
  });

  it('has every byte, written once, when the connection is lost for a second in the middle, again and again', async () => {
    const image = firmware(400_000);
    const { clock, device, board, cut, notices } = await through();
    let cuts = 0;
    let isWriting = true;
    for (const at of [300, 2_300, 4_300]) {
      clock.schedule(at, () => {
        cuts += isWriting ? 1 : 0;
        cut(1_000);
      });
    }
    const report = await runOn(clock, board.write(splitIntoRegions(offset, image)));
    isWriting = false;
    expect(cuts).toBe(3);
    // The port stalls for less than a block may take, so the flasher repeats nothing.
    expect(report).toMatchObject({ state: 'complete', written: image.length, repeated: 0 });
    expect(notices).toEqual([]);
    expect(device.flash.read(offset, image.length)).toEqual(image);
  });

  it.each([
    ['the connection of the guest is lost', 'guest'],
    ['the connection of the host is lost', 'host'],
    ['nothing gets through and nothing says so', 'silent'],
  ] as const)(
    'has every byte, written once without a notice, when at any time %s for ten seconds',
    {
      timeout,
    },
    async (_, kind) => {
      const image = firmware(300_000);
      const regions = splitIntoRegions(offset, image);
      let strikes = 0;
      for (let at = 0; strikes * STRIDE === at; at += STRIDE) {
        const { clock, device, board, cut, hang, notices } = await through();
        let isWriting = true;
        clock.schedule(at, () => {
          strikes += isWriting ? 1 : 0;
          if (kind === 'silent') {
            hang(10_000);
          } else {
            cut(10_000, kind);
          }
        });
        const report = await runOn(clock, board.write(regions));
        isWriting = false;
        expect(report, `at ${at} ms`).toMatchObject({ state: 'complete', written: image.length, repeated: 0 });
        expect(notices, `at ${at} ms`).toEqual([]);
        expect(device.flash.read(offset, image.length), `at ${at} ms`).toEqual(image);
        await runOn(clock, board.close());
      }
      expect(strikes).toBeGreaterThan(10);
    },
  );

  it('is given up when the board has been silent for its time, which does not pass while nothing gets through', async () => {
    const image = firmware(300_000);
    // The chip is silent from the fourth block on, through all retries.
    const { clock, board, hang } = await through({
      faults: [{ at: 'flash-data', kind: 'hang', nth: 4, times: Number.POSITIVE_INFINITY }],
    });
    clock.schedule(200, () => hang(10_000));
    const start = clock.now();
    const failure = await runOn(clock, failureOf(board.write(splitIntoRegions(offset, image))));
    expect(failure).toMatchObject({ name: 'EspError', code: 'stopped-answering', state: 'incomplete' });
    expect(clock.now() - start).toBeGreaterThan(13_000);
    await runOn(clock, board.close());
  });

  it.each([
    ['the connection of the guest is lost', 'guest'],
    ['nothing gets through and nothing says so', 'silent'],
  ] as const)(
    'is connected and restarted although %s for ten seconds during it',
    {
      timeout,
    },
    async (_, kind) => {
      let strikes = 0;
      let isWorking = true;
      for (let at = 0; isWorking; at += 250) {
        const { clock, board, connect, cut, hang } = await through();
        await runOn(clock, board.close());
        clock.schedule(at, () => (kind === 'silent' ? hang(10_000) : cut(10_000)));
        const start = clock.now();
        const again = await connect();
        isWorking = clock.now() - start > at;
        strikes += isWorking ? 1 : 0;
        expect(again.info.chip, `at ${at} ms`).toBe('esp32');
        clock.schedule(100, () => (kind === 'silent' ? hang(10_000) : cut(10_000)));
        expect(await runOn(clock, failureOf(again.restart())), `at ${at} ms`).toBe('done');
        await runOn(clock, again.close());
      }
      expect(strikes).toBeGreaterThan(8);
    },
  );

  it('is not taken for finished when flash is complete but the last verify gets no answer', async () => {
    const image = firmware(200_000);
    const { clock, device, board, cut } = await through();
    const events: WriteEvent[] = [];
    const onEvent = (event: WriteEvent) => {
      events.push(event);
      if (event.type === 'progress' && event.phase === 'verifying') {
        // The request is on its way. Its answer will not arrive.
        clock.schedule(HALF_TRIP + 5, () => cut(Number.POSITIVE_INFINITY));
      }
    };
    const failure = await runOn(clock, failureOf(board.write(splitIntoRegions(offset, image), { onEvent })));
    expect(device.flash.read(offset, image.length)).toEqual(image);
    expect(failure).toMatchObject({ name: 'EspError', state: 'incomplete' });
    expect(events.filter(({ type }) => type === 'region')).toEqual([]);
    await runOn(clock, board.close());
  });

  it('is taken for failed, never for done, when the connection does not come back', async () => {
    const image = firmware(400_000);
    const { clock, board, cut } = await through();
    clock.schedule(500, () => cut(Number.POSITIVE_INFINITY));
    const start = clock.now();
    const failure = await runOn(clock, failureOf(board.write(splitIntoRegions(offset, image))));
    // The port is lost after a minute, which bounds every wait.
    expect(failure).toMatchObject({ name: 'EspError', code: 'unplugged', state: 'incomplete' });
    expect(clock.now() - start).toBeLessThanOrEqual(61_000);
    await runOn(clock, board.close());
  });
});
