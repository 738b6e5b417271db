/**
 * Every chip JKit that comes with the product. A server lists them under the publisher `wirebench`. A page loads this
 * file as a separate chunk, so that it has them without a server.
 */
import { es8311, sgtl5000 } from './audio.ts';
import { bme280, bmp280 } from './bosch-pressure.ts';
import { ds3231, mcp23017, pcf8563, tca9548a } from './custom-ics.ts';
import { lcdBackpack, ssd1306 } from './displays.ts';
import type { LibraryChip } from './library-chip.ts';
import { ads1115, mpu6050, vl53l0x } from './motion-and-analog.ts';
import { drv8830, pca9685 } from './motor-control.ts';
import { axp192, ina219, max17048 } from './power-management.ts';
import { at24c32, w25q32 } from './storage.ts';
import { bh1750, lm75a, sht31, tmp105 } from './temperature.ts';

export type { LibraryChip } from './library-chip.ts';

/** Ordered for searches: of two chips that match equally well, the later one is shown first. */
export const allChips: readonly LibraryChip[] = [
  tca9548a,
  mcp23017,
  pcf8563,
  ds3231,
  w25q32,
  at24c32,
  es8311,
  sgtl5000,
  drv8830,
  pca9685,
  lcdBackpack,
  ssd1306,
  vl53l0x,
  ads1115,
  bh1750,
  sht31,
  lm75a,
  tmp105,
  mpu6050,
  max17048,
  axp192,
  ina219,
  bmp280,
  bme280,
];
