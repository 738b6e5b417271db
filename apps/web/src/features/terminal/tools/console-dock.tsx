import { FailureDock } from '../failures/failure-dock.tsx';
import { AddressStrip } from './address-strip.tsx';
import { CrashStrip } from './crash/crash-strip.tsx';
import { ElfDrop } from './crash/elf-drop.tsx';

/** What is docked above the log, which makes room for it. */
export function ConsoleDock() {
  return (
    <div>
      <AddressStrip />
      <FailureDock />
      <CrashStrip />
      <ElfDrop />
    </div>
  );
}
