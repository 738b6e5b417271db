/** Logic capture: the form, the lanes, the decoded transfers, and a file of the result. */
import { Cpu, Download, Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { saveFile } from '../../../shared/files/save-file.ts';
import { count } from '../../../shared/format/numbers.ts';
import { useBringIntoView } from '../../../shared/ui/bring-into-view.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { clockTime } from '../../../workbench/console/row-times.ts';
import { useCaptureOffered, useStepVariant } from '../next-step.ts';
import panel from '../panel.module.css';
import { useLab } from '../store/lab-store.ts';
import { cancelProgram, loadProgram } from '../store/program.ts';
import { tell } from '../store/run.ts';
import { CaptureForm } from './capture-form.tsx';
import { type Captured, captureNow, showSpan, useCapture } from './capture-store.ts';
import styles from './capture-view.module.css';
import { CursorStrip } from './cursor-strip.tsx';
import { DecodedTable } from './decoded-table.tsx';
import { DecoderForms } from './decoder-forms.tsx';
import { decoded } from './decoding.ts';
import { Lanes, zoomFactor } from './lanes.tsx';
import { rateText, zoomed } from './time-axis.ts';
import { vcdName, vcdText } from './vcd-file.ts';

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

function Tools({ captured }: { readonly captured: Captured }) {
  const zoom = (factor: number) => showSpan(zoomed(captureNow().span, factor, 0.5, captured.end));
  return (
    <span className={panel['end']}>
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
    <div className={styles['offer']}>
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
