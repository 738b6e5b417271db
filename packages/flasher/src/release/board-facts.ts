/** The facts by which a build is chosen, from the information of a connected board of each family. */
import type { ChipName } from '../esp/chips/chip-facts.ts';
import type { EspInfo } from '../esp/esp-info.ts';
import type { StmInfo } from '../stm/stm-board.ts';
import type { BoardFacts } from './release-build.ts';

/** Chips without an interface for PSRAM (ESP-IDF, `SOC_SPIRAM_SUPPORTED` in `soc_caps.h`; the ESP8266 has none). */
const withoutPsram: readonly ChipName[] = ['esp8266', 'esp32c2', 'esp32c3', 'esp32c6', 'esp32h2', 'esp32h21'];

export function espBoardFacts({ chip, flash, features, revision, link }: EspInfo): BoardFacts {
  const hasEmbedded = features.some((feature) => feature.includes('PSRAM'));
  return {
    family: 'esp',
    model: chip,
    flashSize: flash?.size ?? null,
    // eFuses know PSRAM in the chip's package. PSRAM beside the chip is not reported.
    psram: hasEmbedded ? true : withoutPsram.includes(chip) ? false : null,
    revision: revision === null ? null : revision.major * 100 + revision.minor,
    connection: link === 'uart' ? 'uart' : 'usb',
  };
}

export function stmBoardFacts({ family, model, flashSize, link }: StmInfo): BoardFacts {
  return {
    family: 'stm',
    model: family === null ? model : `stm32${family.toLowerCase()}`,
    flashSize,
    connection: link,
  };
}

/** Fields of `NrfInfo`. Its file imports the port, which the server does not know. */
interface NrfFacts {
  readonly part: string | null;
  readonly flashSize: number | null;
  readonly link: 'uart' | 'usb';
}

/** Fields of `AvrInfo`. Its file imports the clock, which the server does not know. */
interface AvrFacts {
  readonly model: string | null;
  readonly flashSize: number;
  readonly link: 'uart' | 'usb';
}

/** A bootloader tells the chip, not the board: an ATmega328P is an Uno, a Nano or another board. */
export function avrBoardFacts({ model, flashSize, link }: AvrFacts): BoardFacts {
  return { family: 'avr', model, flashSize: flashSize === 0 ? null : flashSize, connection: link };
}

export function nrfBoardFacts({ part, flashSize, link }: NrfFacts): BoardFacts {
  return { family: 'nrf', model: part?.toLowerCase() ?? null, flashSize, connection: link };
}

/** Fields of `RpInfo`. */
interface RpFacts {
  readonly chip: 'RP2040' | 'RP2350';
  readonly flashSize: number | null;
}

/** A boot ROM tells the chip, not the board: Pico and Pico W have the same. */
export function rpBoardFacts({ chip, flashSize }: RpFacts): BoardFacts {
  return { family: 'rp', model: chip.toLowerCase(), flashSize, connection: 'usb' };
}
