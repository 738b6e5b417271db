import { use } from 'react';
import { FailureDock } from '../failures/failure-dock.tsx';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { CrashStrip } from './crash/crash-strip.tsx';
import { ElfDrop } from './crash/elf-drop.tsx';

/** What is docked above the log, which makes room for it. */
export function ConsoleDock() {
  return (
    <div>
      {use(TerminalSlotsContext).dock}
      <FailureDock />
      <CrashStrip />
      <ElfDrop />
    </div>
  );
}
