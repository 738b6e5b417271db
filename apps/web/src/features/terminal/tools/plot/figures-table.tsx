/** Figures of the shown part of each curve. A press on the lowest or the highest value goes to its line. */
import type { SeriesFigures } from '@wirebench/serial/figures';
import { useRef, useState } from 'react';
import { count } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { useRovingFocus } from '../../../../shared/ui/roving-focus.ts';
import { titleOf } from './lane-heads.tsx';
import { placeAtLine } from './plot-cursors.ts';
import type { PlotFacts } from './plot-curves.tsx';
import styles from './plot-panel.module.css';
import { figureTexts, moreText, spanText, stateText, useFigures } from './shown-figures.ts';

type Series = PlotFacts['series'][number];

export interface FiguresTableProps {
  readonly facts: PlotFacts;
  /** Drawn curves. */
  readonly shown: readonly Series[];
}

export function FiguresTable({ facts: { from, to }, shown }: FiguresTableProps) {
  const section = useRef<HTMLElement>(null);
  const [isMore, setMore] = useState(false);
  const series = shown.map(({ id }) => id);
  const revision = JSON.stringify([from, to, isMore, shown.map(({ id, points, dropped }) => [id, points, dropped])]);
  const query = series.length === 0 ? null : { from, to, series, hasFrequency: isMore };
  const figures = useFigures(query, revision);
  const pressed = useRovingFocus(section);
  if (shown.length === 0) {
    return null;
  }
  return (
    <section ref={section} className={styles['table']} aria-label="Figures of what is shown" onKeyDown={pressed}>
      <table data-figures="">
        <thead>
          <tr>
            <th scope="col">
              Shown: {spanText(to - from)}
              <Button size="sm" variant="quiet" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
                More
              </Button>
            </th>
            <th scope="col">Min</th>
            <th scope="col">Mean</th>
            <th scope="col">Max</th>
            <th scope="col">
              <abbr title="Standard deviation of the points">Dev.</abbr>
            </th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <FigureRow
              key={one.id}
              one={one}
              figures={figures?.series.find(({ id }) => id === one.id)}
              isMore={isMore}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface FigureRowProps {
  readonly one: Series;
  readonly figures: SeriesFigures | undefined;
  readonly isMore: boolean;
}

function FigureRow({ one, figures, isMore }: FigureRowProps) {
  const { title, unit } = titleOf(one);
  const numbers = figures?.numbers ?? null;
  const states = figures?.states ?? null;
  const texts = numbers === null ? null : figureTexts(numbers);
  const place = (text: string, what: string, { sequence, at }: { readonly sequence: number; readonly at: number }) => (
    <button
      type="button"
      aria-label={`${text}, ${what} of ${title}: show it`}
      onClick={() => void placeAtLine(sequence, at)}
    >
      {text}
    </button>
  );
  return (
    <>
      <tr>
        <th scope="row">{title}</th>
        {states !== null ? (
          <td colSpan={4}>{stateText(states, one.valueNames)}</td>
        ) : numbers === null || texts === null ? (
          <td colSpan={4}>–</td>
        ) : (
          <>
            <td>{place(texts.low, 'lowest', numbers.lowPlace)}</td>
            <td>{texts.mean}</td>
            <td>{place(texts.high, 'highest', numbers.highPlace)}</td>
            <td>{texts.deviation}</td>
          </>
        )}
        <td>{figures === undefined ? '–' : count(figures.points)}</td>
      </tr>
      {isMore && numbers !== null ? (
        <tr data-more="">
          <td colSpan={6}>{moreText(numbers, unit)}</td>
        </tr>
      ) : null}
    </>
  );
}
