/** The product's own flasher on a board that is somewhere else: 40 ms of round trip, in virtual time, every byte compared. */
import { VirtualClock } from '@wirebench/clock';
import { createEspPort, EspDevice } from '@wirebench/devices';
import { splitIntoRegions, type WriteEvent } from '@wirebench/flasher/core';
import { connectEsp, type EspNotice } from '@wirebench/flasher/espressif';
import { runOn } from '@wirebench/flasher/testing';
import { describe, expect, it } from 'vitest';
import { numbersOf } from './testing/hostile-relay.ts';
import { RemoteRig } from './testing/remote-rig.ts';

const offset = 0x1_0000;

function firmware(length: number): Uint8Array {
  const next = numbersOf(11);
  return Uint8Array.from({ length }, (_, at) => (at % 64 < 22 ? Math.floor(next() * 256) : at % 64));
}

async function through(delay = 20) {
  const clock = new VirtualClock(1_000_000);
  const device = new EspDevice({ chip: 'esp32', flash: { content: 'empty' } });
  const plugged = createEspPort(device, { clock, pace: 'wire' });
  const rig = new RemoteRig({ clock, device: () => plugged.port, delay: () => delay });
  rig.relay.keeps = false;
  rig.share();
  const { port } = await rig.using();
  const notices: EspNotice[] = [];
  const onNotice = (notice: EspNotice) => notices.push(notice);
  const connect = () => runOn(clock, connectEsp(port, { clock, baudRate: 921_600, onNotice }));
  const board = await connect();
  /** The guest's connection is lost, and none is accepted for so long. */
  const cut = (duration: number) => {
    rig.relay.isDown = true;
    rig.relay.cutGuests();
    clock.schedule(duration, () => {
      rig.relay.isDown = false;
    });
  };
  return { clock, device, board, connect, cut, notices };
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
    // The port stalls for less than a block may take: the flasher has nothing to make good.
    expect(report).toMatchObject({ state: 'complete', written: image.length, repeated: 0 });
    expect(notices).toEqual([]);
    expect(device.flash.read(offset, image.length)).toEqual(image);
  });

  it('is told to be incomplete after a longer loss, and connected again is written from where it was', async () => {
    const image = firmware(400_000);
    const regions = splitIntoRegions(offset, image);
    const { clock, device, board, connect, cut } = await through();
    let verified = 0;
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'region') {
        if (verified === 0) {
          // The next run is on its way by then.
          clock.schedule(200, () => cut(8_000));
        }
        verified += event.length;
      }
    };
    const failure = await runOn(clock, failureOf(board.write(regions, { onEvent })));
    expect(failure).toMatchObject({ name: 'EspError', code: 'stopped-answering', state: 'incomplete' });
    expect(verified).toBeGreaterThan(0);
    expect(device.flash.read(offset, image.length)).not.toEqual(image);
    await runOn(clock, board.close());

    const again = await connect();
    const report = await runOn(clock, again.write(regions));
    expect(report).toMatchObject({ state: 'complete', same: verified, written: image.length - verified });
    expect(device.flash.read(offset, image.length)).toEqual(image);
  });

  it('is taken for failed, never for done, when the connection does not come back', async () => {
    const image = firmware(400_000);
    const { clock, board, cut } = await through();
    clock.schedule(500, () => cut(Number.POSITIVE_INFINITY));
    const start = clock.now();
    const failure = await runOn(clock, failureOf(board.write(splitIntoRegions(offset, image))));
    // The port is lost after a minute; nobody waits longer.
    expect(failure).toMatchObject({ name: 'EspError', code: 'port-gone', state: 'incomplete' });
    expect(clock.now() - start).toBeLessThanOrEqual(61_000);
    await runOn(clock, board.close());
  });
});
