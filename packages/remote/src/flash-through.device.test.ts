/** The product's own flasher on a board that is somewhere else: 40 ms of round trip, in virtual time, every byte compared. */
import { VirtualClock } from '@wirebench/clock';
import { createEspPort, EspDevice } from '@wirebench/devices';
import { splitIntoRegions } from '@wirebench/flasher/core';
import { connectEsp } from '@wirebench/flasher/espressif';
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
  const board = await runOn(clock, connectEsp(port, { clock, baudRate: 921_600 }));
  return { clock, device, rig, board };
}

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

  it('has every byte when the connection was lost for seconds in the middle, again and again', async () => {
    const image = firmware(400_000);
    const { clock, device, rig, board } = await through();
    let cuts = 0;
    const cut = () => {
      cuts++;
      rig.relay.isDown = true;
      rig.relay.cutGuests();
      clock.schedule(2_000, () => {
        rig.relay.isDown = false;
      });
    };
    for (const at of [300, 5_000, 9_000]) {
      clock.schedule(at, cut);
    }
    const report = await runOn(clock, board.write(splitIntoRegions(offset, image)));
    expect(cuts).toBeGreaterThanOrEqual(2);
    expect(report.state).toBe('complete');
    expect(device.flash.read(offset, image.length)).toEqual(image);
  });

  it('is taken for failed, never for done, when the connection does not come back', async () => {
    const image = firmware(400_000);
    const { clock, rig, board } = await through();
    clock.schedule(500, () => {
      rig.relay.isDown = true;
      rig.relay.cutGuests();
    });
    const failure = await runOn(
      clock,
      board.write(splitIntoRegions(offset, image)).then(
        () => 'done',
        (error: unknown) => (error as { code?: string }).code,
      ),
    );
    expect(failure).toBeDefined();
    expect(failure).not.toBe('done');
  });
});
