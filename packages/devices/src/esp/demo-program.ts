/**
 * The part of a demo application that listens: its Wi-Fi set-up over Improv. It runs with every application that
 * carries the mark of demo firmware, on chips with Wi-Fi.
 */
import { ImprovService } from '../improv/improv-service.ts';
import type { ImprovOptions } from '../improv/options.ts';
import type { DeviceLine } from '../wire/device.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import type { DemoApplication } from './boot/boot-script.ts';
import type { ReadFlash } from './boot/image.ts';
import { nvsOffset } from './firmware/factory.ts';
import type { EspChipName } from './options.ts';

/** Chips with IEEE 802.15.4 or without a radio (data sheets, section "Product Overview"). */
const withoutWifi: readonly EspChipName[] = ['esp32h2', 'esp32h21', 'esp32h4', 'esp32p4'];
/** Size of the header of an NVS page in bytes. */
const pageHeader = 32;

function hasWifi(chip: EspChipName): boolean {
  return !withoutWifi.includes(chip);
}

export class DemoProgram {
  readonly #chip: EspChipName;
  readonly #improv: ImprovService | null;

  constructor(chip: EspChipName, options: ImprovOptions | 'none' = {}) {
    this.#chip = chip;
    this.#improv = options === 'none' || !hasWifi(chip) ? null : new ImprovService(options);
  }

  /**
   * Starts with the application. The board remembers its network until the NVS at the usual offset is erased.
   * @param read Reads the flash as it is, also if it is encrypted.
   */
  start({ project, version }: DemoApplication, line: DeviceLine, timers: TimerGroup, read: ReadFlash): void {
    const improv = this.#improv;
    if (improv !== null) {
      const isErased = read(nvsOffset, pageHeader).every((byte) => byte === 0xff);
      improv.network = isErased ? null : improv.network;
      improv.start(line, timers, { firmware: project, version, chip: chipTitle(this.#chip) });
    }
  }

  stop(): void {
    this.#improv?.stop();
  }

  receive(bytes: Uint8Array): void {
    this.#improv?.receive(bytes);
  }
}

/** Returns Espressif's spelling, for example `ESP32-C3` for `esp32c3`. */
function chipTitle(chip: EspChipName): string {
  const [, base = '', rest = ''] = /^(esp32|esp82\d\d)(.*)$/.exec(chip) ?? [];
  return rest === '' ? base.toUpperCase() : `${base}-${rest}`.toUpperCase();
}
