/** The chips by name. */
import type { EspChipName } from '../options.ts';
import type { EspChip } from './chip.ts';
import { esp32 } from './esp32.ts';
import { esp32c2 } from './esp32c2.ts';
import { esp32c3 } from './esp32c3.ts';
import { esp32c5, esp32c61 } from './esp32c5.ts';
import { esp32c6 } from './esp32c6.ts';
import { esp32h2 } from './esp32h2.ts';
import { esp32h4 } from './esp32h4.ts';
import { esp32h21 } from './esp32h21.ts';
import { esp32p4 } from './esp32p4.ts';
import { esp32s2 } from './esp32s2.ts';
import { esp32s3 } from './esp32s3.ts';
import { esp8266, esp8285 } from './esp8266.ts';

export const espChips = {
  esp8266,
  esp8285,
  esp32,
  esp32s2,
  esp32s3,
  esp32c2,
  esp32c3,
  esp32c5,
  esp32c6,
  esp32c61,
  esp32h2,
  esp32h21,
  esp32h4,
  esp32p4,
} satisfies Record<EspChipName, EspChip>;
