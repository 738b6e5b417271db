/** Tests logic capture on the demo boards: capturing, decoding, saving, and use by keyboard. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { savedBy } from '../../workbench/testing/saved-files.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import {
  busLog,
  capture,
  captureTransfer,
  chooseDemo,
  decoded,
  fill,
  findBus,
  loadProgram,
  openBench,
  press,
  readRegisters,
  scan,
  showTab,
  wide,
} from './testing/lab-steps.ts';

withWholePages(wide);

async function captured(): Promise<void> {
  await openBench();
  await press('Try the Demo ESP32 bench');
  await userEvent.click(await screen.findByRole('tab', { name: 'Capture' }));
  await within(capture()).findByRole('button', { name: 'Load the program into RAM' });
  await scan();
  await loadProgram();
  await captureTransfer();
}

it('a transfer is captured and decoded, saved as VCD, and so is the next one that any part of the bench makes', async () => {
  await captured();
  const file = await savedBy(() => press('Save as VCD', capture));
  expect(file.name).toMatch(/^wirebench-capture-[\dT-]+\.vcd$/);
  const vcd = new TextDecoder().decode(file.bytes);
  expect(vcd).toContain('$timescale');
  expect(vcd).toMatch(/\$var wire 1 \S+ SDA_21 \$end/);
  // At least nine clocks for each of four bytes.
  expect(vcd.split('\n').filter((line) => /^[01]\S/.test(line)).length).toBeGreaterThan(72);

  await press('Capture the next transfer', capture);
  await says(capture, 'Waiting for the next transfer on the I2C bus.');
  fill(await screen.findByRole('textbox', { name: 'Register' }), 'F4');
  await readRegisters();
  await says(decoded, /0x76 W F4 .*R 00/);

  await press('Capture the next transfer', capture);
  await press('Cancel', capture);
  await waitFor(() => expect(within(capture()).queryByRole('button', { name: 'Cancel' })).toBeNull());
  await says(decoded, '0x76 W F4');
});

it('by keyboard alone: a capture is zoomed, both cursors are placed, moved from edge to edge, and taken away', async () => {
  await captured();
  const lanes = within(capture()).getByRole('slider', { name: 'Time shown' });
  const whole = lanes.getAttribute('aria-valuetext');
  lanes.focus();
  await userEvent.keyboard('+');
  await waitFor(() => expect(lanes.getAttribute('aria-valuetext')).not.toBe(whole));
  await userEvent.keyboard('0');
  await waitFor(() => expect(lanes.getAttribute('aria-valuetext')).toBe(whole));
  for (const letter of ['A', 'B']) {
    within(capture())
      .getByRole('button', { name: `Place cursor ${letter}` })
      .focus();
    await userEvent.keyboard('{Enter}');
  }
  const between = () => within(capture()).getByLabelText('From cursor A to cursor B');
  await says(between, 'Hz');
  const cursor = (letter: string) => within(capture()).getByRole('slider', { name: `Cursor ${letter}` });
  const at = (letter: string) => Number(cursor(letter).getAttribute('aria-valuenow'));
  cursor('A').focus();
  await userEvent.keyboard('{Home}{PageDown}');
  const edge = at('A');
  cursor('B').focus();
  await userEvent.keyboard('{Home}{PageDown}{PageDown}');
  expect(at('B')).toBeGreaterThan(edge);
  await userEvent.keyboard('{PageUp}');
  await waitFor(() => expect(at('B')).toBe(edge));
  await userEvent.keyboard('{Delete}');
  await waitFor(() => expect(within(capture()).queryByRole('slider', { name: 'Cursor B' })).toBeNull());
  await says(between, 'Click the lanes to place a cursor');
});

it('the demo ESP32-C3 runs the same program, and captures a transfer of its own bus', async () => {
  await chooseDemo('Demo ESP32-C3 bench');
  await findBus('SDA 5 SCL 6');
  await loadProgram();
  await showTab('Capture');
  await captureTransfer();
  await press('Leave');
  await says(busLog, 'The bench has left the board: its pins were released.');
});
