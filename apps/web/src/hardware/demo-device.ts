/** The one entry to the simulated devices. They are a download of their own, fetched when somebody asks for a demo device. */
import type { Clock } from '@wirebench/clock';
import type { EspChipName } from '@wirebench/devices';
import type { UsbBus } from './web-usb.ts';

/** Rows of points of a simulated display from the upper left, 1 for a lit one. */
export interface SimulatedPoints {
  readonly width: number;
  readonly height: number;
  readonly points: Uint8Array;
}

export interface DemoDevice {
  /** What is in the place of a board's port; null while unplugged, another object after each replug, as with a board. */
  readonly port: SerialPort | null;
  /** The simulated board itself, which benchmarks look at (`PortDevices.simulatedBoard`). */
  readonly device: object;
  /** What the display on its breadboard shows; null for a board without one. */
  display(): SimulatedPoints | null;
  unplug(): void;
  replug(): void;
}

/** Nordic boards, one for each kind of bootloader. */
type NordicDemoModel = 'nrf52840-secure' | 'feather-nrf52840' | 'nrf52840-mcuboot';

/** STM32 parts whose DTR and RTS drive reset and BOOT0. */
type StmDemoModel = 'stm32f407' | 'stm32g071' | 'stm32f103-protected';

/** Espressif boards on a breadboard with sensors, a display, a potentiometer, a button and an LED. */
type LabDemoModel = 'esp32-lab' | 'esp32c3-lab';

/** `chatty`: a board with a shell; `esp32-crashed`: one with a core dump in its flash. The others have a bootloader, and can be flashed. */
export type DemoModel =
  | 'chatty'
  | 'esp32'
  | 'esp32c3'
  | 'esp32-crashed'
  | LabDemoModel
  | StmDemoModel
  | NordicDemoModel;

export interface DemoDeviceOptions {
  readonly model: DemoModel;
  readonly clock: Clock;
  /** What the board's UART talks at; a port opened at another rate later shows rubbish, as a board would. */
  readonly baudRate: number;
  /** Tells boards apart: readings and the generated load follow from it. */
  readonly seed: number;
  /** Told of the new port after a replug. */
  readonly onAppeared: (port: SerialPort) => void;
}

/** Each one is a board of its own. */
export async function createDemoDevice(options: DemoDeviceOptions): Promise<DemoDevice> {
  const { model, clock, baudRate, seed, onAppeared } = options;
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
  /** Where it goes in flash, in bytes; left out: the file tells, or it is not flashed. */
  readonly offset?: number;
}

/**
 * Everything that a simulated Espressif chip needs to start, also after its flash was erased, as a build leaves it: bootloader,
 * partition table, a program that says hello on its UART, and the ELF file for looking up its crash addresses.
 * @param flashSize bytes; null when it is not known
 */
export async function espDemoFirmware(chip: EspChipName, flashSize: number | null): Promise<readonly DemoFile[]> {
  const { espFirmwareSet } = await import('@wirebench/devices');
  const text = `Wirebench demo for ${chip.toUpperCase()}\r\nHello from the program that you have just flashed.\r\n`;
  const about = { project: 'wirebench-demo', version: '2.0.0', text };
  const set = espFirmwareSet({ chip, ...about, ...(flashSize !== null && { flashSize }) });
  return set.map(({ name, offset, data }) => ({ name, bytes: data, ...(offset !== null && { offset }) }));
}

/** The ELF file of what the demo board with a shell runs: that of the demo firmware for its chip. */
export async function demoBoardElf(): Promise<DemoFile> {
  const elf = (await espDemoFirmware('esp32', null)).find(({ name }) => name.endsWith('.elf'));
  if (elf === undefined) {
    throw new Error('The demo firmware has no ELF file.');
  }
  return elf;
}

/** A program that every simulated STM32 runs: it says hello on its UART. */
export async function stmDemoFirmware(): Promise<readonly DemoFile[]> {
  const { stmFirmware } = await import('@wirebench/devices');
  const text = 'Wirebench demo for STM32\r\nHello from the program that you have just flashed.\r\n';
  return [{ name: 'wirebench-demo-stm32.bin', bytes: stmFirmware({ text, size: 8_192, demoOnly: true }) }];
}

/** Bytes of the program: enough for a progress bar to be seen, also at 115,200 baud. */
const DEMO_PROGRAM = 61_440;

/** Firmware in the form that the bootloader of this demo board takes. */
export async function nordicDemoFirmware(board: NordicDemoModel): Promise<readonly DemoFile[]> {
  const { nordicFirmware } = await import('@wirebench/devices');
  const { name, bytes } = nordicFirmware({ board, size: DEMO_PROGRAM });
  return [{ name, bytes }];
}

/** A part in its USB bootloader. */
export type DemoUsbModel = 'stm32f407';

export interface DemoUsb {
  /** A bus of its own, which shows the device while it is plugged in. */
  readonly bus: UsbBus;
  readonly plugged: boolean;
  unplug(): void;
  replug(): void;
}

export interface DemoUsbOptions {
  readonly model: DemoUsbModel;
  readonly clock: Clock;
  /** Tells boards apart. */
  readonly seed: number;
}

/** Each one is a board of its own. */
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
