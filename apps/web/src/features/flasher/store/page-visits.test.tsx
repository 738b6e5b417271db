import { render, waitFor } from '@testing-library/react';
import { defaultPortSettings } from '@wirebench/port';
import { StrictMode, useEffect } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { sendToFlasher } from '../../../workbench/flasher-boards.ts';
import { fakeFlasher, silentBench } from '../testing/fake-flasher.ts';
import { testFamily } from '../testing/families.ts';
import { flasherStore, startFlasher } from './flasher-store.ts';
import { visitPage } from './page-visits.ts';

const bench = silentBench();
fakeFlasher();
/** Returns the notices of ports that a flasher acquires. */
const acquired = () => bench.mock.calls.filter(([name]) => name === 'notice').map(([, , text]) => text);

function Page() {
  useEffect(visitPage, []);
  return null;
}

describe('a visit to a flasher page', () => {
  const before = benchStatus.tick;

  beforeEach(() => {
    startFlasher(testFamily);
    flasherStore().setState({ selected: 1 });
    bench.mockClear();
    const { status } = before;
    const open = { ...status.ports[1], state: 'connected', settings: defaultPortSettings } as const;
    benchStatus.accept({ ...before, status: { ...status, ports: { ...status.ports, 1: open } } });
  });
  afterEach(() => benchStatus.accept(before));

  it('keeps the port that the terminal has sent selected, also when React shows the page twice', async () => {
    sendToFlasher(1);
    const { unmount } = render(
      <StrictMode>
        <Page />
      </StrictMode>,
    );
    await waitFor(() => expect(acquired()).toEqual([expect.stringContaining('Port 1 goes to the ')]));
    expect(flasherStore().getState().selected).toBe(1);
    unmount();
  });

  it('selects a port that the terminal does not use if none was sent, also the second time', async () => {
    for (const _ of ['first', 'second']) {
      flasherStore().setState({ selected: 1 });
      const { unmount } = render(<Page />);
      expect(flasherStore().getState().selected).toBe(2);
      unmount();
      await Promise.resolve();
    }
    expect(acquired()).toEqual([]);
  });
});
