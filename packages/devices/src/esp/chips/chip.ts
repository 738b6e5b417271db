/**
 * What distinguishes one Espressif chip from another, as data. One file a chip holds the facts; nothing here acts.
 * Sources, unless a file says otherwise: the chip classes of espressif/esptool (`esptool/targets/<chip>.py`: addresses,
 * fuses, memory map), the chip's Technical Reference Manual, and boot logs that people published.
 */
import type { EspChipName, EspRevision, EspRomDeflate, EspSecurity } from '../options.ts';

/** From `start` up to, not including, `end`. */
export type AddressRange = readonly [start: number, end: number];

/** The identity that is burnt into a chip. */
export interface FuseContent {
  /** Six bytes, as written. */
  readonly mac: Uint8Array;
  readonly revision: EspRevision;
  readonly security: Required<EspSecurity>;
  readonly crystalFuse: 'measured' | 'blank';
}

/** A bit field of a register: its address and lowest bit. */
export type Field = readonly [address: number, shift: number];

/** Offsets of the registers of a SPI controller from its base. */
export interface SpiLayout {
  readonly base: number;
  readonly user: number;
  readonly user1: number;
  readonly user2: number;
  /** Null on ESP8266, which has the lengths in `user1`. */
  readonly readLength: number | null;
  readonly data: number;
}

/** Registers of the RTC watchdog, by which a host without control lines restarts a chip. */
interface WatchdogLayout {
  readonly config: number;
  readonly timeout: number;
  readonly protect: number;
  readonly key: number;
}

/** `watchdog`: the one that resets a chip whose ROM finds nothing to start. */
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
  /** What the ROM is and when it was built, with line ends. */
  banner(revision: EspRevision): string;
  readonly reasons: Readonly<Record<ResetReason, string>>;
  /** After `boot:`, when IO0 is high and when it is low. */
  readonly flashBoot: string;
  readonly downloadBoot: string;
  /** The same on the chip's own USB, where the ROM listens to both. */
  readonly usbDownloadBoot?: string;
  /** The line about the flash's mode is alone and begins with `SPI`. */
  readonly shortModeLine?: boolean;
  /** What is said when the loader waits; null: nothing. */
  readonly waiting: string | null;
  readonly usbWaiting?: string;
  /** The ROM says so when the processor takes an exception: about 4 kB. Without it: nothing. */
  readonly panics?: boolean;
}

/**
 * The ROM counts cycles of the processor, which runs at the crystal's frequency in download mode: a microsecond lasts
 * `ticksPerMicrosecond` divided by the crystal's megahertz.
 */
interface RomDelay {
  /** Cycles that the ROM takes for a microsecond. */
  readonly ticksPerMicrosecond: number;
  /** Address of the word in RAM that holds this number, and that a host may change; left out where nobody has found it. */
  readonly variable?: number;
}

export interface EspChip {
  readonly name: EspChipName;
  readonly generation: 'esp8266' | 'esp32' | 'later';
  /** In the extended header of images; null: there is none. */
  readonly imageChipId: number | null;
  /** The word at 0x40001000. */
  magic(revision: EspRevision): number;
  /** What GET_SECURITY_INFO answers: nothing, 12 bytes, or 20 with chip id and revision. */
  readonly securityInfo: 'none' | 'short' | 'full';
  /** How the ROM writes compressed data without the stub; null: nobody has tried, or it has no such command. */
  readonly romDeflate: EspRomDeflate | null;
  readonly revision: EspRevision;
  /** MHz, the usual one first. */
  readonly crystals: readonly number[];
  readonly bootloaderOffset: number;
  /** Where code can be uploaded to. */
  readonly ram: readonly AddressRange[];
  /** RAM that is seen a second time from `start` on: the bytes are those from `at` on. */
  readonly mirror?: { readonly start: number; readonly end: number; readonly at: number };
  /** What can be read besides: ROM and peripherals. */
  readonly readable: readonly AddressRange[];
  /** Values of eFuse and OTP registers that are not 0. */
  fuses(content: FuseContent): ReadonlyMap<number, number>;
  readonly spi: SpiLayout;
  /** Its lowest 20 bits are the UART's clock divided by the baud rate, with sixteenths above. */
  readonly uartDivider: number;
  /** The strapping register, and what is in it after a start from flash and into download mode. */
  readonly straps: { readonly address: number; readonly flash: number; readonly download: number };
  /** The register whose highest bit resets the chip; left out where nobody needs it. */
  readonly systemReset?: number;
  /** How long the ROM's loader waits for the delays of WRITE_REG; left out where nobody has measured: as long as it is asked to. */
  readonly romDelay?: RomDelay;
  /** Bytes of the ring in which the ROM keeps what comes while a command is in work; left out where nobody has tried. */
  readonly receiveRing?: number;
  readonly usbJtag: boolean;
  /** The ROM's variable that says which port it talks through, and its value on USB-JTAG; null where nobody asks for it. */
  readonly portVariable: readonly [address: number, usbValue: number] | null;
  readonly watchdog: WatchdogLayout | null;
  readonly texts: RomTexts;
  /** Where a made-up bootloader and application put their code and data. */
  readonly layout: { readonly code: number; readonly data: number; readonly readOnly: number };
}

/** Little helpers for fuse tables: fields or-ed into words. */
export class FuseWords {
  readonly words = new Map<number, number>();

  add([address, shift]: Field, value: number): this {
    this.words.set(address, ((this.words.get(address) ?? 0) | (value << shift)) >>> 0);
    return this;
  }

  /** A MAC in two words as all chips from the ESP32-S2 on have it: the last byte lowest. */
  addMac(address: number, mac: Uint8Array): this {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mac;
    this.add([address, 0], ((c << 24) | (d << 16) | (e << 8) | f) >>> 0);
    return this.add([address + 4, 0], (a << 8) | b);
  }
}

/** Where the security fuses of a chip from the ESP32-S2 on are. */
export interface SecurityFields {
  readonly cryptCount: Field;
  readonly secureBoot: Field;
  readonly manualEncryptOff: Field;
  /** Of the first two key blocks; left out where the chip has no choice. */
  readonly purposes?: readonly [Field, Field];
}

/** Where most chips since the S2 have them, in the eFuse block at `fuse`. */
export function laterSecurityFields(fuse: number): SecurityFields {
  return {
    cryptCount: [fuse + 0x34, 18],
    secureBoot: [fuse + 0x38, 20],
    manualEncryptOff: [fuse + 0x30, 20],
    purposes: [
      [fuse + 0x34, 24],
      [fuse + 0x34, 28],
    ],
  };
}

/** Purposes of key blocks (`KEY_PURPOSES` of the chip classes). */
const encryptionKey = 4;
const secureBootDigest = 9;

export function addSecurity(words: FuseWords, fields: SecurityFields, security: Required<EspSecurity>): FuseWords {
  if (security.flashEncryption !== 'off') {
    // An odd number of bits: encryption is on. All three of them: it can never be switched off.
    words.add(fields.cryptCount, security.flashEncryption === 'release' ? 7 : 1);
    if (fields.purposes) {
      words.add(fields.purposes[0], encryptionKey);
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
  }
  return words;
}

/** Of the ESP32-C3 and the ESP32-S3, in the eFuse block at `fuse`: the highest bit of the minor revision came later than the others. */
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
 * Of the ESP32-C6, H2 and H21, in the eFuse block at `fuse`: a MAC that becomes an EUI-64, and the revision in one word.
 * @param majorShift lowest bit of the major revision in it
 */
export function fusesWithEui64(fuse: number, majorShift: number): EspChip['fuses'] {
  const [word0, word1, word3] = [fuse + 0x44, fuse + 0x48, fuse + 0x50];
  return ({ mac, revision, security }) => {
    const words = new FuseWords()
      .addMac(word0, mac)
      // The two bytes by which the MAC becomes an EUI-64.
      .add([word1, 16], 0xfffe)
      .add([word3, 18], revision.minor)
      .add([word3, majorShift], revision.major);
    return addSecurity(words, laterSecurityFields(fuse), security).words;
  };
}

/** The SPI controller as it is from the ESP32-S2 on, at `base`. */
export function laterSpi(base: number): SpiLayout {
  return { base, user: 0x18, user1: 0x1c, user2: 0x20, readLength: 0x28, data: 0x58 };
}

/** Reset reasons as the ROMs from the ESP32-S2 on name them. */
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
