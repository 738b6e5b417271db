/**
 * Tests the ESP32 bench on the demo board: from the landing page to a register of a sensor, pins and keys, and
 * leaving.
 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { esp32BenchPage, pagePaths } from '@wirebench/contract';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { reload, showPage, withWholePages } from '../../workbench/testing/whole-page.tsx';
import {
  busLog,
  fill,
  found,
  i2c,
  onBench,
  openBench,
  openDemoBench,
  press,
  readRegisters,
  strip,
  wide,
} from './testing/lab-steps.ts';

withWholePages(wide);

it('from the landing page to a register of a sensor on the demo board, and away again', async () => {
  await showPage(pagePaths.esp32, async () => (await import('../esp32-app/esp32-app-page.tsx')).Esp32AppPage);
  const { pathname, search } = await screen.findByRole<HTMLAnchorElement>('link', {
    name: 'Try the Demo ESP32 bench',
  });
  expect(pathname).toBe(esp32BenchPage);
  reload();
  await openBench(search);
  await onBench();
  await screen.findByText('Demo');
  await screen.findByText('Experimental');
  await says(busLog, 'answers from its boot ROM');
  await press('Scan');
  await says(found, 'BME280');
  await says(found, 'Identified by register 0xD0 = 0x60');
  await says(found, 'SSD1306?');
  await screen.findByRole('radio', { name: /^GPIO 21, SDA of I2C/ });
  fill(await screen.findByRole('textbox', { name: 'Register' }), 'D0');
  await readRegisters();
  await says(i2c, '0x76 register 0xD0: 60 (96)');
  await says(busLog, 'I2C 0x76 W D0 · R 60');
  await press('Leave');
  await screen.findByRole('button', { name: 'Try the Demo ESP32 bench' });
  await says(busLog, 'The bench has left the board');
});

it('by keyboard: a pin becomes an output, the bus is scanned, the board is left', async () => {
  await openDemoBench();
  await userEvent.keyboard('{Shift>}P{/Shift}{ArrowLeft}{Home}');
  const pin = await screen.findByRole('radio', { name: /^GPIO 26/ });
  for (let presses = 0; presses < 40 && pin !== document.activeElement; presses++) {
    await userEvent.keyboard('{ArrowDown}');
  }
  expect(document.activeElement).toBe(pin);
  (await waitFor(() => within(strip()).getByRole('button', { name: 'Output' }))).focus();
  await userEvent.keyboard('{Enter}');
  (await waitFor(() => within(strip()).getByRole('radio', { name: 'High' }))).focus();
  await userEvent.keyboard(' ');
  await screen.findByRole('radio', { name: /^GPIO 26, OUT, output, high/ });
  await userEvent.keyboard('{Shift>}I{/Shift}');
  await says(found, 'Identified by register');
  await userEvent.keyboard('{Shift>}L{/Shift}');
  await screen.findByRole('button', { name: 'Try the Demo ESP32 bench' });
});

it('a locked pin says why, and offers nothing', async () => {
  await openDemoBench();
  await userEvent.click(await screen.findByRole('radio', { name: 'GPIO 6, locked' }));
  await says(strip, 'No instrument and no register write reaches it.');
  expect(within(strip()).queryAllByRole('button')).toEqual([]);
});
