/** What a connected board says about itself. Plain values: they cross a worker's border as they are. */
import type { ChipName } from './chips/chip-facts.ts';

export interface ChipRevision {
  readonly major: number;
  readonly minor: number;
}

/** The flash chip, as it answered RDID (JEDEC JESD216, command 9F). */
export interface FlashChip {
  /** Manufacturer, 0 to 255. */
  readonly manufacturer: number;
  /** Null when this manufacturer is not in the table. */
  readonly manufacturerName: string | null;
  /** Type in the high byte, capacity code in the low one. */
  readonly device: number;
  /** In bytes; null when the capacity code is none that is known. */
  readonly size: number | null;
}

/** Null: this chip, in its state, does not tell. */
export interface EspSecurityState {
  /** The chip starts only programs signed with its key. */
  readonly secureBoot: boolean | null;
  /** The chip reads its program through decryption: plain bytes written to it do not run. */
  readonly flashEncryption: boolean | null;
  /** The chip answers only the plain write commands: no reading, no hash, no stub. */
  readonly secureDownload: boolean;
}

/** The way to the chip: a USB bridge at its UART, its own USB Serial/JTAG port, or its own USB OTG port. */
export type EspLink = 'uart' | 'usb-serial-jtag' | 'usb-otg';

export interface EspInfo {
  readonly chip: ChipName;
  /** As on the package, such as `ESP32-D0WD-V3`; the chip's label when the chip does not tell. */
  readonly model: string;
  /** Null when the chip does not tell (ESP8266, Secure Download Mode). */
  readonly revision: ChipRevision | null;
  /** Base MAC address, such as `24:0a:c4:00:01:10`; null in Secure Download Mode. */
  readonly mac: string | null;
  /** Radio, cores, speed, embedded memory, in words. */
  readonly features: readonly string[];
  /** Crystal in MHz; null when it cannot be told. */
  readonly crystal: number | null;
  /** Null when it cannot be asked (Secure Download Mode) or nothing answered on the flash pins. */
  readonly flash: FlashChip | null;
  readonly security: EspSecurityState;
  readonly link: EspLink;
}
