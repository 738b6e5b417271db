import { use } from 'react';
import { FailureDock } from '../failures/failure-dock.tsx';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { BoardStrip } from './board-files/board-strip.tsx';
import { CrashStrip } from './crash/crash-strip.tsx';
import { ElfDrop } from './crash/elf-drop.tsx';
import { DroppedFileStrips } from './dropped-files.tsx';
import { ImprovPlace } from './improv/improv-place.tsx';
import { RuleReviewStrip } from './rules/rule-review-strip.tsx';

/** Strips docked below the log, which shrinks to make room. */
export function ConsoleDock() {
  return (
    <div>
      {use(TerminalSlotsContext).dock}
      <FailureDock />
      <BoardStrip />
      <ImprovPlace />
      <RuleReviewStrip />
      <CrashStrip />
      <ElfDrop />
      <DroppedFileStrips />
    </div>
  );
}
