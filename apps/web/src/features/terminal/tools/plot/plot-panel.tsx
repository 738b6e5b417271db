/** Plot panel: live curves of numbers in the log, with the choice of source and time range, and export. */
import { exportFileName, maxSeries, type NumberFormat, type PortNumber, portNumbers } from '@wirebench/serial';
import {
  ChevronLeft,
  ChevronRight,
  Download,
  FileImage,
  Pause,
  Play,
  Rows3,
  Table2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PortNames } from '../../../../protocol/bench/port-part.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { lines } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../../shared/ui/menu.tsx';
import { PortFlag } from '../../../../shared/ui/port-flag.tsx';
import { useRovingFocus } from '../../../../shared/ui/roving-focus.ts';
import { Select } from '../../../../shared/ui/select.tsx';
import { toast } from '../../../../shared/ui/toast.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import { saveExport } from '../../../../workbench/exports/save-export.ts';
import { useHasPart } from '../../../../workbench/opened-log/log-store.ts';
import type { PointedValues } from '../../../../workbench/plot/plot-chart.ts';
import { shortNumber } from '../../../../workbench/plot/plot-times.ts';
import { moved, zoomed } from '../../../../workbench/plot/stretch.ts';
import { portName, terminalSettingsNow, useTerminalSettings } from '../../settings/settings-store.ts';
import { PlotCurves, type PlotCurvesHandle, type PlotFacts } from './plot-curves.tsx';
import styles from './plot-panel.module.css';
import { choosePlot, holdPlot, setOwnScales, setSpan, showSeries, usePlot } from './plot-store.ts';
import { lookOf } from './series-look.ts';
import { shownSeries } from './shown-series.ts';

const noFacts: PlotFacts = {
  series: [],
  skippedLines: 0,
  missedLines: 0,
  leftOutSeries: 0,
  hasCutLines: false,
  hasLongLines: false,
  hasManyTexts: false,
  from: 0,
  to: 0,
};

const forms = [
  { format: 'named', code: 'temp:23.4 hum:46', what: 'a name before each number' },
  { format: 'named', code: 'I (1200) adc: voltage = 3.29 V', what: 'also in a log line, with units' },
  { format: 'named', code: 'Sensor 1:512,Power (W):0.52', what: 'names with blanks and brackets' },
  { format: 'named', code: '{"temp":23.4,"hum":46}', what: 'or JSON' },
  { format: 'named', code: '>temp:1627551892437:23.4', what: 'Teleplot, also with milliseconds of the board' },
  { format: 'columns', code: '23.4,46,1013.2', what: 'numbers only, with commas, semicolons, tabs or spaces' },
  { format: 'columns', code: '23.4,nan,1013.2', what: 'nan, inf, null, -- or nothing leaves a gap' },
  { format: 'columns', code: '25,25;63,3', what: 'decimal commas, with semicolons or tabs' },
  { format: 'columns', code: 'time,temp,hum', what: 'a line of names above them labels the columns' },
] as const;

/** Shown until a number has arrived often enough. Lists the supported formats. */
function PlotEmpty({ format }: { readonly format: NumberFormat }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it.
    <section className={`ring-inside ${styles['empty']}`} aria-label="No numbers yet" tabIndex={0}>
      <h2>No numbers yet</h2>
      <p>
        Wirebench looks for numbers in every received line. These become curves as soon as a name has arrived three
        times (eight times among other text), or a column twice:
      </p>
      <dl>
        {forms
          .filter((form) => format === 'any' || form.format === format)
          .map(({ code, what }) => (
            <div key={code}>
              <dt>
                <code>{code}</code>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

interface PlotLegendProps {
  readonly facts: PlotFacts;
  readonly pointed: PointedValues | null;
}

/** Legend of the plot: names with the newest values, or the values at the pointer. A click hides or shows a curve. */
function PlotLegend({ facts, pointed }: PlotLegendProps) {
  const wanted = usePlot((plot) => plot.wanted);
  const port = usePlot((plot) => plot.choice.port);
  const isPart = useHasPart(port);
  const series = shownSeries(facts, wanted);
  const severalPorts = new Set(series.map(({ port }) => port)).size > 1;
  return (
    <div className={styles['legend']}>
      <ul className={styles['series']} aria-label="Curves">
        {series.map(({ id, port, name, last, shown }) => {
          const value = pointed === null ? last : pointed.values.get(id);
          return (
            <li key={id} className={styles['curve']}>
              <button
                type="button"
                className={styles['name']}
                aria-pressed={shown}
                onClick={() => showSeries(id, !shown)}
              >
                <Swatch id={id} />
                {severalPorts ? <PortFlag port={port} /> : null}
                {name}
              </button>
              <span className={styles['value']}>{shown && value !== undefined ? valueText(value) : ''}</span>
            </li>
          );
        })}
      </ul>
      <span className={styles['at']}>
        {plotNotes(facts, isPart).map((note) => `${note} `)}
        {pointed === null ? '' : clockTime(pointed.at)}
      </span>
    </div>
  );
}

/**
 * Says what the plot leaves out.
 *
 * @param isPart True: the plot is of the part of a log that is held.
 */
function plotNotes(facts: PlotFacts, isPart: boolean): readonly string[] {
  const { series, skippedLines, leftOutSeries, hasCutLines, hasLongLines, hasManyTexts } = facts;
  const range = plotRange(facts, isPart);
  return [
    ...(skippedLines > 0 ? [`${lines(skippedLines)} arrived too fast and were left out.`] : []),
    ...(range === null
      ? []
      : [`${isPart ? 'The part of the log that is held' : 'Older lines are no longer held'}: ${range}.`]),
    ...(leftOutSeries > 0 ? [`${leftOutSeries} more series are not drawn: a plot has up to ${maxSeries}.`] : []),
    ...(series.some(({ hasBoardTimes }) => hasBoardTimes) ? ['Lines with a time of the board are drawn at it.'] : []),
    ...(hasCutLines ? [`Lines with more than ${maxSeries} values: only the first ${maxSeries} are read.`] : []),
    ...(hasManyTexts ? ['A series has more than 256 different texts. Only the first 256 are kept.'] : []),
    ...(hasLongLines ? ['Lines of more than 4,096 bytes are not read.'] : []),
  ];
}

/** Formats from where to where an incomplete plot goes: `14:03:05.000 to 14:20:00.000`; null for a whole one. */
function plotRange({ series, missedLines }: PlotFacts, isPart: boolean): string | null {
  if (series.length === 0 || !(isPart || missedLines > 0 || series.some(({ dropped }) => dropped > 0))) {
    return null;
  }
  const from = Math.max(
    ...series.filter(({ dropped }) => dropped > 0).map((one) => one.from),
    Math.min(...series.map((one) => one.from)),
  );
  return `${clockTime(from)} to ${clockTime(Math.max(...series.map(({ to }) => to)))}`;
}

/** Formats a value. NaN is shown as a dash. */
const valueText = (value: number) => (Number.isNaN(value) ? '–' : shortNumber(value));

function Swatch({ id }: { readonly id: number }) {
  const { colour, dash } = lookOf(id);
  return (
    <svg className={styles['swatch']} data-series={colour} viewBox="0 0 18 10" aria-hidden="true">
      <path d="M0 5H18" stroke="currentColor" strokeWidth="2" strokeDasharray={dash.join(' ') || undefined} />
    </svg>
  );
}

export function PlotPanel() {
  const choice = usePlot((plot) => plot.choice);
  const curves = useRef<PlotCurvesHandle>(null);
  const [facts, setFacts] = useState(noFacts);
  const [pointed, setPointed] = useState<PointedValues | null>(null);
  useEffect(() => {
    void getBench().call('plot', choice);
    return () => void getBench().call('plot', null);
  }, [choice]);
  const empty = facts.series.length === 0;
  return (
    <div className={styles['plot']}>
      <PlotBar facts={facts} curves={curves} />
      <div className={styles['body']}>
        <PlotCurves ref={curves} onFacts={setFacts} onPointed={setPointed} />
        {empty ? <PlotEmpty format={choice.format} /> : null}
      </div>
      {empty ? null : <PlotLegend facts={facts} pointed={pointed} />}
    </div>
  );
}

const spans = [
  { label: '10 s', span: 10_000 },
  { label: '30 s', span: 30_000 },
  { label: '1 min', span: 60_000 },
  { label: '5 min', span: 300_000 },
  { label: '30 min', span: 1_800_000 },
  { label: 'All', span: null },
] as const;

const formats = {
  any: 'Any format',
  named: 'Name and value',
  columns: 'Columns',
} satisfies Record<NumberFormat, string>;

interface PlotBarProps {
  readonly facts: PlotFacts;
  readonly curves: React.RefObject<PlotCurvesHandle | null>;
}

const done = 'Plot exported to file';

/** @param range From where to where an incomplete plot goes; null for a whole one. */
export async function savePlotCsv(range: string | null = null): Promise<void> {
  const names = portNumbers.map((port) => [port, portName(terminalSettingsNow(), port)] as const);
  const portNames = Object.fromEntries(names) as PortNames;
  await saveExport({ kind: 'plot', portNames }, fileName('csv'), {
    done: range === null ? done : `${done}: ${range}`,
    remedy: 'Plot one port instead of all.',
  });
}

/** Exports the plot to a file in the downloads folder. */
async function savePlotImage(image: Promise<Blob>): Promise<void> {
  try {
    saveFile(await image, fileName('png'));
    toast(done);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    toast(`The file could not be created: ${reason}`, { level: 'error' });
  }
}

const fileName = (extension: 'csv' | 'png') =>
  exportFileName(new Date(), 'csv').replace(/^wirebench-(.*)csv$/, `wirebench-plot-$1${extension}`);

function PlotBar({ facts, curves }: PlotBarProps) {
  const { port, format } = usePlot((plot) => plot.choice);
  const span = usePlot((plot) => plot.span);
  const held = usePlot((plot) => plot.held);
  const ownScales = usePlot((plot) => plot.ownScales);
  const settings = useTerminalSettings((all) => all);
  const used = useBenchStatus(({ status }) =>
    portNumbers.filter((number) => status.ports[number].connectedAt !== null).join(),
  );
  const ports = portNumbers.filter((number) => number === port || used.includes(String(number)));
  const group = useRef<HTMLDivElement>(null);
  const walk = useRovingFocus(group);
  const empty = facts.series.length === 0;
  const isPart = useHasPart(port);
  const image = () => {
    const made = curves.current?.image();
    if (made !== undefined) {
      void savePlotImage(made);
    }
  };
  return (
    <div ref={group} className={styles['bar']} role="toolbar" aria-label="Plot" onKeyDown={walk}>
      <Select
        aria-label="Plotted port"
        className={styles['select']}
        value={port ?? ''}
        onChange={(event) => choosePlot({ port: portOf(event.currentTarget.value) })}
      >
        <option value="">All ports</option>
        {ports.map((number) => (
          <option key={number} value={number}>
            {portName(settings, number)}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Number format"
        className={styles['select']}
        value={format}
        onChange={(event) => choosePlot({ format: formatOf(event.currentTarget.value) })}
      >
        {Object.entries(formats).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Time range"
        className={styles['select']}
        value={String(span)}
        onChange={(event) =>
          setSpan(spans.find((known) => String(known.span) === event.currentTarget.value)?.span ?? null)
        }
      >
        {spans.map((known) => (
          <option key={known.label} value={String(known.span)}>
            {known.label}
          </option>
        ))}
      </Select>
      <Button
        size="sm"
        icon={held === null ? <Pause /> : <Play />}
        aria-disabled={empty || undefined}
        onClick={() => (held === null ? curves.current?.hold((shown) => shown) : holdPlot(null))}
      >
        {held === null ? 'Pause' : 'Go live'}
      </Button>
      <span className={styles['group']}>
        {moves.map(({ label, icon, stretch }) => (
          <IconButton
            key={label}
            label={label}
            size="sm"
            variant="quiet"
            icon={icon}
            aria-disabled={empty || undefined}
            onClick={() => curves.current?.hold(stretch)}
          />
        ))}
      </span>
      <IconButton
        label="Own scale for each curve"
        size="sm"
        variant="quiet"
        icon={<Rows3 />}
        aria-pressed={ownScales}
        onClick={() => setOwnScales(!ownScales)}
      />
      <span className={styles['end']}>
        <Menu
          align="end"
          items={[
            { label: 'Save as PNG picture', icon: <FileImage />, onSelect: image, disabled: empty },
            {
              label: 'Save as CSV, all points',
              icon: <Table2 />,
              onSelect: () => void savePlotCsv(plotRange(facts, isPart)),
              disabled: empty,
            },
          ]}
          trigger={(props) => (
            <IconButton {...props} label="Save the plot" variant="quiet" size="sm" icon={<Download />} />
          )}
        />
      </span>
    </div>
  );
}

const moves = [
  { label: 'Earlier', icon: <ChevronLeft />, stretch: (shown: Shown) => moved(shown, -0.25) },
  { label: 'Later', icon: <ChevronRight />, stretch: (shown: Shown) => moved(shown, 0.25) },
  { label: 'Zoom in', icon: <ZoomIn />, stretch: (shown: Shown) => zoomed(shown, 0.5) },
  { label: 'Zoom out', icon: <ZoomOut />, stretch: (shown: Shown) => zoomed(shown, 2) },
];

type Shown = Parameters<typeof moved>[0];

const portOf = (value: string): PortNumber | null => portNumbers.find((number) => String(number) === value) ?? null;

const formatOf = (value: string): NumberFormat =>
  (['named', 'columns'] as const).find((format) => format === value) ?? 'any';
