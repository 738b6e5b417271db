import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChosenFiles } from '../../../protocol/flash-protocol.ts';
import type { ReleaseSource } from '../../../workbench/release/release.ts';
import { startFlasher } from '../store/flasher-store.ts';
import { fakeFlasher } from '../testing/fake-flasher.ts';
import { testBuild, testFamily, testRelease, testVersion } from '../testing/families.ts';
import { ReleaseStrip } from './release-strip.tsx';
import { useRelease } from './use-release.ts';

const call = fakeFlasher();

const sha256 = 'c'.repeat(64);
const chosen: ChosenFiles = {
  files: [
    { id: 1, name: 'app.bin', size: 8, what: 'Data', offset: 0, why: '', places: null, application: null, sha256 },
  ],
  leftOut: [],
  conflicts: [],
};

/** Returns a release with one file that arrives when the test says so. */
function slowRelease() {
  const tries: { signal: AbortSignal; arrive: (bytes: number) => void; end: () => void }[] = [];
  const build = testBuild('esp32', {
    load: (signal, arrive) =>
      new Promise((resolve, reject) => {
        const content = new Blob(['12345678']);
        signal.addEventListener('abort', () => reject(signal.reason));
        tries.push({ signal, arrive, end: () => resolve([{ name: 'app.bin', offset: 0, content }]) });
      }),
  });
  const version = { ...testVersion, builds: [build] };
  const source: ReleaseSource = async () => testRelease(version);
  return { tries, source };
}

function Page({ source }: { readonly source: ReleaseSource }) {
  return <ReleaseStrip {...useRelease(source)} locked={false} />;
}

beforeEach(() => {
  startFlasher(testFamily);
  call.mockResolvedValue(chosen);
});
afterEach(cleanup);

it('a release that takes its time says how much of it has arrived, and can be cancelled and loaded after all', async () => {
  const { tries, source } = slowRelease();
  render(<Page source={source} />);
  await screen.findByRole('button', { name: 'Cancel' });
  await vi.waitFor(() => expect(tries).toHaveLength(1), 15_000);
  act(() => tries[0]?.arrive(2));
  await screen.findByText('25 %');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByText('The files of the release were not loaded because you cancelled.');
  expect(tries[0]?.signal.aborted).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Load them' }));
  await vi.waitFor(() => expect(tries).toHaveLength(2), 15_000);
  act(() => tries[1]?.end());
  await screen.findByText('weather-node');
});
