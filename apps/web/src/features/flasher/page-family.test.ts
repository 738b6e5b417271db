import { familyIds, familyTraits } from '@wirebench/boards';
import { expect, it } from 'vitest';
import { avrPage } from './families/avr/avr-page.ts';
import { espPage } from './families/esp/esp-page.ts';
import { nrfPage } from './families/nrf/nrf-page.ts';
import { rpPage } from './families/rp/rp-page.ts';
import { stmPage } from './families/stm/stm-page.ts';

const pages = { esp: espPage, stm: stmPage, nrf: nrfPage, avr: avrPage, rp: rpPage };

it.each(familyIds)('the page of %s agrees with the traits of its family', (family) => {
  const { name, settings, addresses, usbDevices } = pages[family];
  const { flashStart, besideFlash, hasPlacedFiles = false, hasUsb = false } = familyTraits[family];
  expect([name, settings.family]).toEqual([family, family]);
  expect(addresses).toMatchObject({ start: flashStart });
  expect(addresses.beside?.start).toBe(besideFlash);
  expect(addresses.hidden ?? false).toBe(hasPlacedFiles);
  expect(usbDevices !== undefined).toBe(hasUsb);
});
