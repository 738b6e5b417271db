/**
 * Flashing simulated Nordic boards through each of the three bootloaders, in real time. Over a UART the flash costs
 * no time. Over USB it has the chip's own times, because there the flash is the bottleneck.
 *
 * The limit is the sum of these parts:
 * - the wire time of both directions, because these protocols wait for each answer
 * - the simulated chip's calculations, which check signatures in JavaScript
 * - over USB the flash's work
 * - with Adafruit's bootloader the pauses of Adafruit's own tool, during which the bootloader cannot receive
 */
import { type Clock, systemClock } from '@wirebench/clock';
import { createNrfPort, type NrfBoardName, NrfDevice, nrfFirmware } from '@wirebench/devices';
import { connectNrf, readNrfFirmware } from '@wirebench/flasher/nrf';
import { isShortest, orShortest } from '../shortest.ts';
import { exactClock } from './exact-clock.ts';

const UART_BYTES = orShortest(65_536, 8_192);
const USB_BYTES = orShortest(262_144, 16_384);
const PAGE = 4_096;
/** Bytes a millisecond: 115,200 baud, and the simulated full-speed USB. */
const UART = 11.52;
const USB = 1_000;
/** Milliseconds for a page (adafruit-nrfutil, `dfu_transport_serial.py`). */
const ERASE = 89.7;
const WRITE = 102.4;
/** Milliseconds of an nRF52840 for a page ("NVMC"). A word takes 41 µs. */
const FLASH_ERASE = 85;
const FLASH_WRITE = 41.984;
/**
 * Milliseconds. The nRF52832 listens for a second at each start. Then the client asks if it is still in its
 * bootloader.
 */
const STARTUP = 1_300;
/** Milliseconds for which a restarting simulated board is absent from USB. */
const REENUMERATION = 300;
const SHARE = 0.9;

interface Scenario {
  readonly name: string;
  readonly board: NrfBoardName;
  readonly link: 'uart' | 'usb';
  /** Returns the unavoidable milliseconds for a number of pages. */
  readonly waits: (pages: number) => number;
}

const flash = (pages: number) => pages * (FLASH_ERASE + FLASH_WRITE);
const firstErase = (pages: number) => (pages + 1) * ERASE;

const scenarios: readonly Scenario[] = [
  { name: 'secure DFU, 115,200 baud', board: 'nrf52832-secure', link: 'uart', waits: () => 0 },
  { name: 'secure DFU, USB, real flash', board: 'nrf52840-secure', link: 'usb', waits: flash },
  { name: 'MCUboot, 115,200 baud', board: 'nrf52840-mcuboot', link: 'uart', waits: () => 0 },
  { name: 'MCUboot, USB, real flash', board: 'nrf52840-mcuboot-usb', link: 'usb', waits: flash },
  {
    name: 'Adafruit, 115,200 baud',
    board: 'feather-nrf52832',
    link: 'uart',
    waits: (pages) => firstErase(pages) + pages * WRITE + ERASE + WRITE + STARTUP,
  },
  {
    name: 'Adafruit, USB, real flash',
    board: 'xiao-nrf52840',
    link: 'usb',
    waits: (pages) => firstErase(pages) + pages * FLASH_WRITE + WRITE + REENUMERATION,
  },
];

interface Measurement {
  /** Milliseconds, like `write`. */
  readonly connect: number;
  readonly write: number;
  /** Bytes of both directions together. */
  readonly bytes: number;
  /** CPU milliseconds of this thread while writing: those of the simulated chip (`chip`), and the rest (`cpu`). */
  readonly chip: number;
  readonly cpu: number;
}

/** Returns the CPU time in milliseconds of the thread that runs both client and chip. */
function threadCpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function measure({ board: name, link }: Scenario): Promise<Measurement> {
  const profile = link === 'usb' ? 'real-flash' : 'instant-flash';
  const device = new NrfDevice({ board: name, powerUp: 'bootloader', profile });
  let chip = 0;
  // The chip runs only in its timers. Client code that they wake runs after them.
  const clock: Clock = {
    ...exactClock,
    schedule: (delay, callback) =>
      exactClock.schedule(delay, () => {
        const before = threadCpu();
        callback();
        chip += threadCpu() - before;
      }),
  };
  const demo = createNrfPort(device, { clock, pace: 'wire' });
  const made = nrfFirmware({ board: name, size: sizeOf(link) });
  const firmware = await readNrfFirmware(made.name, made.bytes);
  const { port } = demo;
  if (port === null) {
    throw new Error('The board is not plugged in.');
  }
  await systemClock.sleep(100);
  const start = performance.now();
  const board = await connectNrf(port, { clock: systemClock, returned: () => comeBack(demo) });
  const connect = performance.now() - start;
  const receivedBefore = demo.transmitted;
  const [chipBefore, cpuBefore] = [chip, threadCpu()];
  const { sent, duration, state } = await board.write(firmware);
  if (state === 'unverified' && board.info.link === 'usb') {
    throw new Error(`${name}: the image was not verified.`);
  }
  const bytes = sent + demo.transmitted - receivedBefore;
  const own = chip - chipBefore;
  const cpu = threadCpu() - cpuBefore - own;
  await board.close();
  demo.unplug();
  return { connect, write: duration, bytes, chip: own, cpu };
}

function sizeOf(link: Scenario['link']): number {
  return link === 'usb' ? USB_BYTES : UART_BYTES;
}

async function comeBack({ serial, ...demo }: ReturnType<typeof createNrfPort>): Promise<SerialPort> {
  await new Promise<void>((resolve) => serial.addEventListener('connect', () => resolve(), { once: true }));
  const [port] = await serial.getPorts();
  if (port === undefined) {
    throw new Error(`${demo.device.name} has not come back.`);
  }
  return port;
}

/** Returns rows of the table that `run.ts` prints. */
export async function nrfRows(runs: number): Promise<string[][]> {
  const rows: string[][] = [];
  for (const scenario of isShortest ? scenarios.slice(1, 4) : scenarios) {
    const measurements: Measurement[] = [];
    for (let run = 0; run < runs; run++) {
      measurements.push(await measure(scenario));
    }
    const median = measurements.toSorted((one, other) => one.write - other.write)[runs >> 1];
    if (median === undefined) {
      continue;
    }
    const size = sizeOf(scenario.link);
    const wire = median.bytes / (scenario.link === 'usb' ? USB : UART);
    const share = (wire + median.chip + scenario.waits(size / PAGE)) / median.write;
    rows.push([
      scenario.name,
      'wirebench',
      `${(median.write / 1_000).toFixed(2)} s`,
      `${(share * 100).toFixed(1)} %`,
      `${median.cpu.toFixed(0)} ms`,
      size.toLocaleString('en'),
      `${(median.connect / 1_000).toFixed(2)} s`,
      `≥ ${SHARE * 100} %`,
      share >= SHARE ? 'reached' : 'MISSED',
    ]);
    console.error(rows.at(-1)?.join(' · '));
  }
  return rows;
}
