/** Reads and writes registers of the connected chip. */
import { hexNumber } from '../../core/bytes.ts';
import type { Registers } from '../chips/chip.ts';
import { deadlines } from '../deadlines.ts';
import type { CommandLink } from './command-link.ts';
import { readRegRequest, writeRegRequest } from './commands.ts';
import { mustBeDone } from './must-be-done.ts';

/**
 * Returns the register access. Its calls throw an EspError if the board refuses or is silent, and errors of
 * `CommandLink.exchange`.
 */
export function registersOf(link: CommandLink, signal: AbortSignal): Registers {
  return {
    async read(address) {
      const reply = await link.exchange(readRegRequest(address), { limit: deadlines.register, signal });
      mustBeDone(reply, 'stopped-answering', `read register ${hexNumber(address, 8)}`);
      return reply.answer.value;
    },
    async write(address, value, mask = 0xffff_ffff) {
      const reply = await link.exchange(writeRegRequest({ address, value, mask }), {
        limit: deadlines.register,
        signal,
      });
      mustBeDone(reply, 'stopped-answering', `write register ${hexNumber(address, 8)}`);
    },
    pause: (milliseconds) => link.listen(milliseconds, signal),
  };
}
