/**
 * The registers of the flash's SPI controller that flashers use: a user-defined command, with the flash's answer in
 * the data registers. Source: ESP32 Technical Reference Manual, chapter "SPI Controller" (SPI_CMD_REG, SPI_USER_REG,
 * SPI_USER2_REG).
 */
import type { SpiLayout } from './chips/chip.ts';
import type { Memory } from './memory.ts';

/** SPI_CMD_REG: start the command that SPI_USER_REG describes. */
const startUserCommand = 1 << 18;
/** SPI_USER_REG: the command reads. */
const userReads = 1 << 28;
/** JEDEC command "read identification". */
const readId = 0x9f;
/** Read status registers 1, 2 and 3. The answer 0 means ready and unprotected. */
const readStatus = [0x05, 0x35, 0x15];

export interface FlashIdentity {
  /** Manufacturer and kind: the two lower bytes of RDID's answer. */
  readonly kind: number;
  /** Size in bytes, a power of two. */
  readonly size: number;
}

/** Returns RDID's answer: the manufacturer in the lowest byte, the capacity as a power of two in the third byte. */
function flashId({ kind, size }: FlashIdentity): number {
  const power = Math.round(Math.log2(size));
  // From 64 MiB on the numbers continue at 0x20 (esptool, `DETECTED_FLASH_SIZES`).
  const capacity = power < 0x1a ? power : power - 0x1a + 0x20;
  return (capacity << 16) | kind;
}

/**
 * Maps the controller's registers.
 * @param attached Returns true if the pins are connected to the flash. Otherwise all bits read as 1.
 */
export function attachSpiController(
  memory: Memory,
  layout: SpiLayout,
  identity: FlashIdentity,
  attached: () => boolean,
): void {
  const { base, user, user1, user2, readLength, data } = layout;
  memory.attach(base, {
    write: (value) => {
      if ((value & startUserCommand) === 0) {
        return;
      }
      const command = (memory.read(base + user2) ?? 0) & 0xff;
      const reads = ((memory.read(base + user) ?? 0) & userReads) !== 0;
      // ESP8266: 9 bits from bit 8 of SPI_USER1_REG on.
      const length =
        readLength === null ? ((memory.read(base + user1) ?? 0) >> 8) & 0x1ff : memory.read(base + readLength);
      const bits = (length ?? 0) + 1;
      memory.set(base, 0);
      if (reads) {
        const mask = bits >= 32 ? 0xffffffff : 2 ** bits - 1;
        memory.set(base + data, (answerTo(command, identity, attached()) & mask) >>> 0);
      }
    },
  });
}

function answerTo(command: number, identity: FlashIdentity, attached: boolean): number {
  if (!attached) {
    return 0xffffffff;
  }
  if (command === readId) {
    return flashId(identity);
  }
  return readStatus.includes(command) ? 0 : 0xffffffff;
}
