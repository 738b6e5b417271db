import { use } from 'react';
import { FailureDock } from '../failures/failure-dock.tsx';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { CrashStrip } from './crash/crash-strip.tsx';
import { ElfDrop } from './crash/elf-drop.tsx';

/** Strips docked above the log, which shrinks to make room. */
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
