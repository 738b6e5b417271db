/** Details of one crash or restart from the log: cause, reset reason and source lines. */
import {
  type AddressRow,
  addressesOf,
  addressRows,
  type BuildMatch,
  type DecodedPlace,
  explainedLines,
  type FilesVerdict,
  functionText,
  incidentText,
  isWrongFile,
  placeText,
  resetName,
  resetOf,
  rowText,
  titleOf,
  verdictOf,
  verdictText,
} from '@wirebench/symbols';
import { Copy, ScrollText } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Incident } from '../../../../protocol/bench/crash-part.ts';
import { copyText } from '../../../../shared/files/copy-text.ts';
import { wordText } from '../../../../shared/format/hex.ts';
import { count } from '../../../../shared/format/numbers.ts';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import type { MenuAction } from '../../../../shared/ui/menu.tsx';
import { removeCrash } from '../../../../workbench/crash/remove-crash.ts';
import { type ListedFile, useOpenFiles, useSymbolFiles } from '../../../../workbench/crash/symbol-files.ts';
import { CrashHead } from '../../../../workbench/crash/view/crash-head.tsx';
import styles from '../../../../workbench/crash/view/crash-panel.module.css';
import type { CrashRow } from '../../../../workbench/crash/view/crash-rows.ts';
import { SymbolFilesBar } from '../../../../workbench/crash/view/symbol-files-bar.tsx';
import { TaskDetail } from '../../../../workbench/crash/view/task-detail.tsx';
import { useDecoded } from '../../../../workbench/crash/view/use-decoded.ts';
import { useLogReport } from '../../../../workbench/crash/view/use-report.ts';
import { agentAction } from './agent-action.tsx';
import { OwnElfLine } from './own-elf-line.tsx';

export interface IncidentViewProps {
  readonly incident: Incident;
  /** The crash's core dump, if it could not be read. */
  readonly dumpFailure?: CrashRow['failure'];
  readonly onShowTime: (at: number) => void;
  /** Additional actions in its menu. */
  readonly otherActions: readonly MenuAction[];
  /** Additional controls of the panel. */
  readonly more?: ReactNode;
}

interface FilesFacts {
  readonly files: readonly ListedFile[];
  readonly matches: Readonly<Record<number, BuildMatch>>;
  readonly places: readonly (DecodedPlace | null)[];
  readonly incident: Incident;
}

/** Returns the verdict on the open ELF files; null while a file is being read and nothing is known. */
export function filesVerdict({ files, matches, places, incident }: FilesFacts): FilesVerdict | null {
  const machines = files.flatMap(({ state }) => (state.kind === 'open' ? [state.facts.machine] : []));
  const isReading = files.some(({ state }) => state.kind === 'reading');
  return machines.length === 0 && isReading ? null : verdictOf({ machines, matches, places, chip: incident.chip });
}

export function IncidentView({ incident, dumpFailure = null, onShowTime, otherActions, more }: IncidentViewProps) {
  const files = useSymbolFiles();
  const addresses = useMemo(() => addressesOf(incident), [incident]);
  const open = useOpenFiles();
  const { places, matches } = useDecoded(addresses, open, incident.hash);
  const { rows, hidden } = addressRows(addresses, places);
  const task = useLogReport(incident)?.report.tasks[0];
  const hasStack = task !== undefined && task.memory !== null;
  const [frame, setFrame] = useState(0);
  const reset = resetOf(incident);
  const verdict = filesVerdict({ files, matches, places, incident });
  const text = () => incidentText(incident, rows);
  return (
    <article className={styles['detail']} aria-label="Crash">
      <CrashHead
        title={titleOf(incident)}
        actions={[
          { label: 'Copy as text', icon: <Copy />, onSelect: () => void copyText(text(), 'Crash copied') },
          agentAction(text),
          ...(incident.port === null
            ? []
            : [{ label: 'Show in the log', icon: <ScrollText />, onSelect: () => onShowTime(incident.at) }]),
          ...otherActions,
        ]}
        onRemove={() => removeCrash({ dump: dumpFailure?.dump ?? null, incident })}
      />
      <ul className={styles['facts']}>
        {explainedLines(incident).map(({ sequence, kind, sentence, text, isMissing }) => (
          <li key={`${sequence} ${sentence}`} className={isMissing ? styles['warning'] : undefined}>
            {kind === 'reset' ? <code>{resetName(text)}</code> : null} {sentence}
          </li>
        ))}
      </ul>
      {dumpFailure === null ? null : <p className={styles['warning']}>{dumpFailure.message}</p>}
      {addresses.length === 0 ? (
        // A restart has no addresses. Files that were opened before the first crash are listed all the same.
        files.length === 0 ? null : (
          <SymbolFilesBar />
        )
      ) : (
        <>
          <VerdictLine verdict={verdict} />
          <SymbolFilesBar asks={verdict === null || isWrongFile(verdict) || verdict === 'no-file'} />
          <OwnElfLine build={incident.hash} files={files} />
          {more === undefined || more === null ? null : <div className={styles['more']}>{more}</div>}
          {task === undefined ? null : <TaskDetail task={task} shown={frame} onChoose={setFrame} hasProgram />}
          <Addresses
            // Omits the raw words of an unwound stack: its frames are shown above, and the remaining words are
            // leftovers.
            rows={hasStack ? rows.filter(({ address }) => address.role !== 'stack') : rows}
            files={files}
            matches={matches}
          />
          {hidden === 0 || hasStack ? null : (
            <p className={styles['small']}>{open.length === 0 ? moreCallers(hidden) : noCallers(hidden)}</p>
          )}
        </>
      )}
      {reset === null && incident.severity === 'fault' && incident.port !== null ? (
        <p className={styles['small']}>The log has no restart after it yet.</p>
      ) : null}
    </article>
  );
}

/** The page takes files by drop, and the ELF file of a crash also below. */
const askFor = (verdict: FilesVerdict) => (wanted: string) =>
  verdict === 'no-file' ? `Drop ${wanted} on the page, or add it below,` : `Drop ${wanted}`;

function VerdictLine({ verdict }: { readonly verdict: FilesVerdict | null }) {
  return (
    <p role="status" className={verdict !== null && isWrongFile(verdict) ? styles['warning'] : styles['small']}>
      {verdict === null ? 'Reading the ELF file.' : verdictText(verdict, askFor(verdict))}
    </p>
  );
}

interface AddressesProps {
  readonly rows: readonly AddressRow[];
  readonly files: readonly ListedFile[];
  readonly matches: Readonly<Record<number, BuildMatch>>;
}

function Addresses({ rows, files, matches }: AddressesProps) {
  const opened = Object.keys(matches).length;
  return (
    <ol className={styles['addresses']} aria-label="Addresses">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed, and addresses may repeat
        <li key={index} className={styles['address']}>
          <span className={styles['label']}>
            {row.core === undefined ? '' : `CPU ${row.core} `}
            {row.label}
          </span>
          <code className={styles['value']}>{wordText(row.address.value)}</code>
          <span className={styles['frames']}>
            {row.place === null ? (
              <Frame>{opened === 0 ? '' : 'not in the open files'}</Frame>
            ) : (
              row.place.frames.map((frame, depth) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: frames have no id
                <Frame key={depth}>
                  {depth > 0 ? <em>inlined by </em> : null}
                  <b>{functionText(frame)}</b> <span className={styles['place']}>{placeText(frame)}</span>
                </Frame>
              ))
            )}
            {opened > 1 && row.place !== null ? (
              <Frame>in {files.find(({ id }) => id === row.place?.file)?.name}</Frame>
            ) : null}
          </span>
          <IconButton
            label={`Copy ${wordText(row.address.value)}`}
            size="sm"
            variant="quiet"
            icon={<Copy />}
            onClick={() => void copyText(rowText(row), 'Address copied')}
          />
        </li>
      ))}
    </ol>
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  return <span className={styles['frame']}>{children}</span>;
}

const moreCallers = (words: number) =>
  words === 1
    ? '1 more word of registers and stack may be a caller: an ELF file shows whether it is.'
    : `${count(words)} more words of registers and stack may be callers: an ELF file shows which.`;

const noCallers = (words: number) =>
  words === 1
    ? '1 word of registers and stack is not code in these files, or does not follow a call.'
    : `${count(words)} words of registers and stack are not code in these files, or do not follow a call.`;
