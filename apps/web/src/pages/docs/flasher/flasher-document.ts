/** Flasher guide: its texts, and what they take from code. */
import { buildLimits } from '@wirebench/contract/builds';
import { releaseLimits, staticPages } from '@wirebench/contract/constants';
import { avrFailureText, avrParts } from '@wirebench/flasher/avr';
import { chipFacts, chipNames, espFailureText, usualAppOffset, usualTableOffset } from '@wirebench/flasher/esp';
import { uf2Drives, uf2InfoFile } from '@wirebench/flasher/nrf';
import { rpFailureText } from '@wirebench/flasher/rp';
import { stmEntries, stmFailureText, stmParts } from '@wirebench/flasher/stm';
import { portNumbers } from '@wirebench/serial';
import {
  detectChoice,
  frequencyChoices,
  keepChoice,
  modeChoices,
  sizeChoices,
} from '../../../features/flasher/families/esp/write/flash-choices.ts';
import { memoryText } from '../../../shared/format/bytes.ts';
import { addressText, hexNumber } from '../../../shared/format/hex.ts';
import type { DocsDocument } from '../docs-model.ts';
import { failureRows, sharedValues, topicTitles } from '../docs-values.ts';
import { guide } from './guide.md?guide';

const mebibyte = 2 ** 20;

export const flasherDocument: DocsDocument = {
  ...guide,
  values: {
    ...sharedValues,
    ...topicTitles,
    // Usual places of the parts of a build (ESP-IDF, "Partition Tables").
    'address.app': addressText(usualAppOffset),
    'address.bootloader': addressText(chipFacts.esp32.bootloaderOffset),
    'address.data': addressText(usualAppOffset + mebibyte),
    'address.table': addressText(usualTableOffset),
    boards: portNumbers.length,
    chips: chipNames.map((name) => chipFacts[name].label).join(', '),
    'choice.detect': detectChoice,
    'choice.keep': keepChoice,
    'choices.frequency': frequencyChoices.join(', '),
    'choices.mode': modeChoices.map((mode) => mode.toUpperCase()).join(', '),
    'choices.size': sizeChoices.map(memoryText).join(', '),
    'limits.buildFiles': buildLimits.files,
    'limits.files': releaseLimits.files,
    'page.espFlasher': staticPages.espFlasher,
    'stm.entries': Object.keys(stmEntries).length - 1,
    'uf2.drives': uf2Drives
      .slice(0, 3)
      .map(({ label }) => label)
      .join(', '),
    'uf2.infoFile': uf2InfoFile,
  },
  rows: {
    avrFailures: failureRows(avrFailureText),
    avrParts: avrParts.map(({ name, signature, flashSize, eepromSize }) => [
      name,
      ['code', hexNumber(signature, 6)],
      memoryText(flashSize),
      memoryText(eepromSize),
    ]),
    chips: chipNames.map((name) => [chipFacts[name].label, ['code', addressText(chipFacts[name].bootloaderOffset)]]),
    espFailures: failureRows(espFailureText),
    rpFailures: failureRows(rpFailureText),
    stmFailures: failureRows(stmFailureText),
    stmParts: [...Map.groupBy(stmParts, ({ family }) => family)].map(([family, parts]) => [
      `STM32${family}`,
      parts.map(({ name }) => name).join(', '),
      parts.map(({ productId }) => productId.toString(16).toUpperCase()).join(', '),
    ]),
  },
};
