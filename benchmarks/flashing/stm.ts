/**
 * Flashing simulated STM32 parts through their bootloaders, in real time. Over a UART the flash costs no time, over
 * USB it has the part's own times.
 *
 * The limit is the sum of these parts:
 * - the wire time of both directions, of writing and reading back with every acknowledgement, because each frame must
 *   wait for the previous answer (AN3155)
 * - the simulated part's calculations
 * - over USB the flash's work
 */
import { type Clock, systemClock } from '@wirebench/clock';
import { createStmPort, StmDevice, type StmDeviceOptions, StmDfuBoard } from '@wirebench/devices';
import { connectStm, connectStmUsb, type StmBoard, stmEntries, stmFlashStart } from '@wirebench/flasher/stm';
import { isShortest, orShortest } from '../shortest.ts';
import { exactClock } from './exact-clock.ts';
import { makeImage } from './image.ts';

const UART_BYTES = orShortest(65_536, 8_192);
const USB_BYTES = orShortest(262_144, 16_384);
/** Start bit, eight data bits, parity, stop bit. */
const BITS_A_BYTE = 11;
/** Bytes a millisecond of 2 KB control transfers on the simulated full-speed USB, in each direction. */
const USB = 380;
/**
 * Milliseconds of an STM32F407 (DS8626, "Flash memory programming") to erase four sectors of 16 KB, one of 64 KB and
 * two of 128 KB, and to program a byte.
 */
const FLASH_ERASE = 4 * 400 + 1_200 + 2_000;
const FLASH_BYTE = 0.016;
const SHARE = 0.9;

interface Scenario {
  readonly name: string;
  /** Baud; null on USB. */
  readonly baudRate: number | null;
  readonly options?: Partial<StmDeviceOptions>;
}

const scenarios: readonly Scenario[] = [
  { name: 'STM32 UART, 115,200 baud', baudRate: 115_200 },
  { name: 'STM32 UART, 460,800 baud', baudRate: 460_800 },
  { name: 'STM32 UART, 921,600 baud', baudRate: 921_600 },
  { name: 'STM32 UART, with checksum', baudRate: 115_200, options: { part: 'stm32g071', checksum: true } },
  { name: 'STM32 USB, real flash', baudRate: null },
];

interface Measurement {
  /** Milliseconds, like `write` and `limit`. */
  readonly connect: number;
  readonly write: number;
  readonly limit: number;
  /** CPU milliseconds of this thread while writing, without the simulated part's. */
  readonly cpu: number;
}

/** Returns the CPU time in milliseconds of the thread that runs both client and part. */
function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Makes a clock that counts the CPU time of its timers. The part runs only in these, and client code that they wake
 * runs after them.
 */
function countingClock(): { readonly clock: Clock; readonly used: () => number } {
  let used = 0;
  const schedule: Clock['schedule'] = (delay, callback) =>
    exactClock.schedule(delay, () => {
      const before = threadCpu();
      callback();
      used += threadCpu() - before;
    });
  return { clock: { ...exactClock, schedule }, used: () => used };
}

async function timed(board: StmBoard, image: Uint8Array, used: () => number) {
  const [usedBefore, cpuBefore, start] = [used(), threadCpu(), performance.now()];
  const report = await board.write([{ offset: stmFlashStart, bytes: image }], { onEvent: () => undefined });
  const write = performance.now() - start;
  if (report.state !== 'complete' || report.repeated > 0) {
    throw new Error('The image was not written in one go.');
  }
  const chip = used() - usedBefore;
  return { write, chip, cpu: threadCpu() - cpuBefore - chip, sent: report.sent };
}

async function measureUart(baudRate: number, options: Partial<StmDeviceOptions> = {}): Promise<Measurement> {
  const device = new StmDevice({ part: 'stm32f103', content: 'empty', ...options });
  const { clock, used } = countingClock();
  let received = 0;
  const onTransmit = (bytes: Uint8Array) => {
    received += bytes.length;
  };
  const demo = createStmPort(device, { clock, pace: 'wire', onTransmit });
  const { port } = demo;
  if (port === null) {
    throw new Error('The part is not plugged in.');
  }
  const start = performance.now();
  const board = await connectStm(port, { clock: systemClock, entry: stmEntries.usual, baudRate });
  const connect = performance.now() - start;
  const image = makeImage(1, UART_BYTES);
  const receivedBefore = received;
  const { write, chip, cpu, sent } = await timed(board, image, used);
  const limit = ((sent + received - receivedBefore) * BITS_A_BYTE * 1_000) / baudRate + chip;
  await board.close();
  mustHold(device.readMemory(stmFlashStart, image.length), image);
  demo.unplug();
  return { connect, write, limit, cpu };
}

async function measureUsb(): Promise<Measurement> {
  const { clock, used } = countingClock();
  const simulated = new StmDfuBoard({ part: 'stm32f407', content: 'empty', profile: 'real-flash', clock });
  await systemClock.sleep(1_000);
  const { device } = simulated;
  if (device === null) {
    throw new Error('The part is not on the bus.');
  }
  const start = performance.now();
  const board = await connectStmUsb(device, { clock: systemClock });
  const connect = performance.now() - start;
  const image = makeImage(1, USB_BYTES);
  const { write, chip, cpu } = await timed(board, image, used);
  const limit = FLASH_ERASE + image.length * FLASH_BYTE + (2 * image.length) / USB + chip;
  await board.close();
  mustHold(simulated.readMemory(stmFlashStart, image.length), image);
  simulated.unplug();
  return { connect, write, limit, cpu };
}

function mustHold(found: Uint8Array, image: Uint8Array): void {
  if (!Buffer.from(found).equals(image)) {
    throw new Error('The flash does not contain the image.');
  }
}

/** Returns rows of the table that `run.ts` prints. */
export async function stmRows(runs: number): Promise<string[][]> {
  const rows: string[][] = [];
  for (const { name, baudRate, options } of isShortest ? scenarios.slice(2) : scenarios) {
    const measurements: Measurement[] = [];
    for (let run = 0; run < runs; run++) {
      measurements.push(baudRate === null ? await measureUsb() : await measureUart(baudRate, options));
    }
    const median = measurements.toSorted((one, other) => one.write - other.write)[runs >> 1];
    if (median === undefined) {
      continue;
    }
    const share = median.limit / median.write;
    rows.push([
      name,
      'wirebench',
      `${(median.write / 1_000).toFixed(2)} s`,
      `${(share * 100).toFixed(1)} %`,
      `${median.cpu.toFixed(0)} ms`,
      (baudRate === null ? USB_BYTES : UART_BYTES).toLocaleString('en'),
      `${(median.connect / 1_000).toFixed(2)} s`,
      `≥ ${SHARE * 100} %`,
      share >= SHARE ? 'reached' : 'MISSED',
    ]);
    console.error(rows.at(-1)?.join(' · '));
  }
  return rows;
}
