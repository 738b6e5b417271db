/** Tests the bench's counter on the demo board. It counts a PWM output of the bench itself. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { busLog, chooseDemo, counter, fill, openDemoBench, press, showTab, strip, wide } from './testing/lab-steps.ts';

withWholePages(wide);

const count = () =>
  Number(
    within(counter())
      .getAllByText(/edges$/)
      .at(-1)
      ?.textContent.replaceAll(/\D/g, ''),
  );

async function pwm(hertz: string): Promise<void> {
  await userEvent.click(await screen.findByRole('radio', { name: /^GPIO 25\b/ }));
  await press('PWM', strip);
  fill(await within(strip()).findByLabelText('Hz'), hertz);
  await press('Set', strip);
  await screen.findByRole('radio', { name: /^GPIO 25, PWM/ });
}

const choosePin = () => userEvent.selectOptions(within(counter()).getByLabelText('GPIO'), '25');

it('edges of a PWM output are counted and timed, from 0 after a reset, until the pin is released', async () => {
  await openDemoBench();
  await pwm('2000');
  await showTab('Counter');
  await choosePin();
  await says(counter, 'The pin stays as it is set: PWM.');
  await press('Count', counter);
  await says(counter, /2\.0000\d* kHz ± 0\.0000\d/);
  await says(counter, /500\.\d+ µs ± 0\.00\d/);
  await waitFor(() => expect(count()).toBeGreaterThan(1_000));
  await screen.findByRole('radio', { name: /^GPIO 25, PWM/ });
  await userEvent.click(await within(counter()).findByText('Both'));
  await says(counter, 'GPIO 25 · edges');
  await press('Release', strip);
  await says(counter, 'No period');
  await press('Reset', counter);
  await waitFor(() => expect(count()).toBe(0));
  await press('Close', counter);
  await says(busLog, 'COUNT 25 · 0 edges, closed');
});

it('the fastest PWM is more than can be counted, which is said, and the bench goes on', async () => {
  await openDemoBench();
  await pwm('5000000');
  await showTab('Counter');
  await choosePin();
  await press('Count', counter);
  await says(counter, /5\.0\d* MHz/);
  await says(counter, 'At least');
  await press('Close', counter);
  await press('Leave');
  await says(busLog, 'its pins were released');
});

it('a chip without a pulse counter says so, and what to use instead', async () => {
  await chooseDemo('Demo ESP32-C3 bench');
  await showTab('Counter');
  await says(counter, 'The ESP32-C3 has no pulse counter.');
});
