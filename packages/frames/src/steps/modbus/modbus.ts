/** Step `modbus`: lengths by function, pairing of requests and answers, registers with names. */
import type { DecoderChecksum } from '@wirebench/contract/decoders';
import type { Step } from '../step-types.ts';
import { isCut, measure, settle } from './modbus-cutting.ts';
import { decodeModbus, unitText } from './modbus-fields.ts';
import { ModbusPairing } from './modbus-pairing.ts';
import { NamedRegisters } from './registers.ts';

/** CRC of Modbus RTU, low byte first (MODBUS over Serial Line V1.02, section 2.5.1.2). */
const modbusChecksum = {
  kind: 'crc16-modbus',
  order: 'little',
  form: 'bytes',
  from: 0,
} as const satisfies DecoderChecksum;

/** Time for an answer in ms, where neither the decoder nor the port has one. */
const DEFAULT_LIMIT = 1_000;

export const modbus: Step = {
  prepare({ registers, pairing }, { answerLimit }) {
    const named = new NamedRegisters(registers);
    return {
      measure,
      settle,
      checksum: modbusChecksum,
      decode: (draft) => decodeModbus(draft, named),
      isCut,
      whoOfBroken: ([unit]) => (unit === undefined ? null : unitText(unit)),
      converse: () => new ModbusPairing(answerLimit ?? pairing?.limit ?? DEFAULT_LIMIT),
    };
  },
};
