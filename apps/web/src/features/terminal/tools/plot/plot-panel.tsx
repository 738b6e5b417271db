/** Plot panel: live curves of numbers in the log, with the choice of source and time range, and export. */
import { type NumberFormat, type PortNumber, portNumbers } from '@wirebench/serial';
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
import { Button } from '../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../../shared/ui/menu.tsx';
import { useRovingFocus } from '../../../../shared/ui/roving-focus.ts';
import { Select } from '../../../../shared/ui/select.tsx';
import { getBench } from '../../../../workbench/bench.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import type { PointedValues } from '../../../../workbench/plot/plot-chart.ts';
import { moved, zoomed } from '../../../../workbench/plot/stretch.ts';
import { portName, useTerminalSettings } from '../../settings/settings-store.ts';
import { PlotCurves, type PlotCurvesHandle, type PlotFacts } from './plot-curves.tsx';
import { PlotEmpty } from './plot-empty.tsx';
import { savePlotCsv, savePlotImage } from './plot-export.ts';
import { PlotLegend } from './plot-legend.tsx';
import styles from './plot-panel.module.css';
import { choosePlot, holdPlot, setOwnScales, setSpan, usePlot } from './plot-store.ts';

const noFacts: PlotFacts = { series: [], skippedLines: 0, from: 0, to: 0 };

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
            { label: 'Save as CSV, all points', icon: <Table2 />, onSelect: () => void savePlotCsv(), disabled: empty },
          ]}
          trigger={(props) => (
            <IconButton {...props} label="Export the plot" variant="quiet" size="sm" icon={<Download />} />
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
