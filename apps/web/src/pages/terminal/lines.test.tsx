import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { firstOf } from '../../workbench/testing/reading.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { openScripted } from './testing/console-steps.ts';
import { exported, plain, received, rows, textOf } from './testing/log-steps.ts';
import { clearLog, log, openTerminal, press, said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const exportedBytes = async () => (await exported('Received bytes of Port 1')).bytes;

const splitLines = (how: string) => userEvent.selectOptions(screen.getByRole('combobox', { name: 'Split lines' }), how);

const fill = async (name: string, value: string) =>
  fireEvent.change(await screen.findByRole('textbox', { name }), { target: { value } });

const showHex = () => userEvent.click(firstOf(screen.getAllByRole('radio', { name: 'Hex' })));

it('a character of UTF-8 that two reads cut apart is whole', async () => {
  await openTerminal();
  const port = await openScripted(1);
  const bytes = new TextEncoder().encode('21.5 °C 温度 👍\n');
  await port.say(...[...bytes].map((byte) => Uint8Array.of(byte)));
  await waitFor(() => expect(received()).toEqual([expect.stringContaining('21.5 °C 温度 👍')]));
  expect([...(await exportedBytes())]).toEqual([...bytes]);
});

it('a \\r\\n that two reads cut apart ends one line', async () => {
  await openTerminal();
  const port = await openScripted(1);
  await port.say('one\r', '\ntwo\r', '\n');
  await waitFor(() => expect(received()).toEqual([expect.stringMatching(/one$/), expect.stringMatching(/two$/)]));
});

it('all 256 byte values come back as they were sent, and each can be read', async () => {
  await openTerminal();
  const port = await openScripted(1);
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  await port.say(all);
  expect([...(await exportedBytes())]).toEqual([...all]);
  await showHex();
  await said('FB FC FD FE FF');
  // The line ended by 0A contains the first 11 bytes. The remaining bytes are in rows of 16.
  for (let first = 11; first < 256; first += 16) {
    const bytes = [...all.slice(first, first + 16)].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
    expect(plain(log().textContent)).toContain(bytes.join(' '));
  }
});

it('an overrun is waited out once, and a second one gives up', async () => {
  await openTerminal();
  const port = await openScripted(1);
  await port.say('before\n');
  await port.overrun();
  await said('Buffer overflow on Port 1, retrying...');
  await port.say('after\n');
  await said('after');
  await port.overrun();
  await said('Buffer overflow on Port 1 again.');
  await said('Port 1 disconnected');
  expect(textOf(await exported('Received bytes of Port 1'))).toBe('before\nafter\n');
});

it('a wrong baud rate shows rubbish and a hint, and the right one makes it readable', async () => {
  await startDemo();
  await type('baud 38400');
  await said('switching to 38400 baud');
  await type('help');
  await waitFor(() => expect(document.body.textContent).toMatch(/framing error/i));
  expect(log().textContent).not.toContain('which addresses answer');
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Baud' }), '38400');
  await said('Port 1 connected (38400 8N1)');
  // Ends the line that the board received as garbage.
  await type('');
  await type('stop');
  await said('nothing is running');
  await type('help');
  await said('which addresses answer');
});

it('lines end after a silence when the port says so', async () => {
  await startDemo();
  await splitLines('After a gap');
  // Longer than any pause within the board's answer, in milliseconds.
  await fill('Gap', '3000');
  await clearLog();
  await type('help');
  // The whole answer up to the prompt is one line, with newlines inside.
  await waitFor(() => expect(received()).toEqual([expect.stringContaining('demo>')]));
});

it('the hex display has one frame after another, and says which is incomplete', async () => {
  await startDemo();
  await splitLines('At a delimiter');
  await fill('Delimiter', 'demo');
  await clearLog();
  await type('help');
  await waitFor(() => expect(received().at(-1)).toContain('> '));
  expect(received()[0]).toContain('\\n');
  await splitLines('After a fixed length');
  await fill('Length', '8');
  await showHex();
  await clearLog();
  await type('help');
  const frames = () => rows('[data-direction=received][data-hex=first]').map(({ textContent }) => textContent);
  await waitFor(() => expect(frames()[2]).toMatch(/0000([0-9A-F]{2} ){7}[0-9A-F]{2}.{8}$/));
  await splitLines('COBS frames');
  await clearLog();
  await type('help');
  await waitFor(() => expect(received()).not.toEqual([]));
  await press('Disconnect port 1');
  await waitFor(() => expect(rows('[data-fault="Incomplete frame"]')).not.toEqual([]));
});
