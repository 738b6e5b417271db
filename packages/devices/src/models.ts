/** The devices that can be created by name: in the demo entry of a port picker and on the command line. */
import { AvrDevice } from './avr/avr-device.ts';
import { type AvrBoardName, avrBoardNames } from './avr/boards.ts';
import type { AvrDeviceOptions } from './avr/options.ts';
import { type LabChipName, labBreadboard } from './breadboard/lab-breadboard.ts';
import { FlashableBoard } from './chatty/flashable-board.ts';
import { EspDevice } from './esp/esp-device.ts';
import { crashedContent } from './esp/firmware/crashed-content.ts';
import { securedBoard } from './esp/firmware/secured-board.ts';
import { type EspChipName, type EspDeviceOptions, espChipNames } from './esp/options.ts';
import { ModbusLine } from './modbus/modbus-line.ts';
import { type NrfBoardName, nrfBoardNames, nrfBoards } from './nrf/boards.ts';
import { NrfDevice } from './nrf/nrf-device.ts';
import type { NrfDeviceOptions } from './nrf/options.ts';
import { type StmDeviceOptions, type StmPartName, stmPartNames } from './stm/options.ts';
import { StmDevice } from './stm/stm-device.ts';
import type { Device } from './wire/device.ts';

/** Chips that are offered with a connection over their own USB. */
const usbChips = ['esp32s3', 'esp32c3', 'esp32c6', 'esp32h2'] as const satisfies readonly EspChipName[];
const usbModelNames = ['esp32s3-usb', 'esp32c3-usb', 'esp32c6-usb', 'esp32h2-usb'] as const;

/** Chips with a breadboard for the lab (breadboard/lab-breadboard.ts). */
const labModelNames = ['esp32-lab', 'esp32c3-lab'] as const;
const labChips = ['esp32', 'esp32c3'] as const satisfies readonly LabChipName[];

/** An ESP32 with a core dump in its flash (esp/firmware/crashed-content.ts). */
const crashedModelName = 'esp32-crashed';

/** An ESP32-C3 with secure boot 2 and flash encryption in development mode (esp/firmware/secured-board.ts). */
const securedModelName = 'esp32c3-secured';

/** An Espressif chip behind a bridge or on its own USB. A flasher can write to all of them. */
export type EspModelName =
  | EspChipName
  | (typeof usbModelNames)[number]
  | (typeof labModelNames)[number]
  | typeof crashedModelName
  | typeof securedModelName;

/** An STM32 behind a bridge whose DTR and RTS drive NRST and BOOT0. A flasher can write to all of them. */
export type StmModelName = StmPartName;

/** A Nordic board with its bootloader. A flasher can write to all of them. */
export type NrfModelName = NrfBoardName;

/** An Arduino board with its bootloader. A flasher can write to all of them. */
export type AvrModelName = AvrBoardName;

/** A Modbus line with a controller and three devices, at which a port listens. */
const modbusModelName = 'modbus-line';

export const modelNames = [
  'chatty',
  modbusModelName,
  ...espChipNames,
  ...usbModelNames,
  ...labModelNames,
  crashedModelName,
  securedModelName,
  ...stmPartNames,
  ...nrfBoardNames,
  ...avrBoardNames,
] as const;
export type ModelName = (typeof modelNames)[number];

export interface ModelOptions {
  readonly seed: number;
  /** Rate of the device's UART, in baud. Default: the model's own. The ROM of an Espressif chip keeps its own rate. */
  readonly baudRate?: number;
  /** Further options of an Espressif chip. They replace the model's defaults. */
  readonly esp?: Omit<EspDeviceOptions, 'chip' | 'connection' | 'seed'>;
  /** Further options of an STM32. They replace the model's defaults. */
  readonly stm?: Omit<StmDeviceOptions, 'part' | 'seed'>;
  /** Further options of a Nordic board. They replace the model's defaults. */
  readonly nrf?: Omit<NrfDeviceOptions, 'board' | 'seed'>;
  /** Further options of an Arduino board. They replace the model's defaults. */
  readonly avr?: Omit<AvrDeviceOptions, 'board' | 'seed'>;
}

/** Creates a device for interactive use. A device that prints at its start waits until a port is opened. */
export function createModel(model: ModelName, options: ModelOptions): Device {
  if (model === modbusModelName) {
    return new ModbusLine(options);
  }
  if (isEspModel(model)) {
    return createEspModel(model, options);
  }
  if (isStmModel(model)) {
    return createStmModel(model, options);
  }
  if (isAvrModel(model)) {
    return createAvrModel(model, options);
  }
  return isNrfModel(model) ? createNrfModel(model, options) : new FlashableBoard({ ...options, powerUp: 'first-open' });
}

/** Creates a chip with the timing of real flash, unless `esp` says otherwise. */
function createEspModel(model: EspModelName, { seed, baudRate, esp }: ModelOptions): EspDevice {
  const usbChip = usbChips.find((chip) => `${chip}-usb` === model);
  const labChip = labChips.find((chip) => `${chip}-lab` === model);
  const secured = model === securedModelName;
  const chip = usbChip ?? labChip ?? espChipNames.find((name) => name === model) ?? (secured ? 'esp32c3' : 'esp32');
  return new EspDevice({
    profile: 'real-flash',
    powerUp: 'first-open',
    ...(labChip !== undefined && { breadboard: labBreadboard(labChip) }),
    calibration: 'typical',
    flash: { content: model === crashedModelName ? crashedContent() : 'demo' },
    ...(secured && securedBoard()),
    ...esp,
    chip,
    seed,
    connection: usbChip === undefined ? 'uart' : 'usb-jtag',
    ...(baudRate !== undefined && { appBaudRate: baudRate }),
  });
}

/** Creates a part with the timing of real flash, unless `stm` says otherwise. */
export function createStmModel(part: StmModelName, { seed, baudRate, stm }: ModelOptions): StmDevice {
  return new StmDevice({
    profile: 'real-flash',
    powerUp: 'first-open',
    ...(baudRate !== undefined && { factoryBaudRate: baudRate }),
    ...stm,
    part,
    seed,
  });
}

/**
 * Creates a board with the timing of real flash, unless `nrf` says otherwise. It starts in its bootloader if only
 * the board's buttons lead there. A secure bootloader keeps its progress when the board is unplugged.
 */
function createNrfModel(board: NrfModelName, { seed, baudRate, nrf }: ModelOptions): NrfDevice {
  const { bootloader } = nrfBoards[board];
  return new NrfDevice({
    profile: 'real-flash',
    powerUp: bootloader === 'adafruit' ? 'application' : 'bootloader',
    ...nrf,
    // A user who pulls the plug can then see a write resume.
    secure: { saveProgress: true, ...nrf?.secure },
    board,
    seed,
    ...(baudRate !== undefined && { appBaudRate: baudRate }),
  });
}

/** Creates a board with the timing of real flash, unless `avr` says otherwise. */
function createAvrModel(board: AvrModelName, { seed, baudRate, avr }: ModelOptions): AvrDevice {
  return new AvrDevice({
    profile: 'real-flash',
    powerUp: 'first-open',
    ...(baudRate !== undefined && { factoryBaudRate: baudRate }),
    ...avr,
    board,
    seed,
  });
}

export function isModelName(name: string): name is ModelName {
  return modelNames.some((model) => model === name);
}

/** True for an Espressif chip. */
export function isEspModel(model: ModelName): model is EspModelName {
  return [...espChipNames, ...usbModelNames, ...labModelNames, crashedModelName, securedModelName].some(
    (name) => name === model,
  );
}

/** True for an STM32. */
export function isStmModel(model: ModelName): model is StmModelName {
  return stmPartNames.some((name) => name === model);
}

/** True for a Nordic board. */
export function isNrfModel(model: ModelName): model is NrfModelName {
  return nrfBoardNames.some((name) => name === model);
}

/** True for an Arduino board. */
export function isAvrModel(model: ModelName): model is AvrModelName {
  return avrBoardNames.some((name) => name === model);
}
