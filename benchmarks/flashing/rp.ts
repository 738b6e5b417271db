/**
 * Writing 1 MB to a simulated Pico (RP2040) with the times of a real flash chip and USB at full speed: over PICOBOOT, once more with
 * nothing changed, and as a UF2 file on its drive, which reads nothing back. Times are those of a virtual clock: a packet takes 53 µs,
 * less than a timer of Node.
 *
 * The limit is the sum of these parts: erasing and programming (W25Q16JV data sheet, 9.6, typical), and every byte once over
 * the wire in each direction. Without changes it is every byte once.
 */
import { VirtualClock } from '@wirebench/clock';
import { RpBoard, rpFirmware, rpFirmwareUf2 } from '@wirebench/devices/rp';
import { connectRpUsb, flashStart } from '@wirebench/flasher/rp';
import { runOn } from '@wirebench/flasher/testing/run-on';
import { orShortest } from '../shortest.ts';

const SIZE = orShortest(1_048_576, 16_384);
/** Milliseconds of a sector's erase and of a page. */
const FLASH = (SIZE / 4_096) * 45 + (SIZE / 256) * 0.4;
/** Milliseconds of all bytes in one direction: 19 packets of 64 bytes a frame (USB 2.0, section 5.8.4). */
const WIRE = SIZE / (19 * 64);
const SHARE = 0.9;

const program = { text: 'Hello.\r\n', kind: 'plain', size: SIZE } as const;

interface Measurement {
  readonly name: string;
  /** Milliseconds, like `limit`. */
  readonly time: number;
  readonly limit: number;
  /** Null: the row is shown for comparison. */
  readonly target: number | null;
}

/** A board in BOOTSEL with another program in its flash. */
async function oldBoard() {
  const clock = new VirtualClock(1_000_000);
  const content = [{ offset: 0, data: rpFirmware({ ...program, seed: 1 }) }];
  const board = new RpBoard({ clock, profile: 'real-flash', content, bootsel: true });
  await clock.advance(1_000);
  const timed = async (work: () => Promise<unknown>) => {
    const start = clock.now();
    await runOn(clock, work());
    return clock.now() - start;
  };
  return { clock, board, timed };
}

async function measurePicoboot(): Promise<Measurement[]> {
  const { clock, board: simulated, timed } = await oldBoard();
  const { device } = simulated;
  if (device === null) {
    throw new Error('The board is not on the bus.');
  }
  const board = await runOn(clock, connectRpUsb(device, { clock }));
  const bytes = rpFirmware({ ...program, seed: 2 });
  const write = () => board.write([{ offset: flashStart, bytes }]);
  const first = await timed(write);
  mustHold(simulated, bytes);
  const again = await timed(write);
  return [
    { name: 'Pico, USB, real flash', time: first, limit: FLASH + 2 * WIRE, target: SHARE },
    { name: 'Pico again, nothing changed', time: again, limit: WIRE, target: null },
  ];
}

async function measureCopy(): Promise<Measurement> {
  const { board, timed } = await oldBoard();
  const time = await timed(async () => {
    const file = await board.drive.getFileHandle('program.uf2', { create: true });
    const writer = await file.createWritable();
    await writer.write(rpFirmwareUf2({ ...program, seed: 2 }));
    // The board restarts with the last block.
    await writer.close().catch(() => undefined);
  });
  mustHold(board, rpFirmware({ ...program, seed: 2 }));
  // A UF2 block has twice the bytes of its page.
  return { name: 'Pico, UF2 copied to its drive', time, limit: FLASH + 2 * WIRE, target: null };
}

function mustHold({ flash }: RpBoard, bytes: Uint8Array): void {
  if (!Buffer.from(flash.read(0, bytes.length)).equals(bytes)) {
    throw new Error('The flash does not contain the program.');
  }
}

/** Returns rows of the table that `run.ts` prints. One run is enough: the virtual clock gives each the same times. */
export async function rpRows(): Promise<string[][]> {
  const measured = [...(await measurePicoboot()), await measureCopy()];
  return measured.map(({ name, time, limit, target }) => {
    const share = limit / time;
    const row = [
      name,
      'wirebench',
      `${(time / 1_000).toFixed(2)} s`,
      `${(share * 100).toFixed(1)} %`,
      '',
      SIZE.toLocaleString('en'),
      '',
      target === null ? '' : `≥ ${target * 100} %`,
      target === null ? '' : share >= target ? 'reached' : 'MISSED',
    ];
    console.error(row.join(' · '));
    return row;
  });
}
