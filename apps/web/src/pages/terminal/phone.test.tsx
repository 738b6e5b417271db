import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { startDemo } from './testing/terminal-steps.ts';

withWholePages({ media: (query) => query.includes('max-width') });

it('on a phone a notice is read out wherever one is', async () => {
  await startDemo();
  await userEvent.click(await screen.findByRole('button', { name: /^Settings of port 1/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Disconnect' }));
  await waitFor(() =>
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContainEqual(
      expect.stringContaining('Port 1 disconnected'),
    ),
  );
});
