/** Details of one crash or restart from the log: cause, reset reason and source lines. */
import { Copy, ScrollText, X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Incident } from '../../../../protocol/incident.ts';
import type { BuildMatch } from '../../../../protocol/symbol-protocol.ts';
import { copyText } from '../../../../shared/files/copy-text.ts';
import { wordText } from '../../../../shared/format/hex.ts';
import { count } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { removeDroppedIncident } from '../../../../workbench/crash/dropped-logs.ts';
import { type ListedFile, useOpenFiles, useSymbolFiles } from '../../../../workbench/crash/symbol-files.ts';
import styles from '../../../../workbench/crash/view/crash-panel.module.css';
import {
  type AddressRow,
  addressesOf,
  addressRows,
  functionText,
  incidentText,
  placeText,
  resetOf,
  rowText,
  titleOf,
} from '../../../../workbench/crash/view/crash-text.ts';
import { TaskDetail } from '../../../../workbench/crash/view/task-detail.tsx';
import { useDecoded } from '../../../../workbench/crash/view/use-decoded.ts';
import { useLogReport } from '../../../../workbench/crash/view/use-report.ts';
import { type FilesVerdict, filesVerdict } from './files-verdict.ts';
import { OwnElfLine } from './own-elf-line.tsx';

export interface IncidentViewProps {
  readonly incident: Incident;
  /** Reason why the crash's core dump could not be read. Null: it was read, or the log contains no dump. */
  readonly dumpFailure?: string | null;
  readonly onShowTime: (at: number) => void;
  /** Additional controls of the panel. */
  readonly more?: ReactNode;
}

export function IncidentView({ incident, dumpFailure = null, onShowTime, more }: IncidentViewProps) {
  const files = useSymbolFiles();
  const addresses = useMemo(() => addressesOf(incident), [incident]);
  const open = useOpenFiles();
  const { places, matches } = useDecoded(addresses, open, incident.hash);
  const { rows, hidden } = addressRows(addresses, places);
  const task = useLogReport(incident)?.report.tasks[0];
  const hasStack = task !== undefined && task.memory !== null;
  const [frame, setFrame] = useState(0);
  const reset = resetOf(incident);
  const title = titleOf(incident);
  const said = incident.lines.filter(({ sentence }) => sentence !== undefined && sentence !== title);
  return (
    <article className={styles['detail']} aria-label="Crash">
      <div className={styles['titleRow']}>
        <h2 className={styles['title']}>{title}</h2>
        {incident.port === null ? (
          <IconButton
            label="Close this crash"
            size="sm"
            variant="quiet"
            icon={<X />}
            onClick={() => removeDroppedIncident(incident.id)}
          />
        ) : (
          <IconButton
            label="Show in the log"
            size="sm"
            variant="quiet"
            icon={<ScrollText />}
            onClick={() => onShowTime(incident.at)}
          />
        )}
        <Button size="sm" icon={<Copy />} onClick={() => void copyText(incidentText(incident, rows), 'Crash copied')}>
          Copy all
        </Button>
      </div>
      <ul className={styles['facts']}>
        {said
          .filter(({ kind }) => kind !== 'backtrace' && kind !== 'stack' && kind !== 'elf-hash')
          .map(({ sequence, kind, sentence, text }) => (
            <li key={sequence}>
              {kind === 'reset' ? <code>{resetName(text)}</code> : null} {sentence}
            </li>
          ))}
      </ul>
      {dumpFailure === null ? null : <p className={styles['warning']}>{dumpFailure}</p>}
      {addresses.length === 0 ? null : (
        <>
          <VerdictLine verdict={filesVerdict({ files, matches, places, incident })} />
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

const verdictTexts = {
  'no-file':
    'Drop the ELF file of this firmware on the page, or add it above, to see functions, files and lines: build/<project>.elf of ESP-IDF, .pio/build/<board>/firmware.elf of PlatformIO, <sketch>.ino.elf of the Arduino IDE, build/zephyr/zephyr.elf of Zephyr.',
  'this-build': 'This is the build that ran: its SHA-256 is the one the board printed.',
  'other-build':
    'This is not the build that ran: the board printed a different SHA-256. Names and lines may be wrong. Drop the ELF file that was flashed.',
  'build-unknown': 'The log does not say which build ran: names are right if this is the ELF file that was flashed.',
  'other-machine':
    'This ELF file is for a different processor from the chip in the log. Drop the ELF file of this firmware.',
  'no-address': 'None of the addresses is in this program. Drop the ELF file that was flashed.',
} satisfies Record<FilesVerdict, string>;

const warnings = new Set<FilesVerdict>(['other-build', 'other-machine', 'no-address']);

function VerdictLine({ verdict }: { readonly verdict: FilesVerdict | null }) {
  return (
    <p role="status" className={verdict !== null && warnings.has(verdict) ? styles['warning'] : styles['small']}>
      {verdict === null ? 'Reading the ELF file.' : verdictTexts[verdict]}
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

/** Returns the part `rst:0xc (SW_CPU_RESET)` of a ROM's line. */
const resetName = (text: string) => /\brst[:\s][^,]*/.exec(text)?.[0] ?? '';
