/** Shows a task of a core dump: its frames, the variables and registers of the selected frame, and its stack. */
import {
  endText,
  frameName,
  functionText,
  isGuess,
  placeText,
  type ReportedFrame,
  type ReportedTask,
  type ReportedVariable,
  shortPlace,
  sourceText,
  variablePlaceText,
} from '@wirebench/symbols';
import { hexDigits, wordText } from '../../../shared/format/hex.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import styles from './dump-view.module.css';

export interface TaskDetailProps {
  readonly task: ReportedTask;
  /**
   * Number of the selected frame. The innermost frame is shown if the task has no such frame, as without its ELF
   * file.
   */
  readonly shown: number;
  readonly onChoose: (frame: number) => void;
  /** True: an ELF file was used. A frame without a name then has no name in the ELF file. */
  readonly hasProgram: boolean;
}

export function TaskDetail({ task, shown, onChoose, hasProgram }: TaskDetailProps) {
  const chosen = shown < task.frames.length ? shown : 0;
  const frame = task.frames[chosen];
  const end = endText(task);
  if (frame === undefined) {
    return (
      <p className={styles['task-detail']}>Its stack was damaged, so the board saved no registers of this task.</p>
    );
  }
  return (
    <div className={styles['task-detail']}>
      <ol aria-label="Frames, innermost first">
        {task.frames.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a function that calls itself is there several times, and none ever moves
          <li key={index}>
            <FrameRow frame={one} number={index} isChosen={index === chosen} onChoose={() => onChoose(index)} />
          </li>
        ))}
      </ol>
      {end === null ? null : <p className={styles['end']}>{end}</p>}
      {hasProgram ? null : <p className={styles['end']}>Without the ELF file only the innermost frame is known.</p>}
      {frame.places.map(({ name, variables }, depth) => (
        <Variables
          // biome-ignore lint/suspicious/noArrayIndexKey: inlined calls have no name of their own
          key={depth}
          of={name ?? '??'}
          variables={variables}
          frame={frame}
        />
      ))}
      <h3 className={`silk ${styles['heading']}`}>
        Registers in <code>{frameName(frame)}</code>
      </h3>
      <Registers frame={frame} />
      <Stack task={task} />
    </div>
  );
}

interface FrameRowProps {
  readonly frame: ReportedFrame;
  readonly number: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function FrameRow({ frame, number, isChosen, onChoose }: FrameRowProps) {
  const { places, pc, source } = frame;
  const rows = places.length === 0 ? [undefined] : places;
  return (
    <button
      type="button"
      className={`ring-inside ${styles['frame']}`}
      aria-pressed={isChosen}
      data-guess={isGuess(source) || undefined}
      onClick={onChoose}
    >
      <span className={styles['number']}>{number}</span>
      <span className={styles['places']}>
        {rows.map((place, depth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: inlined calls have no name of their own
          <span key={depth} className={styles['place']}>
            <b>{place === undefined ? '??' : functionText(place)}</b>
            {depth < rows.length - 1 ? <Badge>Inlined</Badge> : null}
            {place?.file === undefined ? null : (
              <span className={styles['line']} title={placeText(place)}>
                {shortPlace(place)}
              </span>
            )}
          </span>
        ))}
      </span>
      <span className={styles['source']}>{sourceText[source]}</span>
      <code>{wordText(pc)}</code>
    </button>
  );
}

interface VariablesProps {
  /** Name of the function. */
  readonly of: string;
  /** Null: not read. */
  readonly variables: readonly ReportedVariable[] | null;
  readonly frame: ReportedFrame;
}

function Variables({ of, variables, frame }: VariablesProps) {
  if (variables?.length === 0) {
    return null;
  }
  return (
    <>
      <h3 className={`silk ${styles['heading']}`}>
        Parameters and locals of <code>{of}</code>
      </h3>
      {variables === null ? (
        <p className={styles['end']}>Not read: this dump has very many frames.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keyboard too
        <section className={styles['scroll']} aria-label={`Parameters and locals of ${of}`} tabIndex={0}>
          <table className={styles['variables']}>
            <tbody>
              {variables.map((variable, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a block may hide a name of the one around it
                <tr key={index}>
                  <th scope="row">{variable.name}</th>
                  <td>{variable.type}</td>
                  <td data-unknown={!variable.isKnown || undefined}>{variable.value}</td>
                  <td>
                    {[variablePlaceText(variable, frame), variable.isParameter ? 'parameter' : '']
                      .filter((text) => text !== '')
                      .join(', ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

function Registers({ frame }: { readonly frame: ReportedFrame }) {
  return (
    <dl className={styles['registers']}>
      {frame.registers.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-unknown={value === null || undefined}>{value === null ? 'unknown' : wordText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Rows of a stack that are shown at first: the innermost part of a deep stack. */
const maxRows = 128;

interface StackRow {
  readonly address: number;
  readonly words: readonly number[];
  /** Printable characters. A dot replaces others. */
  readonly text: string;
  /** Functions whose frames begin in this row, innermost first. */
  readonly frames: readonly string[];
}

const ROW = 16;

/** The stack of a task as rows of four words, with the functions whose frames begin in each row. */
export function stackRows({ memory, frames }: ReportedTask): readonly StackRow[] {
  if (memory === null) {
    return [];
  }
  const { address: start, bytes } = memory;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: Math.floor(bytes.length / ROW) }, (_, index) => {
    const at = index * ROW;
    const address = start + at;
    return {
      address,
      words: [0, 4, 8, 12].map((offset) => view.getUint32(at + offset, true)),
      text: Array.from(bytes.subarray(at, at + ROW), (byte) =>
        byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
      ).join(''),
      frames: frames.filter(({ sp }) => sp >= address && sp < address + ROW).map(frameName),
    };
  });
}

function Stack({ task }: { readonly task: ReportedTask }) {
  const rows = stackRows(task);
  if (rows.length === 0) {
    return <p className={styles['end']}>The dump holds nothing of its stack.</p>;
  }
  return (
    <>
      <h3 className={`silk ${styles['heading']}`}>
        Stack from <code>{wordText(rows[0]?.address ?? 0)}</code>
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keyboard too */}
      <section className={styles['scroll']} aria-label="Stack" tabIndex={0}>
        <table className={styles['stack']}>
          <tbody>
            {rows.slice(0, maxRows).map(({ address, words, text, frames }) => (
              <tr key={address} data-frame={frames.length > 0 || undefined}>
                <th scope="row">{wordText(address)}</th>
                <td>{words.map((word) => hexDigits(word, 8)).join(' ')}</td>
                <td>{text}</td>
                <td>{frames.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > maxRows ? <p className={styles['end']}>The first {maxRows * 16} bytes are shown.</p> : null}
    </>
  );
}
