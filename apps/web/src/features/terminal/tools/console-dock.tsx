import { portNumbers } from '@wirebench/serial';
import { use, useState } from 'react';
import { browserStorage } from '../../../shared/storage/browser-storage.ts';
import { useLoaded } from '../../../shared/ui/use-loaded.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FailureDock } from '../failures/failure-dock.tsx';
import { anyPortOpen } from '../open-ports-of.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { BoardStrip } from './board-files/board-strip.tsx';
import { CrashStrip } from './crash/crash-strip.tsx';
import { ElfDrop } from './crash/elf-drop.tsx';
import { DroppedFileStrips } from './dropped-files.tsx';
import { ImprovPlace } from './improv/improv-place.tsx';
import { RuleReviewStrip } from './rules/rule-review-strip.tsx';

/** Offers and remedies, over the last rows of the log. */
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
      <AdvicePlace />
    </div>
  );
}

const loadAdvice = async () => (await import('../failures/advice.tsx')).Advice;
const nothing = () => undefined;

function AdvicePlace() {
  const isOpen = useBenchStatus(anyPortOpen);
  const Advice = useLoaded(isOpen, loadAdvice, nothing);
  return (
    Advice && (
      <Advice>
        <DemoPlace />
      </Advice>
    )
  );
}

/** Key in the browser's storage. Present: the demo board's offers are over. */
const triedKey = 'wirebench.demo-tried';

const loadTries = async () => (await import('./demo-tries.tsx')).DemoTries;

/** Offers of an open demo board, until all were tried or they were closed. */
function DemoPlace() {
  const [isOver, setOver] = useState(() => browserStorage.getItem(triedKey) !== null);
  const port = useBenchStatus(
    ({ devices, status }) =>
      portNumbers.find(
        (one) => devices[one]?.kind === 'demo' && !devices[one].isLine && status.ports[one].state === 'connected',
      ) ?? null,
  );
  const end = () => {
    browserStorage.setItem(triedKey, 'yes');
    setOver(true);
  };
  const Tries = useLoaded(!isOver && port !== null, loadTries, () => setOver(true));
  return Tries === null || isOver || port === null ? null : <Tries port={port} onClose={end} />;
}
