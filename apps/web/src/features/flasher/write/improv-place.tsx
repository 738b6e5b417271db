import { portNumbers } from '@wirebench/serial';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';

const load = () => import('./improv-parts.tsx');
const nothing = () => undefined;

/** Fetches the set-up of Wi-Fi when a board has answered Improv, and keeps it then. */
export function ImprovPlace() {
  const heard = useBenchStatus(({ improv }) => portNumbers.filter((port) => improv[port].isHeard));
  const loaded = useLoaded(heard.length > 0, load, nothing);
  return loaded === null ? null : <loaded.ImprovParts heard={heard} />;
}
