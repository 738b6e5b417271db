/** Attaches the flash chip, identifies it, and sends its size to the ROM or the stub. */

import type { Registers, SpiRegisters } from '../chips/chip.ts';
import { flashChipOf } from '../chips/flash-chips.ts';
import { deadlines } from '../deadlines.ts';
import { EspError } from '../esp-failure.ts';
import type { FlashChip } from '../esp-info.ts';
import type { FlashAbility } from '../flash-ability.ts';
import type { CommandLink } from '../protocol/command-link.ts';
import { flashBeginRequest, spiAttachRequest, spiSetParamsRequest } from '../protocol/commands.ts';
import { mustBeDone } from '../protocol/must-be-done.ts';
import { readSurely } from './read-surely.ts';

/** Flash command "read identification" (JEDEC JESD216), which returns three bytes. */
const RDID = 0x9f;
const RDID_BITS = 24;

/**
 * Bits of the SPI controller. `SPI_USER_REG`: send a command, read data. `SPI_USER2_REG`: eight bits of command.
 * `SPI_CMD_REG`: start.
 */
const USER_COMMAND = 0x8000_0000;
const USER_MISO = 0x1000_0000;
const COMMAND_LENGTH = 0x7000_0000;
const GO = 0x4_0000;
/** ESP8266: lowest bit of the read length minus one in `SPI_USER1_REG`. */
const MISO_LENGTH_SHIFT = 8;
/** Polls until the transfer counts as failed. It takes 4 µs on the flash bus, and each poll takes a millisecond. */
const LOOKS = 10;

export interface FlashAccess {
  readonly link: CommandLink;
  readonly ability: FlashAbility;
  readonly signal: AbortSignal;
}

/**
 * Attaches the flash chip to the ROM or the stub.
 *
 * @throws EspError `flash-not-found` or `stopped-answering`.
 * @throws PortError, or the reason of the signal.
 */
export async function attachFlash({ link, ability, signal }: FlashAccess): Promise<void> {
  const request = ability.canSetUpFlash
    ? spiAttachRequest(ability.hasLongAttach)
    : flashBeginRequest({
        size: 0,
        blocks: 0,
        blockSize: ability.blockSize,
        offset: 0,
        extended: ability.hasLongBegin,
      });
  const reply = await link.exchange(request, { limit: deadlines.spi, signal });
  mustBeDone(reply, 'flash-not-found', 'attach the flash chip');
}

/** Sends the size of the flash chip. Until then the ROM assumes a small one and refuses to write beyond it. */
export async function tellFlashSize(size: number, { link, ability, signal }: FlashAccess): Promise<void> {
  if (ability.canSetUpFlash) {
    const reply = await link.exchange(spiSetParamsRequest(size), { limit: deadlines.spi, signal });
    mustBeDone(reply, 'flash-not-found', 'set the size of the flash chip');
  }
}

/** Identifies the flash chip through the SPI controller's registers. Returns null if no chip answers on the pins. */
export async function readFlashChip(registers: Registers, spi: SpiRegisters): Promise<FlashChip | null> {
  const { read, write } = registers;
  const user = await read(spi.user);
  const user2 = await read(spi.user2);
  if (spi.misoLength === null) {
    await write(spi.user1, (RDID_BITS - 1) << MISO_LENGTH_SHIFT);
  } else {
    await write(spi.misoLength, RDID_BITS - 1);
  }
  await write(spi.user, USER_COMMAND | USER_MISO);
  await write(spi.user2, COMMAND_LENGTH | RDID);
  const id = await readSurely('what the flash chip is', async () => {
    await write(spi.data0, 0);
    await write(spi.command, GO);
    for (let look = 0; ((await read(spi.command)) & GO) !== 0; look++) {
      if (look === LOOKS) {
        throw new EspError('flash-not-found', { detail: 'The SPI controller did not finish its request.' });
      }
    }
    return read(spi.data0);
  });
  await write(spi.user, user);
  await write(spi.user2, user2);
  return flashChipOf(id);
}
