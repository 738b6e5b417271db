import { portNumbers } from '@wirebench/serial';
import type { ComponentProps } from 'react';
import { serialSupport } from '../../hardware/serial-support.ts';
import { lines } from '../../shared/format/numbers.ts';
import { rateText } from '../../shared/format/bytes.ts';
import { type BenchView, useBenchStatus } from '../../workbench/bench-status.ts';
import { useSharing } from '../../workbench/sharing/sharing-store.ts';
import { StatusLine as BenchLine } from '../../workbench/status-line.tsx';
import { useTerminalSettings } from './settings/settings-store.ts';
import { keyCap, shortcuts } from './shortcuts.ts';

const { find, hex, follow, clear, export: exporting } = shortcuts;

/** Shortcuts listed in the status line, with their keys. */
const shown = [
  { keys: [find.keys, 'Ctrl+F'], what: find.short },
  ...[hex, follow, clear, exporting].map(({ keys, short }) => ({ keys: [keyCap(keys)], what: short })),
];

/** Status line: summary of the bench, and keyboard shortcuts. */
export function StatusLine() {
  const open = useBenchStatus(
    ({ status, users }) =>
      portNumbers.filter((port) => isOpen(status.ports[port].state) || users[port] !== null).length,
  );
  const received = useBenchStatus(({ rates }) => sum(rates, 'received'));
  const sent = useBenchStatus(({ rates }) => sum(rates, 'sent'));
  const held = useBenchStatus(({ status }) => status.lines);
  const keys = useStatusKeys();
  const shared = useSharing(({ phase }) => phase === 'on');
  const missing = serialSupport() !== 'ready' && open === 0;
  return (
    <BenchLine
      tone={missing ? 'danger' : open > 0 ? 'success' : 'off'}
      state={
        missing
          ? 'Web Serial missing'
          : `${open === 0 ? 'No port open' : `${open} of 4 ports open`}${shared ? ', shared' : ''}`
      }
      figures={[
        { name: 'RX', value: rateText(received) },
        { name: 'TX', value: rateText(sent) },
        { name: 'Buffer', value: lines(held) },
      ]}
      keys={keys}
    />
  );
}

/** Returns the shortcuts of the log for the status line. */
export function useStatusKeys(): ComponentProps<typeof BenchLine>['keys'] {
  const otherLayout = useTerminalSettings(({ layout }) => (layout === 'hex' ? 'text' : 'hex'));
  return shown.map(({ keys, what }) => ({ keys, what: what === hex.short ? otherLayout : what }));
}

const isOpen = (state: string) => state === 'connected' || state === 'disconnecting';

function sum(rates: BenchView['rates'], direction: 'received' | 'sent'): number {
  return portNumbers.reduce((total, port) => total + rates[port][direction].now, 0);
}
