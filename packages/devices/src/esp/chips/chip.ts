/**
 * The differences between the Espressif chips, as data. Each chip has a file with its facts; nothing here has
 * behaviour. Sources, unless a file names others: the chip classes of espressif/esptool (`esptool/targets/<chip>.py`:
 * addresses, fuses, memory map), the chip's Technical Reference Manual, and published boot logs.
 */
import type { EspChipName, EspRevision, EspRomDeflate, EspSecurity } from '../options.ts';

/** A range of addresses; `end` is exclusive. */
export type AddressRange = readonly [start: number, end: number];

/** The identity in a chip's fuses. */
export interface FuseContent {
  /** Six bytes in the order in which they are written as text. */
  readonly mac: Uint8Array;
  readonly revision: EspRevision;
  readonly security: Required<EspSecurity>;
  readonly crystalFuse: 'measured' | 'blank';
}

/** A bit field of a register: its address and lowest bit. */
export type Field = readonly [address: number, shift: number];

/** Registers of a SPI controller, as offsets from `base`. */
export interface SpiLayout {
  readonly base: number;
  readonly user: number;
  readonly user1: number;
  readonly user2: number;
  /** Null on ESP8266, which has the lengths in `user1`. */
  readonly readLength: number | null;
  readonly data: number;
}

/** Registers of the RTC watchdog. A host without control lines uses it to restart a chip. */
interface WatchdogLayout {
  readonly config: number;
  readonly timeout: number;
  readonly protect: number;
  readonly key: number;
}

/** `watchdog`: the watchdog that resets a chip whose ROM finds nothing to start. */
export type ResetReason =
  | 'power'
  | 'pin'
  | 'software'
  | 'system'
  | 'watchdog'
  | 'brown-out'
  | 'usb'
  | 'rtc-watchdog'
  | 'group-watchdog'
  | 'super-watchdog';

interface RomTexts {
  /** Returns the ROM's name and build date, with line ends. */
  banner(revision: EspRevision): string;
  readonly reasons: Readonly<Record<ResetReason, string>>;
  /** Text after `boot:` with IO0 high. `downloadBoot`: with IO0 low. */
  readonly flashBoot: string;
  readonly downloadBoot: string;
  /** Text after `boot:` with IO0 low, on the chip's own USB. The ROM then accepts both USB and UART. */
  readonly usbDownloadBoot?: string;
  /** True: the line about the flash's mode is single and begins with `SPI`. */
  readonly shortModeLine?: boolean;
  /** Printed when the loader waits; null: nothing. */
  readonly waiting: string | null;
  readonly usbWaiting?: string;
  /** True: the ROM prints about 4 kB after an exception of the processor. Default: nothing. */
  readonly panics?: boolean;
}

/**
 * The ROM's delay loop. It counts cycles of the processor, which runs at the crystal's frequency in download mode. A
 * "microsecond" lasts `ticksPerMicrosecond` divided by the crystal's MHz.
 */
interface RomDelay {
  /** Cycles that the ROM assumes for a microsecond. */
  readonly ticksPerMicrosecond: number;
  /** Address of the word in RAM with this number, which a host may change. Omitted if unknown. */
  readonly variable?: number;
}

/** A field of an eFuse block: word, lowest bit, length in bits, value. */
type BlockField = readonly [word: number, shift: number, length: number, value: number];

interface CalibrationBlock {
  /** Address of the block's first word. */
  readonly address: number;
  readonly fields: readonly BlockField[];
}

export interface EspChip {
  readonly name: EspChipName;
  readonly generation: 'esp8266' | 'esp32' | 'later';
  /** Chip id in the extended header of images; null: images have no such header. */
  readonly imageChipId: number | null;
  /** Returns the word at 0x40001000. */
  magic(revision: EspRevision): number;
  /** Answer of GET_SECURITY_INFO: none, 12 bytes, or 20 bytes with chip id and revision. */
  readonly securityInfo: 'none' | 'short' | 'full';
  /** The way in which the ROM writes compressed data without a stub. Null: untested, or no such command. */
  readonly romDeflate: EspRomDeflate | null;
  readonly revision: EspRevision;
  /** Possible frequencies in MHz, the usual one first. */
  readonly crystals: readonly number[];
  readonly bootloaderOffset: number;
  /** Ranges to which code can be uploaded. */
  readonly ram: readonly AddressRange[];
  /** A second view of RAM: the bytes from `start` on are those from `at` on. */
  readonly mirror?: { readonly start: number; readonly end: number; readonly at: number };
  /** Other readable ranges: ROM and peripherals. */
  readonly readable: readonly AddressRange[];
  /** Returns the values of the eFuse and OTP registers that are not 0. */
  fuses(content: FuseContent): ReadonlyMap<number, number>;
  /** Fields that the factory measures and burns for each chip, with typical values. Omitted: no field is documented. */
  readonly calibration?: readonly CalibrationBlock[];
  readonly spi: SpiLayout;
  /** Address of the UART's divider: clock divided by baud rate in the lowest 20 bits, sixteenths above. */
  readonly uartDivider: number;
  /** The strapping register, and its values after a start from flash and into download mode. */
  readonly straps: { readonly address: number; readonly flash: number; readonly download: number };
  /** Register whose highest bit resets the chip. Omitted if no client uses it. */
  readonly systemReset?: number;
  /** Real length of the ROM's delays in WRITE_REG. Omitted if not measured: as long as requested. */
  readonly romDelay?: RomDelay;
  /** Size in bytes of the ring in which the ROM keeps input while it executes a command. Omitted if untested. */
  readonly receiveRing?: number;
  readonly usbJtag: boolean;
  /** The ROM's variable for the active port, and its value on USB-JTAG. Null if no client reads it. */
  readonly portVariable: readonly [address: number, usbValue: number] | null;
  readonly watchdog: WatchdogLayout | null;
  readonly texts: RomTexts;
  /** Addresses of code and data in the invented bootloader and application. */
  readonly layout: { readonly code: number; readonly data: number; readonly readOnly: number };
}

/** Builder of fuse tables: combines bit fields into words. */
export class FuseWords {
  readonly words: Map<number, number>;

  constructor(words: ReadonlyMap<number, number> = new Map()) {
    this.words = new Map(words);
  }

  add([address, shift]: Field, value: number): this {
    this.words.set(address, ((this.words.get(address) ?? 0) | (value << shift)) >>> 0);
    return this;
  }

  /**
   * Adds fields of an eFuse block.
   * @param block Address of the block's first word.
   * @param fields Word, lowest bit, length in bits and value. A field may continue in the next word.
   */
  addFields(block: number, fields: readonly BlockField[]): this {
    for (const [word, shift, length, value] of fields) {
      const address = block + word * 4;
      this.add([address, shift], value);
      if (shift + length > 32) {
        this.add([address + 4, 0], value >>> (32 - shift));
      }
    }
    return this;
  }

  /** Adds bytes from the word at `address` on. */
  addBytes(address: number, bytes: Uint8Array): this {
    for (const [index, byte] of bytes.entries()) {
      this.add([address + (index & ~3), (index & 3) * 8], byte);
    }
    return this;
  }

  /** Adds a MAC in two words, with the last byte lowest, as in all chips from the ESP32-S2 on. */
  addMac(address: number, mac: Uint8Array): this {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mac;
    this.add([address, 0], ((c << 24) | (d << 16) | (e << 8) | f) >>> 0);
    return this.add([address + 4, 0], (a << 8) | b);
  }
}

/** Positions of the security fuses of a chip from the ESP32-S2 on. */
export interface SecurityFields {
  readonly cryptCount: Field;
  readonly secureBoot: Field;
  readonly manualEncryptOff: Field;
  /** Purposes of the first two key blocks. Omitted for a chip with fixed purposes. */
  readonly purposes?: readonly [Field, Field];
  /** Address of the first key block, and the bit that hides it from software. Omitted: the keys are not simulated. */
  readonly keys?: { readonly address: number; readonly hidden: Field };
}

/** Returns the usual positions since the ESP32-S2, in the eFuse block at `fuse`. */
export function laterSecurityFields(fuse: number): SecurityFields {
  return {
    cryptCount: [fuse + 0x34, 18],
    secureBoot: [fuse + 0x38, 20],
    manualEncryptOff: [fuse + 0x30, 20],
    purposes: [
      [fuse + 0x34, 24],
      [fuse + 0x34, 28],
    ],
    keys: { address: fuse + 0x9c, hidden: [fuse + 0x30, 0] },
  };
}

/** Purposes of key blocks (`KEY_PURPOSES` of the chip classes). */
const encryptionKey = 4;
const secureBootDigest = 9;
/** Bytes of a key block. */
const keyBlockSize = 32;

export function addSecurity(words: FuseWords, fields: SecurityFields, security: Required<EspSecurity>): FuseWords {
  if (security.flashEncryption !== 'off') {
    // An odd number of bits enables encryption. All three bits make it permanent.
    words.add(fields.cryptCount, security.flashEncryption === 'release' ? 7 : 1);
    if (fields.purposes) {
      words.add(fields.purposes[0], encryptionKey);
    }
    if (fields.keys) {
      words.add(fields.keys.hidden, 1);
    }
  }
  if (security.flashEncryption === 'release') {
    words.add(fields.manualEncryptOff, 1);
  }
  if (security.secureBoot) {
    words.add(fields.secureBoot, 1);
    if (fields.purposes) {
      words.add(fields.purposes[1], secureBootDigest);
    }
    if (fields.keys) {
      words.addBytes(fields.keys.address + keyBlockSize, security.secureBootDigest);
    }
  }
  return words;
}

/**
 * Returns the fuses of the ESP32-C3 and ESP32-S3, in the eFuse block at `fuse`. The highest bit of the minor revision
 * was added later, in another word.
 */
export function fusesWithSplitRevision(fuse: number): EspChip['fuses'] {
  const [word0, word3, word5] = [fuse + 0x44, fuse + 0x50, fuse + 0x58];
  return ({ mac, revision, security }) => {
    const words = new FuseWords()
      .addMac(word0, mac)
      .add([word3, 18], revision.minor & 7)
      .add([word5, 23], revision.minor >> 3)
      .add([word5, 24], revision.major);
    return addSecurity(words, laterSecurityFields(fuse), security).words;
  };
}

/**
 * Returns the fuses of the ESP32-C6, H2 and H21: a MAC that becomes an EUI-64, and the revision in one word.
 * @param fuse Address of the eFuse block.
 * @param majorShift Lowest bit of the major revision in that word.
 */
export function fusesWithEui64(fuse: number, majorShift: number): EspChip['fuses'] {
  const [word0, word1, word3] = [fuse + 0x44, fuse + 0x48, fuse + 0x50];
  return ({ mac, revision, security }) => {
    const words = new FuseWords()
      .addMac(word0, mac)
      // The two bytes that turn the MAC into an EUI-64.
      .add([word1, 16], 0xfffe)
      .add([word3, 18], revision.minor)
      .add([word3, majorShift], revision.major);
    return addSecurity(words, laterSecurityFields(fuse), security).words;
  };
}

/** Returns the layout of the SPI controller at `base`, for chips from the ESP32-S2 on. */
export function laterSpi(base: number): SpiLayout {
  return { base, user: 0x18, user1: 0x1c, user2: 0x20, readLength: 0x28, data: 0x58 };
}

/** Reset reasons in the words of the ROMs from the ESP32-S2 on. */
export const laterReasons = {
  power: 'rst:0x1 (POWERON)',
  pin: 'rst:0x1 (POWERON)',
  software: 'rst:0xc (RTC_SW_CPU_RST)',
  system: 'rst:0x3 (RTC_SW_SYS_RST)',
  watchdog: 'rst:0x7 (TG0WDT_SYS_RST)',
  'brown-out': 'rst:0xf (BROWNOUT_RST)',
  usb: 'rst:0x15 (USB_UART_CHIP_RESET)',
  'rtc-watchdog': 'rst:0x10 (RTCWDT_RTC_RST)',
  'group-watchdog': 'rst:0x7 (TG0WDT_SYS_RST)',
  'super-watchdog': 'rst:0x12 (SUPER_WDT_RST)',
} satisfies Record<ResetReason, string>;
