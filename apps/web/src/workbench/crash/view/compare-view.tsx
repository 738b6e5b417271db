/** Two crashes of a session side by side: causes, frames of the crashed tasks, and registers. */
import { frameName, shortPlace } from '@wirebench/symbols';
import { X } from 'lucide-react';
import { wordText } from '../../../shared/format/hex.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { clockTime } from '../../console/row-times.ts';
import {
  alignedFrames,
  type ComparedCrash,
  type ComparedFrame,
  comparedRegisters,
  type FramePair,
  type RegisterPair,
} from './compare-crashes.ts';
import styles from './compare-view.module.css';
import panelStyles from './crash-panel.module.css';
import { type SessionCrash, useComparedCrash } from './use-compared-crash.ts';

export interface CompareViewProps {
  readonly first: SessionCrash;
  readonly second: SessionCrash;
  /** True: both crashes have the same functions and count as the same crash. */
  readonly isSame: boolean;
  readonly onClose: () => void;
}

const samenessText = {
  same: 'Same',
  line: 'Same function, elsewhere',
  different: 'Different',
} satisfies Record<FramePair['sameness'], string>;

export function CompareView({ first, second, isSame, onClose }: CompareViewProps) {
  const left = useComparedCrash(first);
  const right = useComparedCrash(second);
  return (
    <article className={panelStyles['detail']} aria-label="Two crashes">
      <div className={panelStyles['titleRow']}>
        <h2 className={panelStyles['title']}>
          {isSame ? 'Two crashes side by side: the same crash' : 'Two crashes side by side'}
        </h2>
        <IconButton label="Close the comparison" size="sm" variant="quiet" icon={<X />} onClick={onClose} />
      </div>
      {left === null || right === null ? (
        <p role="status">Reading the core dumps.</p>
      ) : (
        <>
          <div className={styles['pair']}>
            <Cause title="First crash" crash={left} at={timeOf(first)} />
            <Cause title="Second crash" crash={right} at={timeOf(second)} />
          </div>
          <Frames pairs={alignedFrames(left.frames, right.frames)} />
          <Registers pairs={comparedRegisters(left.registers, right.registers)} />
        </>
      )}
    </article>
  );
}

const timeOf = (crash: SessionCrash) => ('dump' in crash ? crash.dump.at : crash.incident.at);

interface CauseProps {
  readonly title: string;
  readonly crash: ComparedCrash;
  readonly at: number;
}

function Cause({ title, crash: { cause, facts }, at }: CauseProps) {
  return (
    <section aria-label={title} className={styles['crash']}>
      <h3 className={styles['cause']}>{cause}</h3>
      <p className={panelStyles['small']}>{[clockTime(at), ...facts].join(' · ')}</p>
    </section>
  );
}

function Frames({ pairs }: { readonly pairs: readonly FramePair[] }) {
  if (pairs.length === 0) {
    return <p>Neither crash tells where in the program it was.</p>;
  }
  return (
    <>
      <h3 className={`silk ${styles['heading']}`}>Frames, innermost first</h3>
      <ol aria-label="Frames of both, innermost first" className={styles['rows']}>
        {pairs.map(({ first, second, sameness }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a function that calls itself is there several times, and none ever moves
          <li key={index} className={styles['row']} data-sameness={sameness}>
            <span className={styles['mark']}>{samenessText[sameness]}</span>
            <FrameCell frame={first} />
            <FrameCell frame={second} />
          </li>
        ))}
      </ol>
    </>
  );
}

function FrameCell({ frame }: { readonly frame: ComparedFrame | null }) {
  if (frame === null) {
    return <span className={styles['none']}>No such frame</span>;
  }
  const [place] = frame.places;
  return (
    <span className={styles['cell']}>
      <b>{frameName(frame)}</b> {place?.file === undefined ? wordText(frame.pc) : shortPlace(place)}
    </span>
  );
}

function Registers({ pairs }: { readonly pairs: readonly RegisterPair[] }) {
  const different = pairs.filter(({ same }) => !same).length;
  if (pairs.length === 0) {
    return <p>Neither crash tells its registers.</p>;
  }
  const value = (register: number | null) => (register === null ? 'unknown' : wordText(register));
  return (
    <>
      <h3 className={`silk ${styles['heading']}`}>
        Registers, {different} of {pairs.length} different
      </h3>
      <table className={styles['registers']} aria-label="Registers of both">
        <thead>
          <tr>
            <th scope="col">Register</th>
            <th scope="col">First</th>
            <th scope="col">Second</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ name, first, second, same }) => (
            <tr key={name} data-different={!same || undefined}>
              <th scope="row">{name}</th>
              <td>{value(first)}</td>
              <td>
                {value(second)}
                {same ? null : <span className={styles['mark']}> Different</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
