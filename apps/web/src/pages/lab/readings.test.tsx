/** Tests plotting and saving the readings of a sensor on the bench of the demo board. */
import { waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import {
  busLog,
  device,
  fill,
  i2c,
  initialise,
  openDemoBench,
  press,
  scan,
  showTab,
  wide,
} from './testing/lab-steps.ts';

withWholePages(wide);

it('readings of a BME280 are saved as CSV; the picture of the demo board is the one of its display', async () => {
  await openDemoBench();
  await scan();
  await press('Open JKit for 0x76');
  await waitFor(() => within(device()).getByRole('heading', { name: 'BME280' }));
  await initialise();
  await userEvent.selectOptions(await within(device()).findByLabelText('Every'), '250 ms');
  await press('Live', device);
  const readings = () => within(device()).getByRole('list', { name: 'Readings' });
  await says(readings, /\d+\.\d+ °C/);
  await says(readings, /\d+\.\d+ hPa/);
  await says(readings, /\d+\.\d+ %/);
  await waitFor(() =>
    expect(within(device()).getByRole('img', { name: 'Curve of Temperature' }).querySelector('canvas')).not.toBeNull(),
  );
  const file = await savedBy(() => press('Save the readings as CSV', device));
  expect(file.name).toBe('wirebench-readings.csv');

  await press('Choose JKit for 0x3C');
  await press('Open the JKit SSD1306: OLED display 128×64', device);
  const display = await waitFor(() =>
    within(device()).getByRole('img', { name: /^Display of the demo board, simulated/ }),
  );
  await waitFor(() => expect(display.getAttribute('data-lit')).toBe('0'));
  await initialise();
  fill(await within(device()).findByRole('textbox', { name: 'Text' }), 'Grüße vom Steckbrett');
  await press('Show text', device);
  await says(device, 'Written to 0x3C.');
  await waitFor(() => expect(display.getAttribute('data-lit')).toMatch(/^[1-9]\d{2,}$/));
  await says(device, 'Simulated');
});

const primary = () =>
  [...document.querySelectorAll('button[class*="primary"]')].map(
    (button) => button.getAttribute('aria-label') ?? button.textContent,
  );
const isNext = (...names: string[]) => waitFor(() => expect(primary()).toEqual(names));

it('one button leads at a time, from the pins of the bus to readings', async () => {
  await openDemoBench();
  await isNext('Find my I2C');
  await press('Find my I2C', i2c);
  await isNext('Use these pins');
  await press('Use these pins', i2c);
  await isNext('Read BME280 at 0x76');
  await press('Open JKit for 0x76');
  await isNext('Initialise…');
  await initialise();
  await isNext('Live');
  await press('Live', device);
  await isNext();
  await press('Live', device);
  await isNext('Live');
  await showTab('Capture');
  await isNext('Load the program into RAM');
  await showTab('Device');
  await isNext('Live');
});

it('one press reads a sensor that was identified, with its set-up in the log', async () => {
  await openDemoBench();
  await scan();
  await press('Read BME280 at 0x76');
  await says(() => within(device()).getByRole('list', { name: 'Readings' }), /\d+\.\d+ °C/);
  await says(device, /initialised at/);
  await isNext();
  expect(busLog().textContent).toContain('F4 27');
  // Its registers hold the set-up now, so a second press writes nothing.
  await press('Live', device);
  await press('Other JKit', device);
  await press('Read BME280 at 0x76');
  await says(() => within(device()).getByRole('list', { name: 'Readings' }), /\d+\.\d+ °C/);
  await says(device, /not initialised here yet/);
});
