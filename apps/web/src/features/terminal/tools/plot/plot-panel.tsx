/** Plot panel: live curves of numbers in the log, with the choice of source and time range, and export. */
import { exportFileName, maxSeries, type NumberFormat, portNumbers } from '@wirebench/serial';
import {
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  Download,
  FileImage,
  Pause,
  Play,
  Table2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { use, useEffect, useRef, useState } from 'react';
import type { PortNames } from '../../../../protocol/bench/port-part.ts';
import { saveFile } from '../../../../shared/files/save-file.ts';
import { count, lines } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../../shared/ui/menu.tsx';
import { Popover } from '../../../../shared/ui/popover.tsx';
import { Segmented } from '../../../../shared/ui/segmented.tsx';
import { toast } from '../../../../shared/ui/toast.ts';
import { useLoaded } from '../../../../shared/ui/use-loaded.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { clockTime } from '../../../../workbench/console/row-times.ts';
import { saveExport } from '../../../../workbench/exports/save-export.ts';
import { useHasPart } from '../../../../workbench/opened-log/log-store.ts';
import { moved, zoomedTo } from '../../../../workbench/plot/stretch.ts';
import { PanelControls } from '../../panels/panel-controls.tsx';
import { portName, terminalSettingsNow } from '../../settings/settings-store.ts';
import { TerminalSlotsContext } from '../../terminal-slots.ts';
import { noteCurves, notePlotForm } from '../drawn-curves.ts';
import { CurveChoice } from './curve-choice.tsx';
import { FiguresTable } from './figures-table.tsx';
import { LaneHeads, titleOf, valueText } from './lane-heads.tsx';
import { type Lane, lanesOf } from './lanes.ts';
import { joinLogs } from './plot-cursors.ts';
import { cursorTime, PlotCurves, type PlotCurvesHandle, type PlotFacts, type PointedValues } from './plot-curves.tsx';
import styles from './plot-panel.module.css';
import { holdPlot, type PlotLook, setLook, setSpan, usePlot } from './plot-store.ts';
import { RangeForm } from './range-form.tsx';
import { shownSeries } from './shown-series.ts';
import { valueNumber } from './ticks.ts';

const noFacts: PlotFacts = {
  series: [],
  skippedLines: 0,
  missedLines: 0,
  leftOutSeries: 0,
  leftOutValue: '',
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
  { format: 'named', code: 'acc: 12, 29, 981', what: 'several numbers behind a name' },
  { format: 'named', code: 'T 23.4, H 46', what: 'or a blank between, in each part of the line' },
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

interface CursorTableProps {
  readonly shown: readonly ShownSeries[];
}

/** Values at the cursors, with their difference and rate. */
function CursorTable({ shown }: CursorTableProps) {
  const { a, b } = usePlot((plot) => plot.cursors);
  if (a === null) {
    return null;
  }
  const seconds = b === null ? 0 : (b.at - a.at) / 1_000;
  return (
    <section className={styles['table']} aria-label="Values at the cursors">
      <table>
        <thead>
          <tr>
            <th scope="col">Curve</th>
            <th scope="col">
              <b className={styles['flag']}>A</b> {clockTime(a.at)}
            </th>
            {b === null ? null : (
              <>
                <th scope="col">
                  <b className={styles['flag']}>B</b> {clockTime(b.at)}
                </th>
                <th scope="col">B − A, {seconds.toFixed(3)} s</th>
                <th scope="col">Rate</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => {
            const { title, unit } = titleOf(one);
            const [first, last] = [a.values.get(one.id), b?.values.get(one.id)];
            const isNumber = one.valueNames.size === 0 && first !== undefined && last !== undefined;
            const difference = isNumber ? last - first : Number.NaN;
            return (
              <tr key={one.id}>
                <th scope="row">{title}</th>
                <td>{valueText(one, first ?? Number.NaN)}</td>
                {b === null ? null : (
                  <>
                    <td>{valueText(one, last ?? Number.NaN)}</td>
                    <td>{isNumber ? `${signed(difference)}${unit === '' ? '' : ` ${unit}`}` : '–'}</td>
                    <td>
                      {isNumber && seconds !== 0 ? `${signed(Number((difference / seconds).toPrecision(3)))} /s` : '–'}
                    </td>
                  </>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Formats a difference with its sign. Rounding errors of decimals are not shown. */
function signed(value: number): string {
  const text = valueNumber(Math.abs(Number(value.toPrecision(5))));
  return text === '0' ? '0' : `${value < 0 ? '−' : '+'}${text}`;
}

/** Says which points there are: `all 14 816 points kept`, or from when on, where the log no longer holds older lines. */
function keptText(facts: PlotFacts, isPart: boolean): string {
  const points = count(facts.series.reduce((sum, one) => sum + one.points, 0));
  const range = plotRange(facts, isPart);
  return range === null
    ? `all ${points} points kept`
    : `${isPart ? range : `from ${range.split('.')[0]}`}, ${points} points`;
}

/** Says what the plot leaves out. */
function plotNotes(facts: PlotFacts): readonly string[] {
  const { series, skippedLines, leftOutSeries, leftOutValue, hasCutLines, hasLongLines, hasManyTexts } = facts;
  return [
    ...(skippedLines > 0 ? [`${lines(skippedLines)} arrived too fast and were left out.`] : []),
    ...(leftOutSeries > 0 ? [`${leftOutSeries} more series are not drawn: a plot has up to ${maxSeries}.`] : []),
    ...(series.some(({ hasBoardTimes }) => hasBoardTimes) ? ['Lines with a time of the board are drawn at it.'] : []),
    ...(hasCutLines ? [`Lines with more than ${maxSeries} values: only the first ${maxSeries} are read.`] : []),
    ...(leftOutValue === '' ? [] : [`Lines have values that are not drawn, such as "${leftOutValue}".`]),
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

type ShownSeries = ReturnType<typeof shownSeries>[number];

const loadPlane = () => import('./plot-plane.tsx');
const loadSpectrum = () => import('./spectrum-plane.tsx');

export function PlotPanel() {
  const choice = usePlot((plot) => plot.choice);
  const wanted = usePlot((plot) => plot.wanted);
  const isOnly = usePlot((plot) => plot.isOnly);
  const mode = usePlot((plot) => plot.mode);
  const groups = usePlot((plot) => plot.groups);
  const { isReadOnly } = use(TerminalSlotsContext);
  const curves = useRef<PlotCurvesHandle>(null);
  const look = usePlot((plot) => plot.look);
  const plane = useLoaded(look === 'xy', loadPlane, () => setLook('time'));
  const spectrum = useLoaded(look === 'spectrum', loadSpectrum, () => setLook('time'));
  const [facts, setFacts] = useState(noFacts);
  const [pointed, setPointed] = useState<PointedValues | null>(null);
  useEffect(() => {
    void getBench().call('plot', choice);
    return () => void getBench().call('plot', null);
  }, [choice]);
  useEffect(() => joinLogs(), []);
  useEffect(() => {
    // An opened log has no newest seconds.
    if (isReadOnly) {
      setSpan(null);
    }
  }, [isReadOnly]);
  const empty = facts.series.length === 0;
  const all = shownSeries(facts, { wanted, isOnly });
  const shown = all.filter((one) => one.shown);
  const numbers = shown.filter(({ valueNames }) => valueNames.size === 0);
  const hidden = facts.series.flatMap(({ id }) => (numbers.some((one) => one.id === id) ? [] : [id]));
  const drawn = lanesOf(shown, mode, groups);
  useEffect(() => noteCurves(shown.length), [shown.length]);
  const [rangedId, setRanged] = useState<number | null>(null);
  const ranged = look === 'time' ? (shown.find(({ id }) => id === rangedId) ?? null) : null;
  const rangeButton = useRef<HTMLElement | null>(null);
  const hasForm = ranged !== null;
  useEffect(() => {
    notePlotForm(hasForm);
    return () => notePlotForm(false);
  }, [hasForm]);
  const notes = plotNotes(facts);
  return (
    <div className={styles['plot']}>
      <div className={styles['controls']} role="toolbar" aria-label="Plot">
        <PlotHead facts={facts} all={all} drawn={drawn} curves={curves} />
        <PlotBar />
      </div>
      {ranged === null ? null : (
        <RangeForm
          key={ranged.id}
          series={ranged}
          curves={curves}
          onClose={() => {
            setRanged(null);
            rangeButton.current?.focus();
          }}
        />
      )}
      <div className={styles['body']}>
        <PlotCurves
          ref={curves}
          heads={
            <LaneHeads
              facts={facts}
              lanes={drawn}
              pointed={pointed}
              ranged={ranged?.id ?? null}
              onRange={(id) => {
                rangeButton.current = document.activeElement as HTMLElement | null;
                setRanged(id === ranged?.id ? null : id);
              }}
              onZoom={(id, factor) => curves.current?.zoomValues(id, factor)}
            />
          }
          lanes={drawn.length}
          onFacts={setFacts}
          onPointed={setPointed}
        />
        {look === 'xy' && plane !== null ? <plane.PlotPlane shown={numbers} hidden={hidden} /> : null}
        {look === 'spectrum' && spectrum !== null ? <spectrum.SpectrumPlane shown={numbers} hidden={hidden} /> : null}
        {empty ? <PlotEmpty format={choice.format} /> : null}
      </div>
      {isReadOnly ? null : <PanelControls />}
      {notes.length === 0 || empty ? null : <p className={styles['notes']}>{notes.join(' ')}</p>}
      {empty || look !== 'time' ? null : (
        <>
          <FiguresTable facts={facts} shown={shown} />
          <CursorTable shown={shown} />
        </>
      )}
    </div>
  );
}

const spans = [
  { label: '30 s', value: '30000' },
  { label: '5 min', value: '300000' },
  { label: 'All', value: 'all' },
] as const;

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

interface PlotHeadProps {
  readonly facts: PlotFacts;
  /** Curves with points in the shown range. */
  readonly all: readonly ShownSeries[];
  readonly drawn: readonly Lane[];
  readonly curves: React.RefObject<PlotCurvesHandle | null>;
}

/** The drawn curves, what is kept of them, moves along the time, and saving. */
function PlotHead({ facts, all, drawn, curves }: PlotHeadProps) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const held = usePlot((plot) => plot.held);
  const isPart = useHasPart(usePlot((plot) => plot.choice.port));
  const { isReadOnly } = use(TerminalSlotsContext);
  const empty = facts.series.length === 0;
  const image = () => {
    const made = curves.current?.image();
    if (made !== undefined) {
      void savePlotImage(made);
    }
  };
  return (
    <div className={styles['bar']}>
      <Button ref={anchor} size="sm" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(!open)}>
        Curves{empty ? '' : ` ${all.filter((one) => one.shown).length} of ${facts.series.length}`}
        <ChevronDown />
      </Button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={anchor} side="bottom" isNarrow title="Curves">
        <CurveChoice all={all} drawn={drawn} />
      </Popover>
      {empty ? null : <span className={`ellipsis ${styles['kept']}`}>{keptText(facts, isPart)}</span>}
      <span className={styles['end']}>
        <span className={styles['moves']}>
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
        {isReadOnly ? null : (
          <IconButton
            label={held === null ? 'Pause' : 'Go live'}
            size="sm"
            variant="quiet"
            icon={held === null ? <Pause /> : <Play />}
            aria-disabled={empty || undefined}
            onClick={() => (held === null ? curves.current?.hold((shown) => shown) : holdPlot(null))}
          />
        )}
        <Menu
          align="end"
          items={[
            {
              label: 'Save as CSV, all points',
              icon: <Table2 />,
              onSelect: () => void savePlotCsv(plotRange(facts, isPart)),
              disabled: empty,
            },
            { label: 'Save as PNG picture', icon: <FileImage />, onSelect: image, disabled: empty },
          ]}
          trigger={(props) => (
            <IconButton {...props} label="Save the plot" variant="quiet" size="sm" icon={<Download />} />
          )}
        />
      </span>
    </div>
  );
}

/** The time range, and the look. */
function PlotBar() {
  const span = usePlot((plot) => plot.span);
  const look = usePlot((plot) => plot.look);
  return (
    <div className={styles['bar']}>
      <Segmented
        label="Time range"
        options={spans}
        value={span === null ? 'all' : (String(span) as (typeof spans)[number]['value'])}
        onChange={(value) => setSpan(value === 'all' ? null : Number(value))}
      />
      <Segmented label="Shown as" options={looks} value={look} onChange={(value) => setLook(value)} />
    </div>
  );
}

const looks = [
  { label: 'Over time', value: 'time' },
  { label: 'Spectrum', value: 'spectrum' },
  { label: 'XY', value: 'xy' },
] as const satisfies readonly { readonly label: string; readonly value: PlotLook }[];

const moves = [
  { label: 'Earlier', icon: <ChevronLeft />, stretch: (shown: Shown) => moved(shown, -0.25) },
  { label: 'Later', icon: <ChevronRight />, stretch: (shown: Shown) => moved(shown, 0.25) },
  { label: 'Zoom in', icon: <ZoomIn />, stretch: (shown: Shown) => zoomedTo(shown, 0.5, cursorTime()) },
  { label: 'Zoom out', icon: <ZoomOut />, stretch: (shown: Shown) => zoomedTo(shown, 2, cursorTime()) },
];

type Shown = Parameters<typeof moved>[0];
