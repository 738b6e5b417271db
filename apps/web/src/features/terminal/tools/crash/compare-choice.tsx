/** Menu of the session's other crashes, to compare one of them with the shown crash. */
import { Select } from '../../../../shared/ui/select.tsx';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import type { CrashRow } from '../../../../workbench/crash/view/crash-rows.ts';
import { addressesOf, titleOf } from '../../../../workbench/crash/view/crash-text.ts';
import type { SessionCrash } from '../../../../workbench/crash/view/use-compared-crash.ts';
import { dumpTitle, type Fingerprints } from '../../../../workbench/crash/view/use-fingerprints.ts';
import { type Choice, compareWith } from './chosen-crash.ts';

/**
 * Returns the crashes that can be compared, each once: its core dump if one was read, else its log lines if they
 * contain addresses.
 */
export function comparableCrashes(rows: readonly CrashRow[]): SessionCrash[] {
  return rows.flatMap(({ dump, incident }): SessionCrash[] => {
    if (dump?.state.kind === 'open') {
      return [{ dump }];
    }
    return incident?.severity === 'fault' && addressesOf(incident).length > 0 ? [{ incident }] : [];
  });
}

const choiceOf = (crash: SessionCrash): Choice =>
  'dump' in crash ? { dump: crash.dump.id } : { incident: crash.incident.id };

export const isChosen = (crash: SessionCrash, choice: Choice | null): boolean =>
  choice !== null && keyOf(choiceOf(crash)) === keyOf(choice);

const keyOf = (choice: Choice) => ('dump' in choice ? `dump ${choice.dump}` : `incident ${choice.incident}`);

interface CompareChoiceProps {
  readonly others: readonly SessionCrash[];
  readonly fingerprints: Fingerprints;
}

/** Renders nothing if there is no other crash. */
export function CompareChoice({ others, fingerprints }: CompareChoiceProps) {
  if (others.length === 0) {
    return null;
  }
  const choose = (key: string) => {
    const other = others.find((crash) => keyOf(choiceOf(crash)) === key);
    if (other !== undefined) {
      compareWith(choiceOf(other));
    }
  };
  return (
    <div>
      <Select aria-label="Compare with another crash" value="" onChange={({ target }) => choose(target.value)}>
        <option value="" disabled>
          Compare with…
        </option>
        {others.map((crash) => (
          <option key={keyOf(choiceOf(crash))} value={keyOf(choiceOf(crash))}>
            {'dump' in crash
              ? `${clockTime(crash.dump.at)} · ${dumpTitle(crash.dump, fingerprints)}`
              : `${clockTime(crash.incident.at)} · ${titleOf(crash.incident)}`}
          </option>
        ))}
      </Select>
    </div>
  );
}
