import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { atOnce, enter, exported, gone, textOf } from './testing/log-steps.ts';
import { message, press, said, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const strip = () => screen.queryByRole('group', { name: 'Send a file to port 1' });

async function chooseFile(name: string, content: string): Promise<void> {
  fireEvent.change(await screen.findByLabelText('File to send to port 1'), {
    target: { files: [new File([content], name)] },
  });
  await screen.findByRole('group', { name: 'Send a file to port 1' });
}

it('escapes are sent as bytes, and a faulty one is named', async () => {
  await startDemo();
  await press(/^Send options/);
  await userEvent.click(await screen.findByRole('radio', { name: 'Escapes' }));
  await userEvent.keyboard('{Escape}');
  await type(String.raw`he\x6cp\q`);
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContainEqual(
      expect.stringContaining('Character 8'),
    ),
  );
  await type(String.raw`he\x6cp`);
  await said('which addresses answer on the I2C bus');
});

it('a message is repeated until it is stopped', async () => {
  await startDemo();
  const repeatEvery = async (interval: string) => {
    await press(/^Send options/);
    const every = await screen.findByRole('textbox', { name: 'Repeat interval in milliseconds' });
    fireEvent.change(every, { target: { value: interval } });
    await press('Start repeating');
  };
  fireEvent.change(message(), { target: { value: 'stop' } });
  await repeatEvery('5');
  await screen.findByText('Enter a repeat interval from 10 to 3600000 ms.');
  await repeatEvery('50');
  await screen.findByText(/every 50 ms, ([3-9]|\d{2,}) sent/);
  await enter('Stop repeating to port 1');
  await gone(/every 50 ms/);
  await type('help');
  await said('which addresses answer on the I2C bus');
});

it('a file is sent to the board, at its pace', async () => {
  await startDemo();
  await chooseFile('commands.txt', 'stop\nhelp\n');
  await userEvent.selectOptions(
    await screen.findByRole('combobox', { name: 'Way to send the file' }),
    'Line by line, 50 ms apart',
  );
  await enter('Send file');
  await said('which addresses answer on the I2C bus');
  await said('Sent commands.txt to Port 1: 10 bytes');
  await waitFor(() => expect(strip()).toBeNull());
});

it('the sending of a file shows how far it is, and can be cancelled', async () => {
  await startDemo();
  await chooseFile('large.bin', ' '.repeat(2_000_000));
  await press('Send file');
  await screen.findByRole('progressbar', { name: 'Sent' });
  await waitFor(() => expect(strip()?.textContent).toMatch(/of 1\.9 MB, .* s left/));
  await atOnce(() => enter('Cancel sending the file'));
  await waitFor(() => expect(strip()).toBeNull());
  await said('Sending large.bin to Port 1 was cancelled after');
});

it('a device that is unplugged while a file is sent keeps what was read, and says what was not sent', async () => {
  await startDemo();
  await chooseFile('script.txt', 'a line for the board\n'.repeat(200_000));
  await press('Send file');
  await said('a line for the board');
  await press('Unplug');
  await said('Device disconnected from Port 1');
  const text = textOf(await exported('Received bytes of Port 1'));
  expect(text).toContain('demo> ');
  expect(text).toContain('a line for the board');
});
