/** Properties of a connected board. Plain values, which can be posted to a worker. */
import type { ChipName } from './chips/chip-facts.ts';

export interface ChipRevision {
  readonly major: number;
  readonly minor: number;
}

/** The flash chip, from its answer to RDID (JEDEC JESD216, command 9F). */
export interface FlashChip {
  /** Manufacturer ID, 0 to 255. */
  readonly manufacturer: number;
  /** Null if the manufacturer is not in the table. */
  readonly manufacturerName: string | null;
  /** Type in the high byte, capacity code in the low byte. */
  readonly device: number;
  /** In bytes; null for an unknown capacity code. */
  readonly size: number | null;
}

/** Security settings; null if this chip in its state does not report them. */
export interface EspSecurityState {
  /** True: the chip starts only programs signed with its key. */
  readonly secureBoot: boolean | null;
  /** True: the chip decrypts its program while reading, so unencrypted programs do not run. */
  readonly flashEncryption: boolean | null;
  /** True: the chip accepts only the basic write commands. It cannot read, hash or run a stub. */
  readonly secureDownload: boolean;
  /** Everything that a chip in Secure Download Mode reports, because its eFuses cannot be read. */
  readonly report?: EspSecurityReport;
}

/** Answer to GET_SECURITY_INFO ("Serial Protocol", section "Commands"). */
export interface EspSecurityReport {
  /** 32 bits. */
  readonly flags: number;
  /** Counter of flash encryption: on for an odd number of bits. */
  readonly cryptCount: number;
  /** Purpose numbers of the key blocks. */
  readonly keyPurposes: readonly number[];
}

/** Connection to the chip: a USB bridge at its UART, its own USB Serial/JTAG port, or its own USB OTG port. */
export type EspLink = 'uart' | 'usb-serial-jtag' | 'usb-otg';

export interface EspInfo {
  readonly chip: ChipName;
  /** Name on the package, such as `ESP32-D0WD-V3`; the chip's label if the exact model is unknown. */
  readonly model: string;
  /** Null if the chip does not report it (ESP8266, Secure Download Mode). */
  readonly revision: ChipRevision | null;
  /** Base MAC address, such as `24:0a:c4:00:01:10`; null in Secure Download Mode. */
  readonly mac: string | null;
  /** Radio, cores, speed and embedded memory, in words. */
  readonly features: readonly string[];
  /** Crystal in MHz; null if unknown. */
  readonly crystal: number | null;
  /** Null in Secure Download Mode, or if no chip answered on the flash pins. */
  readonly flash: FlashChip | null;
  readonly security: EspSecurityState;
  readonly link: EspLink;
}
