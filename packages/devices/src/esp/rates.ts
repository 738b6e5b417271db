/** Rates of a chip's UART, in baud: what the ROM starts with, how it finds its host's, and what a change of it comes to. */
import { type Link, uartLink } from '../wire/link.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import { linkOf } from './connection.ts';
import type { EspIdentity } from './identity.ts';
import type { EspStubKind } from './options.ts';

/** What the ROM talks at when its crystal is the one that it reckons with. */
export const usualRate = 115_200;
/** The same with a crystal of 26 MHz where the ROM reckons with 40 ("Serial Protocol", ESP8266, "Initialization"). */
const slowCrystalRate = 74_880;
/** MHz that the ROM of the ESP32-C2 reckons with. */
const reckonedCrystal = 40;

/** Milliseconds that the ROM needs to measure a rate. */
const rateMeasurement = 1;

/** Of the boot log, and of the loader until a host has spoken to it. */
export function romRate({ chip, crystal }: EspIdentity): number {
  const misjudges = chip.generation === 'esp8266' || chip.name === 'esp32c2';
  return misjudges && crystal === 26 ? slowCrystalRate : usualRate;
}

/** What CHANGE_BAUDRATE to the ROM gives when `baudRate` is asked for: it may be wrong about its crystal. */
function changedRomRate(identity: EspIdentity, crystalFuse: 'measured' | 'blank', baudRate: number): number {
  const { chip, crystal } = identity;
  if (chip.name === 'esp32') {
    // A blank fuse makes the ESP32 take its crystal for one of 26 MHz.
    return (baudRate * crystal) / (crystalFuse === 'blank' ? 26 : crystal);
  }
  return chip.name === 'esp32c2' ? (baudRate * crystal) / reckonedCrystal : baudRate;
}

/** The chip's end of the link: its rate, and that of the host, as far as the ROM has to find it out. */
export class LinkRate {
  readonly #identity: EspIdentity;
  readonly #crystalFuse: 'measured' | 'blank';
  #link: Link;
  #measuring = false;
  /** What a host opened the port with last; null: nothing is known of it. */
  hostRate: number | null = null;

  constructor(identity: EspIdentity, crystalFuse: 'measured' | 'blank') {
    this.#identity = identity;
    this.#crystalFuse = crystalFuse;
    this.#link = linkOf(identity.connection, romRate(identity));
  }

  get link(): Link {
    return this.#link;
  }

  /** On USB, what the UART would have. */
  get baudRate(): number {
    return this.#link.kind === 'uart' ? this.#link.baudRate : usualRate;
  }

  /** Milliseconds of a byte on the wire; none on USB. */
  get byteTime(): number {
    return this.#link.kind === 'uart' ? 10_000 / this.#link.baudRate : 0;
  }

  /** Changes nothing on USB. */
  set(baudRate: number): void {
    if (this.#link.kind === 'uart' && baudRate > 0) {
      this.#link = uartLink(baudRate);
    }
  }

  /** By CHANGE_BAUDRATE. The stub knows its clock, the ROM may not. */
  change(baudRate: number, loader: 'rom' | 'stub'): void {
    this.set(loader === 'stub' ? baudRate : changedRomRate(this.#identity, this.#crystalFuse, baudRate));
  }

  /** The ESP32's stub sets the rate of the ROM's start again. */
  stubStarted(kind: EspStubKind): void {
    if (this.#identity.chip.generation === 'esp32' && kind === 'current') {
      this.set(usualRate);
    }
  }

  /** A reset ends the measurement. */
  stopMeasuring(): void {
    this.#measuring = false;
  }

  /**
   * The ROM takes the rate of the first thing that it receives, and what it received while it measured is lost: true.
   * ("Serial Protocol", section "Initialization": sync packets can be sent at any rate, and the UART detects it.)
   * @param listens whether it has not received anything yet
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
