/** Step `modbus`: lengths by function, pairing of requests and answers, registers with names. */
import type { Step } from '../step-types.ts';
import { measure, settle } from './modbus-cutting.ts';
import { decodeModbus, unitText } from './modbus-fields.ts';
import { ModbusPairing } from './modbus-pairing.ts';
import { NamedRegisters } from './registers.ts';

/** Time for an answer in ms, where neither the decoder nor the port has one. */
const DEFAULT_LIMIT = 1_000;

export const modbus: Step = {
  prepare({ registers, pairing }, { answerLimit }) {
    const named = new NamedRegisters(registers);
    return {
      measure,
      settle,
      decode: (draft) => decodeModbus(draft, named),
      whoOfBroken: ([unit]) => (unit === undefined ? null : unitText(unit)),
      converse: () => new ModbusPairing(answerLimit ?? pairing?.limit ?? DEFAULT_LIMIT),
    };
  },
};
