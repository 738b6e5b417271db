/**
 * eFuses and security of a board, read only: the answer to "Will this image start here?", what the board allows, and
 * all fields.
 */
import type { EfuseWords } from '@wirebench/flasher/esp';
import {
  decodeEfuses,
  type Efuses,
  loadEfuseLayout,
  reportLines,
  type SecurityLine,
  type SecurityMark,
  securityLines,
  securityMarkText,
  securityText,
} from '@wirebench/flasher/esp/efuses';
import { Check, CircleHelp, Info, KeyRound, Lock, LockOpen, TriangleAlert, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { PlanFacts } from '../../../../../../protocol/flash-protocol.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { classNames } from '../../../../../../shared/ui/class-names.ts';
import { useLoaded } from '../../../../../../shared/ui/use-loaded.ts';
import { useCanRead } from '../../../../board/use-can-read.ts';
import { readEfuses } from '../../../../store/contents-actions.ts';
import { connectAgain } from '../../../../store/flash-actions.ts';
import { flashOf, useFlash } from '../../../../store/flasher-store.ts';
import boardStyles from '../on-board.module.css';
import type { ExtraViewProps } from '../partition-view.ts';
import { EfuseTable } from './efuse-table.tsx';
import styles from './security-view.module.css';

type StartAnswer = NonNullable<PlanFacts['start']>;

export function SecurityView({ port, board, locked }: ExtraViewProps) {
  const start = useFlash(({ plan }) => plan?.start ?? null);
  const { info, efuses } = board;
  const { report } = info.security;
  const canRead = useCanRead();
  const isLockedAway = info.security.secureDownload;
  const read = useEffectEvent(() => {
    if (efuses === undefined && !isLockedAway && canRead) {
      void readEfuses(port);
    }
  });
  useEffect(() => read(), []);
  return (
    <div className={styles['view']}>
      <p className={styles['promise']}>{securityText.promise}</p>
      {start === null ? null : <Start answer={start} />}
      {report !== undefined ? (
        <Lines lines={reportLines(report)} />
      ) : isLockedAway ? (
        <p className={boardStyles['said']}>{securityText.lockedAway}</p>
      ) : efuses !== undefined ? (
        <Decoded key={board.id} words={efuses} name={board.name} />
      ) : locked ? (
        <p className={boardStyles['said']} role="status">
          Reading the eFuses…
        </p>
      ) : (
        <div className={boardStyles['again']}>
          <p>
            {canRead ? 'The eFuses were not read.' : 'The board runs its program, and its eFuses were not read before.'}
          </p>
          <Button onClick={() => void readNow(port)}>{canRead ? 'Read them' : 'Connect and read'}</Button>
        </div>
      )}
    </div>
  );
}

/** Reads the eFuses. A board that was restarted is connected again first. */
async function readNow(port: ExtraViewProps['port']): Promise<void> {
  const ready = () => ['detected', 'planned', 'planning'].includes(flashOf(port).phase);
  if (!ready()) {
    await connectAgain(port);
  }
  const { board } = flashOf(port);
  if (ready() && board?.family === 'esp' && board.efuses === undefined) {
    await readEfuses(port);
  }
}

const answers = {
  yes: { word: 'Yes', icon: <Check /> },
  no: { word: 'No', icon: <X /> },
  unknown: { word: 'It cannot be told', icon: <CircleHelp /> },
} satisfies Record<StartAnswer['result'], { readonly word: string; readonly icon: ReactNode }>;

function Start({ answer }: { readonly answer: StartAnswer }) {
  const { word, icon } = answers[answer.result];
  return (
    <>
      <div className={styles['start']} data-result={answer.result} role="status">
        <span className={styles['sign']} aria-hidden="true">
          {icon}
        </span>
        <div>
          <h4 className={styles['title']}>Will this image start here? {word}</h4>
          <p>{answer.why}</p>
        </div>
      </div>
      <ul className={styles['lines']} aria-label="Reasons">
        {answer.checks.map(({ result, text, fact }) => (
          <Line
            key={text}
            mark={<span data-result={result}>{answers[result].icon}</span>}
            said={answers[result].word}
            text={text}
            fuses={fact}
          />
        ))}
      </ul>
    </>
  );
}

const markIcons = {
  open: <LockOpen />,
  locked: <Lock />,
  key: <KeyRound />,
  fact: <Info />,
  warning: <TriangleAlert />,
} satisfies Record<SecurityMark, ReactNode>;

function Lines({ lines }: { readonly lines: readonly SecurityLine[] }) {
  return (
    <>
      <h4 className={styles['heading']}>{securityText.heading}</h4>
      <ul className={styles['lines']}>
        {lines.map(({ mark, text, fuses }) => (
          <Line
            key={text}
            mark={<span data-mark={mark}>{markIcons[mark]}</span>}
            said={securityMarkText[mark]}
            text={text}
            fuses={fuses}
          />
        ))}
      </ul>
    </>
  );
}

interface LineProps {
  readonly mark: ReactNode;
  /** Meaning of the mark, for people who do not see it. */
  readonly said: string;
  readonly text: string;
  readonly fuses: string;
}

function Line({ mark, said, text, fuses }: LineProps) {
  return (
    <li className={`stack apart ${styles['line']}`}>
      <span className={styles['mark']} aria-hidden="true">
        {mark}
      </span>
      <span className={styles['text']}>
        {said === '' ? null : <span className="visually-hidden">{said}: </span>}
        {text}
      </span>
      <span className={classNames(styles['fuses'])}>{fuses}</span>
    </li>
  );
}

interface DecodedProps {
  readonly words: EfuseWords;
  readonly name: string;
}

function Decoded({ words, name }: DecodedProps) {
  const [failed, setFailed] = useState(false);
  const [load] = useState(() => () => loadEfuseLayout(words.chip, words.revision));
  const layout = useLoaded(!failed, load, () => setFailed(true));
  if (layout === null) {
    return failed ? (
      <div className={boardStyles['again']}>
        <p>The names of the eFuses could not be loaded.</p>
        <Button onClick={() => setFailed(false)}>Try again</Button>
      </div>
    ) : null;
  }
  const efuses: Efuses = decodeEfuses(layout, words);
  return (
    <>
      <Lines lines={securityLines(efuses)} />
      <EfuseTable efuses={efuses} name={name} />
    </>
  );
}
