/** The simulated board: a chip that one of the release's builds is for, behind a simulated port. */
import type { Clock } from '@wirebench/clock';
import { createDemoPort, espChipNames, SimulatedSerial } from '@wirebench/devices';
import { avrChipOf } from '@wirebench/flasher/release/builds';
import type { Family } from './button-board.ts';
import type { SerialPorts } from './chosen-ports.ts';

export interface DemoBoard {
  readonly port: SerialPort;
  readonly serial: SerialPorts;
}

/** Parts that stand for a whole series. */
const stmParts: Readonly<Record<string, 'stm32f407' | 'stm32g071'>> = { stm32f: 'stm32f407', stm32g: 'stm32g071' };

/** Boards that stand for a chip. */
const avrModels: Readonly<Record<string, 'arduino-uno' | 'arduino-mega' | 'arduino-leonardo' | undefined>> = {
  atmega328p: 'arduino-uno',
  atmega2560: 'arduino-mega',
  atmega32u4: 'arduino-leonardo',
};

/** Creates a board for the first build that can be simulated; null if there is none. */
export function createDemoBoard(
  builds: readonly { readonly deviceFamily: string; readonly deviceModel: string }[],
  clock: Clock,
): { readonly family: Family; readonly board: DemoBoard } | null {
  for (const { deviceFamily, deviceModel } of builds) {
    const esp = espChipNames.find((name) => name === deviceModel);
    const model =
      deviceFamily === 'esp'
        ? esp
        : deviceFamily === 'stm'
          ? Object.entries(stmParts).find(([series]) => deviceModel.startsWith(series))?.[1]
          : deviceFamily === 'nrf'
            ? 'nrf52840-secure'
            : deviceFamily === 'avr'
              ? avrModels[avrChipOf(deviceModel)]
              : undefined;
    if (model !== undefined) {
      const serial = new SimulatedSerial();
      const { port } = createDemoPort({ model, clock, serial });
      return port === null ? null : { family: deviceFamily as Family, board: { port, serial } };
    }
  }
  return null;
}
