/** Shows the log with a draft after each change of it, as long as no other decoder was chosen for the port. */
import type { PortNumber } from '@wirebench/serial';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { useTerminalSettings } from '../../settings/settings-store.ts';
import { applyWork, changeWork, type DecoderWork } from './work-store.ts';

/** Returns one sentence for each fault of the draft, with which the log stays as it was. */
export function useApplied(port: PortNumber, work: DecoderWork | null): readonly string[] {
  const [faults, setFaults] = useState<readonly string[]>([]);
  const isTried = useTerminalSettings(({ ports }) => ports[port].isTried === true);
  // The log keeps another decoder that was chosen while the tool was closed.
  const isApplied = work !== null && (isTried || !work.wasApplied);
  const apply = useEffectEvent(async () => (work === null ? [] : applyWork(port, work)));
  const draft = JSON.stringify(work?.draft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another draft is applied.
  useEffect(() => {
    let isWanted = true;
    const begin = async () => {
      try {
        const found = await (isApplied ? apply() : []);
        if (isWanted) {
          setFaults(found);
        }
      } catch (error) {
        if (isWanted) {
          setFaults([error instanceof Error ? error.message : String(error)]);
        }
      }
    };
    void begin();
    return () => {
      isWanted = false;
    };
  }, [port, draft, isApplied]);
  return faults;
}

/** Says that the log has another decoder than the draft, and offers the draft. */
export function AppliedElsewhere({ port, work }: { readonly port: PortNumber; readonly work: DecoderWork }) {
  const isElsewhere = useTerminalSettings(({ ports }) => ports[port].isTried !== true) && work.wasApplied;
  return isElsewhere ? (
    <div className="buttons tight">
      <span className="small">The log has another decoder now.</span>
      <Button size="sm" onClick={() => changeWork(port, { wasApplied: false })}>
        Show it with this one
      </Button>
    </div>
  ) : null;
}
