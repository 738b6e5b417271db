/** Simulated boards in place of ports. Loaded with `--simulate` only. */
import type { FamilyId } from '@wirebench/boards';
import { createDemoPort, isAvrModel, isModelName, isNrfModel, isStmModel, modelNames } from '@wirebench/devices';
import { CommandError, exitCodes } from './exit-code.ts';

/** A simulated board on a port, and the family of its chip. */
export interface SimulatedPort {
  readonly port: SerialPort;
  readonly serial: Serial;
  readonly family: FamilyId;
}

/** @throws CommandError for an unknown model. */
export function simulatedPort(model: string): SimulatedPort {
  if (!isModelName(model)) {
    throw new CommandError(exitCodes.usage, `there is no simulated ${model}. There are ${modelNames.join(', ')}.`);
  }
  const { port, serial } = createDemoPort({ model });
  if (port === null) {
    throw new Error('a simulated board is plugged in');
  }
  const family = isStmModel(model) ? 'stm' : isNrfModel(model) ? 'nrf' : isAvrModel(model) ? 'avr' : 'esp';
  return { port, serial, family };
}
