/**
 * Duration of a write in virtual time: the wire and flash of the simulated board and the client's protocol,
 * independent of the machine's speed. `benchmarks/flashing` measures the same in real time.
 */
import type { EspDeviceOptions } from '@wirebench/devices';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WriteReport } from '../../core/board.ts';
import { splitIntoRegions } from '../../core/region.ts';
import { noise } from '../../testing/program.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

const offset = 0x1_0000;
/** 1.5 MB that compress to a third, like firmware. */
const image = noise(1_500_000).map((byte, index) => (index % 64 < 22 ? byte : index % 64));

async function write(options: Partial<EspDeviceOptions>, baudRate: number): Promise<WriteReport> {
  const rig = new EspRig(options);
  const board = await rig.connect({ baudRate });
  return rig.run(board.write(splitIntoRegions(offset, image)));
}

const usb = { chip: 'esp32s3', connection: 'usb-jtag' } as const;
/** Bytes per second of the simulated USB Serial/JTAG. */
const USB_SPEED = 800_000;
/**
 * Milliseconds that flash with the `real` profile needs: whole blocks, the sectors of the last block, and its pages.
 */
const flashTime = Math.floor(image.length / 65_536) * 150 + 14 * 45 + Math.ceil(image.length / 256) * 0.4;

describe('the time of a write', () => {
  it.each([
    ['an ESP32 at 921,600 baud', { chip: 'esp32' }, 921_600, 92_160],
    ['an ESP32-C3 at 2,000,000 baud', { chip: 'esp32c3' }, 2_000_000, 200_000],
    ['an ESP32-S3 on its own USB port', usb, 921_600, USB_SPEED],
  ] as const)('is that of the wire: %s', async (_name, options, baudRate, bytesPerSecond) => {
    const { sent, duration } = await write(options, baudRate);
    expect((sent * 1_000) / bytesPerSecond / duration).toBeGreaterThanOrEqual(0.95);
  });

  it('is that of the flash where the wire is faster', async () => {
    const { duration } = await write({ chip: 'esp32', profile: 'real-flash' }, 2_000_000);
    expect(flashTime / duration).toBeGreaterThanOrEqual(0.95);
  });

  it('is not far from the longer one where both take about the same, with a stub that erases ahead', async () => {
    const { duration } = await write({ chip: 'esp32', profile: 'real-flash' }, 921_600);
    expect(flashTime / duration).toBeGreaterThanOrEqual(0.88);
  });

  it('is half a second at most when nothing changed', async () => {
    const report = await write({ flash: { content: [{ offset, data: image }] } }, 921_600);
    expect(report).toMatchObject({ written: 0, same: image.length });
    expect(report.duration).toBeLessThanOrEqual(500);
  });

  it('is a fifth of a second at most when 4 KB changed', async () => {
    const data = image.slice();
    data.set(noise(4_096, 9), 700_000);
    const report = await write({ flash: { content: [{ offset, data }] } }, 921_600);
    expect(report.written).toBe(0x2000);
    expect(report.duration).toBeLessThanOrEqual(200);
  });
});
