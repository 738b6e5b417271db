/** State of a port in a few words, for its tab. */
import { deviceName } from '@wirebench/boards/device-name';
import { describePortSettings } from '@wirebench/port';
import type { PortNumber, PortState } from '@wirebench/serial';
import type { DeviceFacts } from '../../../protocol/bench/port-part.ts';
import { type BenchView, useBenchStatus } from '../../../workbench/bench-status.ts';
import { useFlasherBoard } from '../../../workbench/flasher-boards.ts';

const stateText = {
  disconnected: 'Not connected',
  connecting: 'Connecting…',
  disconnecting: 'Disconnecting…',
  reconnecting: 'Waiting for the board…',
} satisfies Record<Exclude<PortState, 'connected'>, string>;

const deviceNames: Partial<Record<DeviceFacts['kind'], string>> = { demo: 'Demo', remote: 'remote' };

/** Returns the fact that a port's tab shows: the flasher that has its board, or the state. */
export function usePortFact(port: PortNumber): string {
  const inFlasher = useFlasherBoard(port) !== null;
  const fact = useBenchStatus((view) => portFact(view, port));
  return inFlasher ? 'In the flasher' : fact;
}

/** Returns true for a port whose tab shows its traffic: it is open here, or a guest uses it. */
export function useShowsTraffic(port: PortNumber): boolean {
  return useBenchStatus(
    ({ status, users }) => users[port] !== null || ['connected', 'disconnecting'].includes(status.ports[port].state),
  );
}

/** Returns `115200 8N1 · CP210x`, the port's state, or the guest that uses it. */
function portFact({ status, users, devices, baudSearches }: BenchView, port: PortNumber): string {
  const user = users[port];
  if (user !== null) {
    return `used by ${user}`;
  }
  const search = baudSearches[port];
  if (search !== null) {
    return `Listening at ${search.rate} baud`;
  }
  if (devices[port]?.kind === 'log') {
    return 'Opened log';
  }
  const { state, settings, info } = status.ports[port];
  if (devices[port]?.kind === 'remote' && state === 'disconnected') {
    return devices[port].right === null ? 'Not shared' : devices[port].plugged ? 'Closed there' : 'No board there';
  }
  if (state !== 'connected' || settings === null) {
    return state === 'connected' ? '' : stateText[state];
  }
  const { kind = 'serial', isSimulated = false } = devices[port] ?? {};
  const device = (isSimulated ? 'remote Demo' : deviceNames[kind]) ?? deviceName(info ?? {});
  return `${describePortSettings(settings)} · ${device}`;
}
