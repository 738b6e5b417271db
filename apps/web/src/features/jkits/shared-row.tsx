import type { ListedJkit } from '@wirebench/contract';
import { Bookmark, BookmarkMinus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { useIsOwnName } from '../../shared/session/own-names.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { useNextRowFocus } from '../../shared/ui/use-next-row-focus.ts';
import { ReportButton } from '../../workbench/report/report-button.tsx';
import { Ask } from './ask.tsx';
import { fetchJkit, useWholeJkit } from './calls/one-jkit.ts';
import { useIsStarred } from './calls/stars.ts';
import type { LibraryProps } from './jkit-panel.ts';
import styles from './jkit-row.module.css';
import { closeLibrary } from './library-store.ts';
import { ListAnswer } from './list-answer.tsx';
import { loadJkit } from './load-jkit.ts';
import { contentSummary } from './model/content-summary.ts';
import { descriptionCut } from './model/description-cut.ts';
import { replacedText } from './model/panel-texts.ts';
import { Preview } from './preview.tsx';
import { RateStars } from './rate-stars.tsx';
import { Rating } from './rating.tsx';
import { RowName } from './row-name.tsx';
import { useStarQuestions } from './star-questions.ts';

export interface SharedRowProps extends LibraryProps {
  readonly jkit: ListedJkit;
  readonly chosen: boolean;
  readonly onChoose: (id: string | null) => void;
}

/** Row of a shared JKit. The chosen row shows the messages and the actions. */
export function SharedRow(props: SharedRowProps) {
  const { user, jkit, chosen, onChoose } = props;
  const [asking, setAsking] = useState<Asked | null>(null);
  const isOwn = useIsOwnName();
  const row = useRef<HTMLButtonElement>(null);
  useNextRowFocus(row, asking !== null);
  const { text, cut } = descriptionCut(jkit.description);
  const { whole } = useWholeJkit(user, jkit, chosen);
  const by = isOwn(user, jkit.publisher) ? 'you' : jkit.publisher;
  return (
    <li className={classNames(styles['row'], styles['shared'], chosen && styles['chosen'])}>
      <RowName row={row} jkit={jkit} chosen={chosen} onChoose={onChoose} onLoad={() => setAsking('load')} />
      <Rating rating={jkit.rating} ratingCount={jkit.ratingCount} />
      <span className={`small ${styles['facts']}`}>
        {`v${jkit.version} by ${by}${whole === undefined ? '' : `. ${contentSummary(whole)}`}`}
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
      {chosen ? <ChosenRow {...props} asking={asking} onAsk={setAsking} /> : null}
    </li>
  );
}

type Asked = 'load' | 'star' | 'unstar';

interface ChosenRowProps extends SharedRowProps {
  readonly asking: Asked | null;
  readonly onAsk: (asking: Asked | null) => void;
}

function ChosenRow({ user, panel, jkits, jkit, asking, onAsk }: ChosenRowProps) {
  const { _id: id, name } = jkit;
  const own = useIsOwnName()(user, jkit.publisher);
  const { query, whole } = useWholeJkit(user, jkit, true);
  const { data: starred } = useIsStarred(user, own ? null : id);
  const loading = useApiMutation({
    mutationFn: async () => loadJkit(panel, jkits, whole ?? (await fetchJkit(id)), starred === true),
    onSuccess: closeLibrary,
  });
  const questions = {
    ...useStarQuestions(user, { id, name }, jkits, () => onAsk(null)),
    load: { title: `Load ${name}?`, text: replacedText(panel), action: 'Load', call: loading, run: loading.mutate },
  };
  return (
    <div className={styles['wide']}>
      {whole === undefined ? (
        <ListAnswer query={query} operation="Open JKit" waiting="Loading JKit…" />
      ) : (
        <Preview jkit={whole} />
      )}
      {own ? null : <RateStars user={user} jkit={jkit} onRated={jkits.refresh} />}
      <div className={`buttons tight ${styles['acts']}`}>
        <Button size="sm" variant="primary" onClick={() => onAsk('load')}>
          Load
        </Button>
        {own || starred === undefined ? null : (
          <Button
            size="sm"
            icon={starred ? <BookmarkMinus /> : <Bookmark />}
            onClick={() => onAsk(starred ? 'unstar' : 'star')}
          >
            {starred ? 'Unstar' : 'Star'}
          </Button>
        )}
        {own || jkit.publisher === 'wirebench' ? null : <ReportButton type="jkit" id={id} name={name} label="Report" />}
      </div>
      <Ask asked={asking} questions={questions} onClose={() => onAsk(null)} />
    </div>
  );
}
