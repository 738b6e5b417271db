/** The simulated board: a chip that one of the release's builds is for, behind a simulated port. */
import type { FamilyId } from '@wirebench/boards';
import { chipOf, isFamilyId } from '@wirebench/boards';
import type { Clock } from '@wirebench/clock';
import { createDemoPort, espChipNames, SimulatedSerial } from '@wirebench/devices';

import type { SerialPorts } from '@wirebench/port';

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

type DemoModel = Parameters<typeof createDemoPort>[0]['model'];

/** The simulated board of a model; undefined if there is none. */
const demoModels: Readonly<Record<FamilyId, (model: string) => DemoModel | undefined>> = {
  esp: (model) => espChipNames.find((name) => name === model),
  stm: (model) => Object.entries(stmParts).find(([series]) => model.startsWith(series))?.[1],
  nrf: () => 'nrf52840-secure',
  avr: (model) => avrModels[chipOf(model)],
  // Its boot ROM is a USB device, and a demo board of the button is behind a port alone.
  rp: () => undefined,
};

/** Creates a board for the first build that can be simulated; null if there is none. */
export function createDemoBoard(
  builds: readonly { readonly deviceFamily: string; readonly deviceModel: string }[],
  clock: Clock,
): { readonly family: FamilyId; readonly board: DemoBoard } | null {
  for (const { deviceFamily, deviceModel } of builds) {
    const family = isFamilyId(deviceFamily) ? deviceFamily : null;
    const model = family === null ? undefined : demoModels[family](deviceModel);
    if (family !== null && model !== undefined) {
      const serial = new SimulatedSerial();
      const { port } = createDemoPort({ model, clock, serial });
      return port === null ? null : { family, board: { port, serial } };
    }
  }
  return null;
}
