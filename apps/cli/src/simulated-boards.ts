/** Simulated boards in place of ports. Loaded with `--simulate` only. */
import type { FamilyId } from '@wirebench/boards';
import { systemClock } from '@wirebench/clock';
import { createDemoPort, isAvrModel, isModelName, isNrfModel, isStmModel, modelNames } from '@wirebench/devices';
import { RpBoard, rpFirmware } from '@wirebench/devices/rp';
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

/** Boards whose bootloader is a USB device, with their chips. The last one has files, as MicroPython keeps them. */
const picos = { rp2040: 'rp2040', rp2350: 'rp2350', 'rp2040-micropython': 'rp2040' } as const;

/** Address and size of the files of MicroPython on a Pico (`ports/rp2/boards/RPI_PICO/mpconfigboard.h`). */
const microPythonFiles = { name: 'MicroPython', address: 0x100a_0000, size: 1_408 * 1_024 } as const;
const flashStart = 0x1000_0000;

/**
 * Resolves once the port of the board's program is there.
 *
 * @throws CommandError for an unknown model.
 */
export async function simulatedPort(model: string): Promise<SimulatedPort> {
  if (isPico(model)) {
    return simulatedPico(model);
  }
  const known = model === demoName ? 'chatty' : model;
  if (!isModelName(known)) {
    const names = [demoName, ...modelNames, ...Object.keys(picos)].join(', ');
    throw new CommandError(exitCodes.usage, `there is no simulated ${model}. There are ${names}.`);
  }
  const { port, serial } = createDemoPort({ model: known });
  if (port === null) {
    throw new Error('a simulated board is plugged in');
  }
  const family = isStmModel(known) ? 'stm' : isNrfModel(known) ? 'nrf' : isAvrModel(known) ? 'avr' : 'esp';
  return { port, serial, family };
}

/** The page's demo board, by the name that commands copied from the page have. */
const demoName = 'demo';

const isPico = (model: string): model is keyof typeof picos => Object.hasOwn(picos, model);

async function simulatedPico(model: keyof typeof picos): Promise<SimulatedPort> {
  const content = model === 'rp2040-micropython' ? await microPythonContent() : 'factory';
  const board = new RpBoard({ chip: picos[model], clock: systemClock, profile: 'real-flash', content });
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

async function microPythonContent() {
  const { buildImage } = await import('@wirebench/flasher/file-systems');
  const text = (words: string) => new TextEncoder().encode(words);
  const files = [
    { path: '/main.py', bytes: text('print("hello")\n') },
    { path: '/lib/sensor.py', bytes: text('# reads the sensor\n') },
  ];
  const { address, size } = microPythonFiles;
  return [
    { offset: 0, data: rpFirmware({ text: 'MicroPython\r\n', drive: microPythonFiles }) },
    { offset: address - flashStart, data: buildImage('littlefs', size, files) },
  ];
}
