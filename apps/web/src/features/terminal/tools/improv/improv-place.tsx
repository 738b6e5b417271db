import { portNumbers } from '@wirebench/serial';
import { useLoaded } from '../../../../shared/ui/use-loaded.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { changeTerminalSession, useTerminalSession } from '../../terminal-session.ts';

const load = () => import('./improv-parts.tsx');
const forget = () => changeTerminalSession({ wifiPort: null });

/** Fetches the set-up of Wi-Fi when a board of this bench has sent a packet of Improv, or when it is asked for. */
export function ImprovPlace() {
  const isAsked = useTerminalSession((session) => session.wifiPort !== null);
  const isHeard = useBenchStatus(({ improv, devices }) =>
    portNumbers.some((port) => improv[port].isHeard && devices[port]?.kind !== 'remote'),
  );
  const loaded = useLoaded(isAsked || isHeard, load, forget);
  return loaded === null ? null : <loaded.ImprovParts />;
}
