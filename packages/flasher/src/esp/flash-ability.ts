/**
 * Decides what the program that answers on a chip can do: the stub, the ROM, the poorer ROM of the ESP8266, or a ROM
 * in Secure Download Mode. All other code reads the record and asks for no chip and no program.
 *
 * Command names are those of Espressif's "Serial Protocol", section "Commands".
 */
import type { Chip } from './chips/chip.ts';
import type { EspLink } from './esp-info.ts';

/** Program that answers: the chip's ROM, or the stub in its RAM. */
export type Speaker = 'rom' | 'stub';

/** Largest block of the stub, in bytes (esptool, `FLASH_WRITE_SIZE` of its stub). */
export const STUB_BLOCK = 0x4000;
/** Largest block of the stub over the chip's own USB OTG port, in bytes (esptool, `USB_RAM_BLOCK`). */
const USB_OTG_BLOCK = 0x800;
/** Block of every ROM, in bytes (esptool, `FLASH_WRITE_SIZE`). */
const ROM_BLOCK = 0x400;

/** Plain values, which can be posted to a worker. */
export interface FlashAbility {
  /**
   * True: READ_REG and WRITE_REG work. They identify the chip and its flash chip, stop watchdogs and reset the chip.
   */
  readonly canAccessRegisters: boolean;
  /** True: MEM_BEGIN, MEM_DATA and MEM_END work, which load a stub. */
  readonly canLoadStub: boolean;
  /** True: CHANGE_BAUDRATE works. */
  readonly canChangeBaudRate: boolean;
  /** True: SPI_ATTACH and SPI_SET_PARAMS work. False: FLASH_BEGIN attaches the flash chip. */
  readonly canSetUpFlash: boolean;
  /** True: SPI_ATTACH has a second word, which the stub refuses. */
  readonly hasLongAttach: boolean;
  /** True: refuses writes beyond a small flash until SPI_SET_PARAMS sends a size. */
  readonly needsFlashSize: boolean;
  /** True: SPI_FLASH_MD5 works. False: a write cannot be compared or verified. */
  readonly canHash: boolean;
  /** SPI_FLASH_MD5 answers with 16 bytes, or with 32 hexadecimal digits. */
  readonly hashFormat: 'bytes' | 'digits';
  readonly canReadFlash: boolean;
  /**
   * True: READ_FLASH sends whole sectors. False: READ_FLASH_SLOW sends 64 bytes per request, which takes about ten
   * times as long.
   */
  readonly readsSectors: boolean;
  /** True: ERASE_FLASH and ERASE_REGION work. False: flash is erased only by writing it. */
  readonly canErase: boolean;
  /** True: DEFL_BEGIN and DEFL_DATA work, and change nothing but the range that is written. */
  readonly canCompress: boolean;
  /** Size of a block in FLASH_DATA and DEFL_DATA, in bytes. */
  readonly blockSize: number;
  /** True: FLASH_BEGIN and DEFL_BEGIN have a fifth word, which disables encryption. */
  readonly hasLongBegin: boolean;
  /**
   * True: erases and writes while the next blocks arrive. False: erases the whole range before it answers FLASH_BEGIN
   * or DEFL_BEGIN, and writes each block before it answers that.
   */
  readonly writesInBackground: boolean;
  /** True: known to change nothing beside the range that is written. False: the flash beside it must be compared. */
  readonly sparesNeighbours: boolean;
  /**
   * True: erases a sector too many for some lengths ("Serial Protocol", ESP8266, section "Erase Size Bug").
   */
  readonly hasEraseSizeBug: boolean;
  /**
   * True: more than one request may be under way. False: requests beside the board wait for an answer of this program,
   * because its length and its form of errors are not fixed.
   */
  readonly canQueueRequests: boolean;
  /** Code of the failure for everything that this program cannot do. */
  readonly refusesWith: 'secure-download' | 'not-in-rom';
}

/** Circumstances that determine the abilities. */
export interface Answering {
  readonly chip: Pick<Chip, 'richRom' | 'extendedBegin' | 'romInflatesExactly' | 'fixedRateInSecureDownload'>;
  readonly program: Speaker;
  readonly link: EspLink;
  /** True: the chip is in Secure Download Mode, which allows only the basic write commands. */
  readonly secureDownload: boolean;
}

export function flashAbility({ chip, program, link, secureDownload }: Answering): FlashAbility {
  const isStub = program === 'stub';
  const isRich = isStub || chip.richRom;
  return {
    canAccessRegisters: !secureDownload,
    canLoadStub: !secureDownload,
    canChangeBaudRate: isRich && !(secureDownload && chip.fixedRateInSecureDownload === true),
    canSetUpFlash: isRich,
    hasLongAttach: !isStub,
    needsFlashSize: !isStub,
    canHash: isRich && !secureDownload,
    hashFormat: isStub ? 'bytes' : 'digits',
    canReadFlash: isRich && !secureDownload,
    readsSectors: isStub,
    canErase: isStub && !secureDownload,
    canCompress: isStub || (chip.romInflatesExactly === true && !secureDownload),
    blockSize: isStub ? (link === 'usb-otg' ? USB_OTG_BLOCK : STUB_BLOCK) : ROM_BLOCK,
    hasLongBegin: isStub || chip.extendedBegin,
    writesInBackground: isStub,
    sparesNeighbours: isStub,
    hasEraseSizeBug: !isRich,
    canQueueRequests: isStub,
    refusesWith: secureDownload ? 'secure-download' : 'not-in-rom',
  };
}
