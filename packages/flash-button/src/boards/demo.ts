/** The simulated board: a chip that one of the release's builds is for, behind a simulated port. */
import type { FamilyId } from '@wirebench/boards';
import { chipOf, isFamilyId } from '@wirebench/boards';
import type { Clock } from '@wirebench/clock';
import { createDemoPort, espChipNames, SimulatedSerial } from '@wirebench/devices';
import { RpBoard } from '@wirebench/devices/rp';
import type { UsbDevices } from '@wirebench/flasher/family';
import { devicesOn } from '@wirebench/flasher/usb-bus';

import type { SerialPorts } from '@wirebench/port';

export interface DemoBoard {
  /** Resolves once the program of the board has its port. */
  readonly port: Promise<SerialPort>;
  readonly serial: SerialPorts;
  /** Bus of a board whose bootloader is a USB device. Missing: the bootloader is at the port. */
  readonly usb?: UsbDevices;
}

/** Parts that stand for a whole series. */
const stmParts: Readonly<Record<string, 'stm32f407' | 'stm32g071'>> = { stm32f: 'stm32f407', stm32g: 'stm32g071' };

/** Boards that stand for a chip. */
const avrModels: Readonly<Record<string, 'arduino-uno' | 'arduino-mega' | 'arduino-leonardo' | undefined>> = {
  atmega328p: 'arduino-uno',
  atmega2560: 'arduino-mega',
  atmega32u4: 'arduino-leonardo',
};

type DemoModel = Parameters<typeof createDemoPort>[0]['model'];

/** Returns a board whose bootloader is at its port. */
function portBoard(model: DemoModel | undefined, clock: Clock): DemoBoard | null {
  if (model === undefined) {
    return null;
  }
  const serial = new SimulatedSerial();
  const { port } = createDemoPort({ model, clock, serial });
  return port === null ? null : { port: Promise.resolve(port), serial };
}

const rpChips = ['rp2040', 'rp2350'] as const;

/** Returns a board that leaves its port for its boot ROM. */
function rpBoard(model: string, clock: Clock): DemoBoard | null {
  const chip = rpChips.find((one) => one === model);
  if (chip === undefined) {
    return null;
  }
  const board = new RpBoard({ chip, clock, profile: 'real-flash' });
  const port = new Promise<SerialPort>((resolve) => {
    board.serial.addEventListener('connect', () => board.port !== null && resolve(board.port));
  });
  return { port, serial: board.serial, usb: devicesOn(board.usb, clock) };
}

/** Creates the simulated board of a model; null if there is none. */
const demoBoards: Readonly<Record<FamilyId, (model: string, clock: Clock) => DemoBoard | null>> = {
  esp: (model, clock) =>
    portBoard(
      espChipNames.find((name) => name === model),
      clock,
    ),
  stm: (model, clock) => portBoard(Object.entries(stmParts).find(([series]) => model.startsWith(series))?.[1], clock),
  nrf: (_model, clock) => portBoard('nrf52840-secure', clock),
  avr: (model, clock) => portBoard(avrModels[chipOf(model)], clock),
  rp: rpBoard,
};

/** Creates a board for the first build that can be simulated; null if there is none. */
export function createDemoBoard(
  builds: readonly { readonly deviceFamily: string; readonly deviceModel: string }[],
  clock: Clock,
): { readonly family: FamilyId; readonly board: DemoBoard } | null {
  for (const { deviceFamily, deviceModel } of builds) {
    const family = isFamilyId(deviceFamily) ? deviceFamily : null;
    const board = family === null ? null : demoBoards[family](deviceModel, clock);
    if (family !== null && board !== null) {
      return { family, board };
    }
  }
  return null;
}
