/** Reading and writing registers of the connected chip. */
import { hexText } from '../../core/bytes.ts';
import type { Registers } from '../chips/chip.ts';
import { deadlines } from '../deadlines.ts';
import type { CommandLink } from './command-link.ts';
import { readRegRequest, writeRegRequest } from './commands.ts';
import { mustBeDone } from './must-be-done.ts';

/** All of their calls throw what `CommandLink.exchange` throws, and EspError when the board refuses or is silent. */
export function registersOf(link: CommandLink, signal: AbortSignal): Registers {
  return {
    async read(address) {
      const reply = await link.exchange(readRegRequest(address), { limit: deadlines.register, signal });
      mustBeDone(reply, 'stopped-answering', `read register ${hexText(address, 8)}`);
      return reply.answer.value;
    },
    async write(address, value, mask = 0xffff_ffff) {
      const reply = await link.exchange(writeRegRequest({ address, value, mask }), {
        limit: deadlines.register,
        signal,
      });
      mustBeDone(reply, 'stopped-answering', `write register ${hexText(address, 8)}`);
    },
    pause: (milliseconds) => link.listen(milliseconds, signal),
  };
}
