/** The open library of one panel: three lists in tabs. Loaded when it is first opened. */
import { Tabs } from '@base-ui/react/tabs';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { useServerLimits } from '../../shared/config/use-server-limits.ts';
import { Kbd } from '../../shared/ui/kbd.tsx';
import { useOwnJkits } from './calls/own-jkits.ts';
import { useStarredJkits } from './calls/stars.ts';
import { ExploreJkits } from './explore-jkits.tsx';
import { JkitList } from './jkit-list.tsx';
import { type LibraryProps, typeOf } from './jkit-panel.ts';
import styles from './library.module.css';
import { type LibraryTab, showLibraryTab, useLibrary } from './library-store.ts';
import { ListAnswer } from './list-answer.tsx';
import { MoreButton } from './more-button.tsx';
import { OwnJkits } from './own-jkits.tsx';
import { SharedRow } from './shared-row.tsx';

interface StarredJkitsProps extends LibraryProps {
  readonly query: ReturnType<typeof useStarredJkits>;
}

/** Other publishers' JKits that the user starred, while they are shared. */
function StarredJkits({ query, ...props }: StarredJkitsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const found = query.data?.pages.flatMap(({ data }) => data.map(({ jkit }) => jkit));
  return (
    <>
      <ListAnswer query={query} operation="List starred JKits" waiting="Loading starred JKits…" />
      {found?.length === 0 ? (
        <div className={`stack ${styles['none']}`}>
          <Bookmark />
          <p>No starred JKits. Find some under Explore, and star what you want to find again.</p>
        </div>
      ) : null}
      {found === undefined || found.length === 0 ? null : (
        <JkitList label="Starred JKits">
          {found.map((jkit) => (
            <SharedRow key={jkit._id} {...props} jkit={jkit} chosen={chosen === jkit._id} onChoose={setChosen} />
          ))}
        </JkitList>
      )}
      <MoreButton query={query} />
    </>
  );
}

export function JkitLibrary(props: LibraryProps) {
  const { user, panel } = props;
  const type = typeOf(panel);
  const tab = useLibrary((state) => state.tab);
  const { jkits: slots } = useServerLimits();
  const own = useOwnJkits(user, slots, type);
  const starred = useStarredJkits(user, type);
  const total = starred.data?.pages[0]?.pagination.total;
  return (
    <>
      <Tabs.Root className={styles['tabbed']} value={tab} onValueChange={(value: LibraryTab) => showLibraryTab(value)}>
        <Tabs.List className={styles['tabs']} activateOnFocus>
          <Tabs.Tab value="own" className={styles['tab']}>
            My JKits {own.data === undefined ? null : <small>{`${own.data.length}/${slots}`}</small>}
          </Tabs.Tab>
          <Tabs.Tab value="starred" className={styles['tab']}>
            Starred {total === undefined ? null : <small>{total}</small>}
          </Tabs.Tab>
          <Tabs.Tab value="explore" className={styles['tab']}>
            Explore
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="own" className={styles['panel']} tabIndex={-1}>
          <OwnJkits {...props} query={own} slots={slots} />
        </Tabs.Panel>
        <Tabs.Panel value="starred" className={styles['panel']} tabIndex={-1}>
          <StarredJkits {...props} query={starred} />
        </Tabs.Panel>
        <Tabs.Panel value="explore" className={styles['panel']} tabIndex={-1}>
          <ExploreJkits {...props} />
        </Tabs.Panel>
      </Tabs.Root>
      <div className={`small ${styles['keys']}`} aria-hidden="true">
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> choose
        </span>
        <span>
          <Kbd>Enter</Kbd> load
        </span>
        <span className={styles['last']}>
          <Kbd>Esc</Kbd> close
        </span>
      </div>
    </>
  );
}
