/** Messages about crashes of dropped logs that are not listed. */
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Incident } from '../../protocol/bench/crash-part.ts';
import { Toaster } from '../../shared/ui/toaster.tsx';
import { addDroppedLog } from './dropped-logs.ts';
import { incidentStore } from './incident-store.ts';

const incident = { id: 1, port: null, at: 0, until: 0, severity: 'notice', chip: null, hash: null, lines: [] } as const;
const some = (length: number): Incident[] => Array.from({ length }, () => incident);

afterEach(() => {
  incidentStore.setState({ dropped: [] });
  cleanup();
});

it('are silent while all crashes are listed', () => {
  render(<Toaster />);
  addDroppedLog({ incidents: some(50), omitted: 0, searched: null }, 'monitor.log');
  expect(screen.queryByText(/listed/)).toBeNull();
  expect(incidentStore.getState().dropped).toHaveLength(50);
});

it('count the older ones', async () => {
  render(<Toaster />);
  addDroppedLog({ incidents: some(50), omitted: 30, searched: null }, 'monitor.log');
  expect(await screen.findByText('The newest 50 crashes and restarts of dropped logs are listed.')).toBeTruthy();
  expect(screen.getByText('30 older ones are left out.')).toBeTruthy();
});

it('name the part of a large log that was searched', async () => {
  render(<Toaster />);
  addDroppedLog({ incidents: some(1), omitted: 0, searched: 32 * 1_024 * 1_024 }, 'night.log');
  expect(await screen.findByText('Crashes were looked for in the last 32 MB of night.log.')).toBeTruthy();
});
