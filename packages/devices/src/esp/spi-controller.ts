/**
 * The registers of the SPI controller in front of the flash, as far as flashers use them: a command of your own, with what the
 * flash answers in the data registers.
 * Source: ESP32 Technical Reference Manual, chapter "SPI Controller" (SPI_CMD_REG, SPI_USER_REG, SPI_USER2_REG).
 */
import type { SpiLayout } from './chips/chip.ts';
import type { Memory } from './memory.ts';

/** SPI_CMD_REG: start the command that SPI_USER_REG describes. */
const startUserCommand = 1 << 18;
/** SPI_USER_REG: the command reads. */
const userReads = 1 << 28;
/** JEDEC: read identification. */
const readId = 0x9f;
/** Read status registers 1, 2 and 3: the flash is ready and nothing is protected. */
const readStatus = [0x05, 0x35, 0x15];

export interface FlashIdentity {
  /** Manufacturer and kind: the two lower bytes of what RDID gives. */
  readonly kind: number;
  /** Bytes, a power of two. */
  readonly size: number;
}

/** What RDID gives: the manufacturer lowest, the capacity as a power of two in the third byte. */
function flashId({ kind, size }: FlashIdentity): number {
  const power = Math.round(Math.log2(size));
  // From 64 MiB on the numbers go on at 0x20 (esptool, `DETECTED_FLASH_SIZES`).
  const capacity = power < 0x1a ? power : power - 0x1a + 0x20;
  return (capacity << 16) | kind;
}

/** @param attached whether the pins lead to the flash; without them nothing but ones is read. */
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
