/** Simulated boards in place of ports. Loaded with `--simulate` only. */
import type { FamilyId } from '@wirebench/boards';
import { systemClock } from '@wirebench/clock';
import { createDemoPort, isAvrModel, isModelName, isNrfModel, isStmModel, modelNames } from '@wirebench/devices';
import { RpBoard } from '@wirebench/devices/rp';
import type { UsbDevices } from '@wirebench/flasher/family';
import { devicesOn } from '@wirebench/flasher/usb-bus';
import { CommandError, exitCodes } from './exit-code.ts';

/** A simulated board on a port, and the family of its chip. */
export interface SimulatedPort {
  readonly port: SerialPort;
  readonly serial: Serial;
  readonly family: FamilyId;
  /** Bus of a board whose bootloader is a USB device. Missing: the bootloader is at the port. */
  readonly usb?: UsbDevices;
}

/** Boards whose bootloader is a USB device. */
const rpChips = ['rp2040', 'rp2350'] as const;

/**
 * Resolves once the port of the board's program is there.
 *
 * @throws CommandError for an unknown model.
 */
export async function simulatedPort(model: string): Promise<SimulatedPort> {
  const chip = rpChips.find((one) => one === model);
  if (chip !== undefined) {
    return simulatedPico(chip);
  }
  if (!isModelName(model)) {
    const names = [...modelNames, ...rpChips].join(', ');
    throw new CommandError(exitCodes.usage, `there is no simulated ${model}. There are ${names}.`);
  }
  const { port, serial } = createDemoPort({ model });
  if (port === null) {
    throw new Error('a simulated board is plugged in');
  }
  const family = isStmModel(model) ? 'stm' : isNrfModel(model) ? 'nrf' : isAvrModel(model) ? 'avr' : 'esp';
  return { port, serial, family };
}

async function simulatedPico(chip: (typeof rpChips)[number]): Promise<SimulatedPort> {
  const board = new RpBoard({ chip, clock: systemClock, profile: 'real-flash' });
  const port = await new Promise<SerialPort>((resolve) => {
    const look = () => {
      if (board.port !== null) {
        board.serial.removeEventListener('connect', look);
        resolve(board.port);
      }
    };
    board.serial.addEventListener('connect', look);
    look();
  });
  return { port, serial: board.serial, family: 'rp', usb: devicesOn(board.usb, systemClock) };
}
