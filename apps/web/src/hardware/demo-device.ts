/** The one entry to the simulated devices. They are a download of their own, fetched when somebody asks for a demo device. */
import type { Clock } from '@wirebench/clock';
import type { UsbBus } from './web-usb.ts';

export interface DemoDevice {
  /** What stands in the place of a board's port; null while unplugged, another object after each replug, as with a board. */
  readonly port: SerialPort | null;
  unplug(): void;
  replug(): void;
}

/** Nordic boards, one for each kind of bootloader. */
type NordicDemoModel = 'nrf52840-secure' | 'feather-nrf52840' | 'nrf52840-mcuboot';

/** STM32 parts whose DTR and RTS drive reset and BOOT0. */
type StmDemoModel = 'stm32f407' | 'stm32g071' | 'stm32f103-protected';

/** `chatty`: a board with a shell. The others have a bootloader, and can be flashed. */
export type DemoModel = 'chatty' | 'esp32' | StmDemoModel | NordicDemoModel;

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
  const { createDemoPort, createStmModel, createStmPort } = await import('@wirebench/devices');
  const demo =
    model === 'stm32f103-protected'
      ? createStmPort(createStmModel('stm32f103', { seed, baudRate, stm: { protection: 1 } }), { clock, seed })
      : createDemoPort({ model, clock, baudRate, seed });
  demo.serial.addEventListener('connect', () => {
    if (demo.port !== null) {
      onAppeared(demo.port);
    }
  });
  return demo;
}

/** Firmware for a simulated board, as a file. */
export interface DemoFirmware {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A program that the simulated ESP32 runs: it says hello on its UART. */
export async function espDemoFirmware(): Promise<DemoFirmware> {
  const { espFirmware } = await import('@wirebench/devices');
  const text = 'Wirebench demo for ESP32\r\nHello from the program that you have just flashed.\r\n';
  const about = { project: 'wirebench-demo', version: '2.0.0' };
  return { name: 'wirebench-demo-esp32.bin', bytes: espFirmware({ chip: 'esp32', text, ...about }) };
}

/** A program that every simulated STM32 runs: it says hello on its UART. */
export async function stmDemoFirmware(): Promise<DemoFirmware> {
  const { stmFirmware } = await import('@wirebench/devices');
  const text = 'Wirebench demo for STM32\r\nHello from the program that you have just flashed.\r\n';
  return { name: 'wirebench-demo-stm32.bin', bytes: stmFirmware({ text, size: 8_192 }) };
}

/** Bytes of the program: enough for a progress bar to be seen, also at 115,200 baud. */
const DEMO_PROGRAM = 61_440;

/** Firmware in the form that the bootloader of this demo board takes. */
export async function nordicDemoFirmware(board: NordicDemoModel): Promise<DemoFirmware> {
  const { nordicFirmware } = await import('@wirebench/devices');
  return nordicFirmware({ board, size: DEMO_PROGRAM });
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
