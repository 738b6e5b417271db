import { FailureDock } from '../failures/failure-dock.tsx';
import { AddressStrip } from './address-strip.tsx';

/** What is docked above the log, which makes room for it. */
export function ConsoleDock() {
  return (
    <div>
      <AddressStrip />
      <FailureDock />
    </div>
  );
}
