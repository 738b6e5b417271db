import type { ListedJkit } from '@wirebench/contract';
import { Bookmark, BookmarkMinus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useIsOwnName } from '../../shared/session/own-names.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { ReportButton } from '../../workbench/report/report-button.tsx';
import { Ask, type Question } from './ask.tsx';
import { fetchJkit, useWholeJkit } from './calls/one-jkit.ts';
import { useIsStarred } from './calls/starred-jkits.ts';
import styles from './jkit-row.module.css';
import type { LibraryProps } from './library.tsx';
import { closeLibrary } from './library-store.ts';
import { ListAnswer } from './list-answer.tsx';
import { loadJkit } from './load-jkit.ts';
import { descriptionCut } from './model/description-cut.ts';
import { contentSummary } from './model/jkit-messages.ts';
import { replacedText } from './model/replaced-text.ts';
import { Preview } from './preview.tsx';
import { RateStars } from './rate-stars.tsx';
import { Rating } from './rating.tsx';
import { RowName } from './row-name.tsx';
import { starQuestion } from './star-act.ts';
import { useFocusHeir } from './use-focus-heir.ts';

export interface SharedRowProps extends LibraryProps {
  readonly jkit: ListedJkit;
  readonly chosen: boolean;
  readonly onChoose: (id: string | null) => void;
}

/** A shared jkit: what it is, and when it is chosen its messages and what can be done with it. */
export function SharedRow(props: SharedRowProps) {
  const { user, jkit, chosen, onChoose } = props;
  const [asking, setAsking] = useState<'load' | 'star' | null>(null);
  const isOwn = useIsOwnName();
  const row = useRef<HTMLButtonElement>(null);
  useFocusHeir(row);
  const { text, cut } = descriptionCut(jkit.description);
  const { whole } = useWholeJkit(user, jkit, chosen);
  const by = isOwn(user, jkit.publisher) ? 'you' : jkit.publisher;
  return (
    <li className={classNames(styles['row'], styles['shared'], chosen && styles['chosen'])}>
      <RowName row={row} jkit={jkit} chosen={chosen} onChoose={onChoose} onLoad={() => setAsking('load')} />
      <Rating rating={jkit.rating} ratingCount={jkit.ratingCount} />
      <span className={styles['facts']}>
        {`v${jkit.version} by ${by}${whole === undefined ? '' : `. ${contentSummary(whole.content)}`}`}
      </span>
      {text === '' ? null : (
        <p className={classNames(styles['description'], chosen && styles['full'])}>
          {chosen && cut ? jkit.description : text}
        </p>
      )}
      {jkit.tags.length === 0 ? null : (
        <ul className={styles['tags']} aria-label={`Tags of ${jkit.name}`}>
          {jkit.tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
      {chosen ? (
        <ChosenRow
          {...props}
          asking={asking}
          onAsk={setAsking}
          onClose={() => {
            setAsking(null);
            row.current?.focus();
          }}
        />
      ) : null}
    </li>
  );
}

interface ChosenRowProps extends SharedRowProps {
  readonly asking: 'load' | 'star' | null;
  readonly onAsk: (asking: 'load' | 'star') => void;
  readonly onClose: () => void;
}

function ChosenRow({ user, panel, jkits, jkit, asking, onAsk, onClose }: ChosenRowProps) {
  const { _id: id, name } = jkit;
  const own = useIsOwnName()(user, jkit.publisher);
  const { query, whole } = useWholeJkit(user, jkit, true);
  const { data: starred } = useIsStarred(user, own ? null : id);
  const loading: Question = {
    act: 'load',
    title: `Load ${name}?`,
    text: replacedText(panel),
    action: 'Load',
    run: async () => {
      loadJkit(panel, jkits, whole ?? (await fetchJkit(id)), starred === true);
      closeLibrary();
    },
  };
  return (
    <div className={styles['wide']}>
      {whole === undefined ? (
        <ListAnswer query={query} operation="Open JKit" waiting="Loading messages…" />
      ) : (
        <Preview content={whole.content} name={name} />
      )}
      {own ? null : <RateStars user={user} jkit={jkit} onRated={jkits.refresh} />}
      {asking === null ? (
        <div className={styles['acts']}>
          <Button size="sm" variant="primary" onClick={() => onAsk('load')}>
            Load
          </Button>
          {own || starred === undefined ? null : (
            <Button size="sm" icon={starred ? <BookmarkMinus /> : <Bookmark />} onClick={() => onAsk('star')}>
              {starred ? 'Unstar' : 'Star'}
            </Button>
          )}
          {own || jkit.publisher === 'wirebench' ? null : (
            <ReportButton type="jkit" id={id} name={name} label="Report" />
          )}
        </div>
      ) : (
        <Ask
          key={asking}
          question={asking === 'load' ? loading : starQuestion(user, { id, name }, starred !== true, jkits)}
          onClose={onClose}
        />
      )}
    </div>
  );
}
