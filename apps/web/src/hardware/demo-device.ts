/**
 * The only entry to the simulated devices, with `rp-demo.ts`. They are a separate download, fetched when a person connects a demo
 * device.
 */
import type { Clock } from '@wirebench/clock';
import type { EspChipName } from '@wirebench/devices';
import type { DriveFolder } from '@wirebench/flasher/family';
import type { RpDemoModel } from './rp-demo.ts';
import type { UsbBus } from './web-usb.ts';

/** Rows of points of a simulated display from the upper left, 1 for a lit one. */
export interface SimulatedPoints {
  readonly width: number;
  readonly height: number;
  readonly points: Uint8Array;
}

export interface DemoDevice {
  /** Port of the simulated board; null without one. Each replug creates another object, as with a real board. */
  readonly port: SerialPort | null;
  readonly plugged: boolean;
  /** Bus of a board whose bootloader is a USB device; null for other boards. */
  readonly usb: UsbBus | null;
  /** Drive of its bootloader, as a person picks it; null for other boards. */
  readonly drive: DriveFolder | null;
  /** The simulated board itself, which benchmarks look at (`PortDevices.simulatedBoard`). */
  readonly device: object;
  /** Returns the content of the display on its breadboard; null for a board without one. */
  display(): SimulatedPoints | null;
  unplug(): void;
  replug(): void;
}

/** Nordic boards, one for each kind of bootloader. */
type NrfDemoModel = 'nrf52840-secure' | 'feather-nrf52840' | 'nrf52840-mcuboot';

/** Arduino boards, one for each kind of bootloader. */
type AvrDemoModel = 'arduino-uno' | 'arduino-nano' | 'arduino-mega' | 'arduino-leonardo';

/** STM32 parts whose DTR and RTS drive reset and BOOT0. */
type StmDemoModel = 'stm32f407' | 'stm32g071' | 'stm32f103-protected';

/** Espressif boards on a breadboard with sensors, a display, a potentiometer, a button and an LED. */
type LabDemoModel = 'esp32-lab' | 'esp32c3-lab';

/** A line with a controller and three devices, at which the port listens. */
type LineDemoModel = 'modbus-line';

/** `chatty`: a board with a shell; `esp32-crashed`: one with a core dump in its flash; `esp32c3-secured`: one with secure boot and flash encryption. The others have a bootloader, and can be flashed. */
export type DemoModel =
  | 'chatty'
  | 'esp32'
  | 'esp32c3'
  | 'esp32s3'
  | 'esp32-crashed'
  | 'esp32c3-secured'
  | LabDemoModel
  | LineDemoModel
  | StmDemoModel
  | NrfDemoModel
  | AvrDemoModel
  | RpDemoModel;

export interface DemoDeviceOptions {
  readonly model: DemoModel;
  readonly clock: Clock;
  /** Baud rate of the board's UART. A port at another rate shows garbled bytes, as with a real board. */
  readonly baudRate: number;
  /** Distinguishes boards: readings and the generated load derive from it. */
  readonly seed: number;
  /** Receives the new port after a replug. */
  readonly onAppeared: (port: SerialPort) => void;
}

/** Creates a simulated board. Each call creates another board. */
export async function createDemoDevice(options: DemoDeviceOptions): Promise<DemoDevice> {
  const { model, clock, baudRate, seed, onAppeared } = options;
  if (model === 'pico' || model === 'pico2' || model === 'pico-drive') {
    return (await import('./rp-demo.ts')).createRpDemo(model, options);
  }
  const { createDemoPort, createStmModel, createStmPort, EspDevice, LabBreadboard } = await import(
    '@wirebench/devices'
  );
  const demo =
    model === 'stm32f103-protected'
      ? createStmPort(createStmModel('stm32f103', { seed, baudRate, stm: { protection: 1 } }), { clock, seed })
      : createDemoPort({ model, clock, baudRate, seed });
  demo.serial.addEventListener('connect', () => {
    if (demo.port !== null) {
      onAppeared(demo.port);
    }
  });
  return {
    get port() {
      return demo.port;
    },
    get plugged() {
      return demo.port !== null;
    },
    usb: null,
    drive: null,
    device: demo.device,
    display: () => {
      const board = demo.device instanceof EspDevice ? demo.device.breadboard : null;
      return board instanceof LabBreadboard ? { width: 128, height: 64, points: board.ssd1306.pixels } : null;
    },
    unplug: () => demo.unplug(),
    replug: () => demo.replug(),
  };
}

/** A file of firmware for a simulated board. */
export interface DemoFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offset in flash, in bytes. Omitted: the file itself names its addresses, or is not flashed. */
  readonly offset?: number;
}

/**
 * Returns all firmware files that a simulated Espressif chip needs to start, also with erased flash: bootloader,
 * partition table, a program that says hello on its UART, and the ELF file for its crash addresses.
 *
 * @param flashSize Bytes; null if unknown.
 */
export async function espDemoFirmware(
  chip: EspChipName,
  flashSize: number | null,
  isSigned = false,
): Promise<readonly DemoFile[]> {
  const { espFirmwareSet, signedImage } = await import('@wirebench/devices');
  const text = `Wirebench demo for ${chip.toUpperCase()}\r\nHello from the program that you have just flashed.\r\n`;
  const about = { project: 'wirebench-demo', version: '2.0.0', text };
  const set = espFirmwareSet({ chip, ...about, ...(flashSize !== null && { flashSize }) });
  return set.map(({ name, offset, data }) => ({
    name,
    bytes: isSigned && data[0] === imageMagic ? signedImage(data) : data,
    ...(offset !== null && { offset }),
  }));
}

/** First byte of a bootloader or an app of an Espressif chip. */
const imageMagic = 0xe9;

/**
 * Returns the ELF file of the program of the demo board with a shell. It is the ELF file of the demo firmware for its
 * chip.
 */
export async function demoBoardElf(): Promise<DemoFile> {
  const elf = (await espDemoFirmware('esp32', null)).find(({ name }) => name.endsWith('.elf'));
  if (elf === undefined) {
    throw new Error('The demo firmware has no ELF file.');
  }
  return elf;
}

/** Returns a program that every simulated STM32 runs: it says hello on its UART. */
export async function stmDemoFirmware(): Promise<readonly DemoFile[]> {
  const { stmFirmware } = await import('@wirebench/devices');
  const text = 'Wirebench demo for STM32\r\nHello from the program that you have just flashed.\r\n';
  return [{ name: 'wirebench-demo-stm32.bin', bytes: stmFirmware({ text, size: 8_192, demoOnly: true }) }];
}

/** Size of the program in bytes: large enough to show a progress bar even at 115,200 baud. */
const DEMO_PROGRAM = 61_440;

/** Returns firmware in the format of this demo board's bootloader. */
export async function nrfDemoFirmware(board: NrfDemoModel): Promise<readonly DemoFile[]> {
  const { nrfFirmware } = await import('@wirebench/devices');
  const { name, bytes } = nrfFirmware({ board, size: DEMO_PROGRAM });
  return [{ name, bytes }];
}

/**
 * Size of the sketch in bytes: large enough to show a progress bar, and for a Nano at 57,600 baud not too large to wait
 * for.
 */
const DEMO_SKETCH = 12_288;

/** Returns the Blink sketch of the demo: it prints a line at 9,600 baud whenever its LED changes. */
export async function avrDemoFirmware(): Promise<readonly DemoFile[]> {
  const { avrFirmwareHex } = await import('@wirebench/devices');
  const lines = ['Hello from the sketch that you have just flashed.', 'LED on', 'LED off'];
  const hex = avrFirmwareHex({ lines, size: DEMO_SKETCH, seed: 2, demoOnly: true });
  return [{ name: 'Blink.ino.hex', bytes: new TextEncoder().encode(hex) }];
}

/** A part in its USB bootloader. */
export type DemoUsbModel = 'stm32f407';

export interface DemoUsb {
  /** A bus of its own, which lists the device while it is plugged in. */
  readonly bus: UsbBus;
  readonly plugged: boolean;
  unplug(): void;
  replug(): void;
}

export interface DemoUsbOptions {
  readonly model: DemoUsbModel;
  readonly clock: Clock;
  /** Distinguishes boards. */
  readonly seed: number;
}

/** Creates a simulated USB device. Each call creates another one. */
export async function createDemoUsb({ model, clock, seed }: DemoUsbOptions): Promise<DemoUsb> {
  const { StmDfuBoard } = await import('@wirebench/devices');
  const board = new StmDfuBoard({ part: model, profile: 'real-flash', clock, seed });
  let plugged = true;
  return {
    bus: board.usb,
    get plugged() {
      return plugged;
    },
    unplug: () => {
      plugged = false;
      board.unplug();
    },
    replug: () => {
      plugged = true;
      board.replug();
    },
  };
}
