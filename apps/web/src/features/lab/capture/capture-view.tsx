/** Logic capture: the form, the lanes, the decoded transfers, and a file of the result. */

import { vcdOf } from '@wirebench/lab/probe';
import { Cpu, Download, Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { saveFile } from '../../../shared/files/save-file.ts';
import { count } from '../../../shared/format/numbers.ts';
import { useBringIntoView } from '../../../shared/ui/bring-into-view.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { clockTime } from '../../../workbench/console/row-times.ts';
import { useCaptureOffered, useStepVariant } from '../next-step.ts';
import panel from '../panel.module.css';
import { useLab } from '../store/lab-store.ts';
import { cancelProgram, loadProgram } from '../store/program.ts';
import { tell } from '../store/run.ts';
import { CaptureForm } from './capture-form.tsx';
import {
  type Captured,
  type CursorName,
  captureNow,
  changeCapture,
  placeCursor,
  showSpan,
  useCapture,
} from './capture-store.ts';
import styles from './capture-view.module.css';
import { DecoderForms } from './decoder-forms.tsx';
import { type DecodedLine, decoded } from './decoding.ts';
import { Lanes, timeOf, zoomFactor } from './lanes.tsx';
import { frequencyText, rateText, timeText, zoomed } from './time-axis.ts';

export function CaptureView() {
  const program = useLab(({ tick }) => tick.program);
  const captured = useCapture((state) => state.captured);
  return (
    <>
      <div className={panel['head']}>
        <h2>Logic capture</h2>
        <span className={panel['facts']}>
          {captured === null
            ? 'nothing captured'
            : `${rateText(captured.samplePeriod)} measured · ${count(captured.samples)} samples`}
        </span>
        {captured === null ? null : <span className={panel['facts']}>taken {clockTime(captured.at).slice(0, 8)}</span>}
        {captured === null ? null : <Tools captured={captured} />}
      </div>
      <div className={panel['body']}>
        {program === null ? <LoadProgram /> : <CaptureForm program={program} />}
        {captured === null ? null : <Result captured={captured} />}
      </div>
    </>
  );
}

/** Exports a capture as a VCD file for waveform viewers. */
function vcdText({ lanes, at }: Captured): string {
  return vcdOf(
    lanes.map(({ label, wave }) => ({ name: label, wave })),
    new Date(at).toISOString(),
  );
}

/** Returns a file name without characters that file systems refuse: `wirebench-capture-2026-03-01T12-00-00.vcd`. */
function vcdName({ at }: Captured): string {
  return `wirebench-capture-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}.vcd`;
}

function Tools({ captured }: { readonly captured: Captured }) {
  const zoom = (factor: number) => showSpan(zoomed(captureNow().span, factor, 0.5, captured.end));
  return (
    <span className={`row tight ${panel['end']}`}>
      <IconButton size="sm" variant="quiet" label="Zoom out" icon={<ZoomOut />} onClick={() => zoom(zoomFactor)} />
      <IconButton size="sm" variant="quiet" label="Zoom in" icon={<ZoomIn />} onClick={() => zoom(1 / zoomFactor)} />
      <IconButton
        size="sm"
        variant="quiet"
        label="Show all"
        icon={<Maximize2 />}
        onClick={() => showSpan({ from: 0, to: captured.end })}
      />
      <IconButton
        size="sm"
        variant="quiet"
        label="Save as VCD"
        icon={<Download />}
        onClick={() => saveFile(new Blob([vcdText(captured)], { type: 'text/plain' }), vcdName(captured))}
      />
    </span>
  );
}

/** Strip below the lanes: both cursors, the time between them, and its frequency. It never covers the lanes. */
function CursorStrip({ captured }: { readonly captured: Captured }) {
  const { a, b } = useCapture((state) => state.cursors);
  const between = a === null || b === null ? null : b - a;
  return (
    <div className={styles['strip']}>
      <CursorButton name="a" captured={captured} at={a} />
      <CursorButton name="b" captured={captured} at={b} />
      <output className={styles['between']} aria-label="From cursor A to cursor B">
        {between === null ? (
          <span className={styles['hint']}>Click the lanes to place a cursor</span>
        ) : (
          <>
            B − A <b>{timeText(between, captured.samplePeriod)}</b>
            {between === 0 ? null : <b>{frequencyText(Math.abs(between))}</b>}
          </>
        )}
      </output>
    </div>
  );
}

interface CursorButtonProps {
  readonly name: CursorName;
  readonly captured: Captured;
  readonly at: number | null;
}

/** Selects a cursor for the next click on the lanes. A cursor out of view is moved into view. */
function CursorButton({ name, captured, at }: CursorButtonProps) {
  const placing = useCapture((state) => state.placing === name);
  const press = () => {
    const { from, to } = captureNow().span;
    if (at === null || at < from || at > to) {
      placeCursor(name, from + (to - from) * (name === 'a' ? 1 / 3 : 2 / 3));
    }
    changeCapture({ placing: name });
  };
  const letter = name.toUpperCase();
  return (
    <button
      type="button"
      className={classNames(styles['pick'], placing && styles['placing'])}
      aria-pressed={placing}
      onClick={press}
    >
      <span className="visually-hidden">
        {at === null ? `Place cursor ${letter}` : `Cursor ${letter} at ${timeOf(captured, at)}`}
      </span>
      <span className={styles['letter']} aria-hidden="true">
        {letter}
      </span>
      <span aria-hidden="true">{at === null ? '–' : timeOf(captured, at)}</span>
    </button>
  );
}

/** Limit on rows: the page would be slow with all of them. */
const maxLines = 300;

interface DecodedTableProps {
  readonly captured: Captured;
  readonly lines: readonly DecodedLine[];
}

/**
 * Table of the decoded transfers. It has the same content as the boxes below the lanes, for reading, searching and
 * screen readers.
 */
function DecodedTable({ captured, lines }: DecodedTableProps) {
  if (lines.length === 0) {
    return (
      <p className={styles['empty']}>
        Nothing decoded. Check which pins are decoded, and that a whole transfer was captured.
      </p>
    );
  }
  const find = (at: number) => {
    const { span } = captureNow();
    const length = span.to - span.from;
    showSpan(zoomed({ from: at - length * 0.1, to: at + length * 0.9 }, 1, 0, captured.end));
  };
  return (
    <>
      <table className={styles['table']} aria-label="Decoded transfers">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Bus</th>
            <th scope="col">Bytes</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, maxLines).map(({ at, protocol, text }) => (
            <tr key={`${protocol} ${at} ${text}`}>
              <td>
                <button type="button" className={styles['jump']} onClick={() => find(at)}>
                  {timeOf(captured, at)}
                </button>
              </td>
              <td>{protocol}</td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > maxLines ? (
        <p className={styles['empty']}>
          The first {maxLines} of {lines.length} are listed. Save as VCD to look at all of them.
        </p>
      ) : null}
    </>
  );
}

function Result({ captured }: { readonly captured: Captured }) {
  const decoders = useCapture((state) => state.decoders);
  const { rows, lines } = useMemo(() => {
    const waves = new Map(captured.lanes.map(({ gpio, wave }) => [gpio, wave]));
    const all = decoders.map((decoder) => decoded(decoder, waves));
    return {
      rows: all.flatMap((one) => one.rows),
      lines: all.flatMap((one) => one.lines).toSorted((one, other) => one.at - other.at),
    };
  }, [captured, decoders]);
  const result = useRef<HTMLDivElement>(null);
  useBringIntoView(result, captured, true);
  return (
    <div ref={result} className={styles['result']}>
      <Lanes captured={captured} rows={rows} />
      <CursorStrip captured={captured} />
      <DecoderForms captured={captured} />
      {decoders.length === 0 ? null : <DecodedTable captured={captured} lines={lines} />}
    </div>
  );
}

/** Offers to load the program in RAM, which a capture needs. */
function LoadProgram() {
  const loading = useLab(({ tick }) => tick.loading);
  const variant = useStepVariant('capture');
  useCaptureOffered(true);
  return (
    <div className={`stack ${styles['offer']}`}>
      <p>
        <b>A capture needs the program in RAM.</b> The boot ROM is too slow to sample pins. The program is loaded into
        the chip’s RAM: flash stays as it is, pins and buses stay open, and a reset ends it.
      </p>
      <div className={styles['actions']}>
        <Button variant={variant} icon={<Cpu />} busy={loading} onClick={() => void tell(loadProgram)}>
          Load the program into RAM
        </Button>
        {loading ? <Button onClick={() => void tell(cancelProgram)}>Cancel</Button> : null}
      </div>
    </div>
  );
}
