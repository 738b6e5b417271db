/** Rates of a chip's UART, in baud: the ROM's initial rate, its detection of the host's rate, and rate changes. */
import { type Link, uartLink } from '../wire/link.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import { linkOf } from './connection.ts';
import type { EspIdentity } from './identity.ts';
import type { EspStubKind } from './options.ts';

/** Rate of the ROM if its crystal has the expected frequency. */
export const usualRate = 115_200;
/** Rate of a ROM that expects 40 MHz and has a crystal of 26 MHz ("Serial Protocol", ESP8266, "Initialization"). */
const slowCrystalRate = 74_880;
/** Crystal that the ESP32-C2's ROM expects, in MHz. */
const reckonedCrystal = 40;

/** Milliseconds that the ROM needs to measure a rate. */
const rateMeasurement = 1;

/** Returns the rate of the boot log, and of the loader until it has detected the host's rate. */
export function romRate({ chip, crystal }: EspIdentity): number {
  const misjudges = chip.generation === 'esp8266' || chip.name === 'esp32c2';
  return misjudges && crystal === 26 ? slowCrystalRate : usualRate;
}

/** Returns the actual rate after CHANGE_BAUDRATE to the ROM, which may assume a wrong crystal. */
function changedRomRate(identity: EspIdentity, crystalFuse: 'measured' | 'blank', baudRate: number): number {
  const { chip, crystal } = identity;
  if (chip.name === 'esp32') {
    // With a blank fuse the ESP32 assumes a crystal of 26 MHz.
    return (baudRate * crystal) / (crystalFuse === 'blank' ? 26 : crystal);
  }
  return chip.name === 'esp32c2' ? (baudRate * crystal) / reckonedCrystal : baudRate;
}

/** The chip's end of the link: its own rate, and the host's rate, which the ROM has to detect. */
export class LinkRate {
  readonly #identity: EspIdentity;
  readonly #crystalFuse: 'measured' | 'blank';
  #link: Link;
  #measuring = false;
  /** Rate with which a host last opened the port; null if unknown. */
  hostRate: number | null = null;

  constructor(identity: EspIdentity, crystalFuse: 'measured' | 'blank') {
    this.#identity = identity;
    this.#crystalFuse = crystalFuse;
    this.#link = linkOf(identity.connection, romRate(identity));
  }

  get link(): Link {
    return this.#link;
  }

  /** The chip's rate. On USB: the usual rate of the UART. */
  get baudRate(): number {
    return this.#link.kind === 'uart' ? this.#link.baudRate : usualRate;
  }

  /** Milliseconds of one byte on the wire; 0 on USB. */
  get byteTime(): number {
    return this.#link.kind === 'uart' ? 10_000 / this.#link.baudRate : 0;
  }

  /** Changes the rate. Has no effect on USB. */
  set(baudRate: number): void {
    if (this.#link.kind === 'uart' && baudRate > 0) {
      this.#link = uartLink(baudRate);
    }
  }

  /** Executes CHANGE_BAUDRATE. The stub knows its clock, the ROM may not. */
  change(baudRate: number, loader: 'rom' | 'stub'): void {
    this.set(loader === 'stub' ? baudRate : changedRomRate(this.#identity, this.#crystalFuse, baudRate));
  }

  /** Called when a stub starts. The ESP32's stub restores the ROM's initial rate. */
  stubStarted(kind: EspStubKind): void {
    if (this.#identity.chip.generation === 'esp32' && kind === 'current') {
      this.set(usualRate);
    }
  }

  /** Ends the measurement. Also called at a reset. */
  stopMeasuring(): void {
    this.#measuring = false;
  }

  /**
   * Adopts the host's rate at the ROM's first input ("Serial Protocol", section "Initialization": sync packets can be
   * sent at any rate, and the UART detects it).
   * @param listens True if the ROM has not received a frame yet.
   * @param timers Timers of the chip.
   * @returns True if the input is lost, because the ROM is measuring the rate.
   */
  measures(listens: boolean, timers: TimerGroup): boolean {
    if (this.#measuring) {
      return true;
    }
    const known = this.#link.kind === 'usb' || this.hostRate === null || this.hostRate === this.#link.baudRate;
    if (!listens || known) {
      return false;
    }
    this.#link = uartLink(this.hostRate ?? usualRate);
    this.#measuring = true;
    timers.after(rateMeasurement, () => this.stopMeasuring());
    return true;
  }
}
