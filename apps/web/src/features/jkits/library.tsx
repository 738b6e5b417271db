/** The open library of one panel: three lists in tabs. Loaded when it is first opened. */
import { Tabs } from '@base-ui/react/tabs';
import { useServerLimits } from '../../shared/config/use-server-limits.ts';
import { Kbd } from '../../shared/ui/kbd.tsx';
import { useOwnJkits } from './calls/own-jkits.ts';
import { useStarredJkits } from './calls/starred-jkits.ts';
import { ExploreJkits } from './explore-jkits.tsx';
import { type LibraryProps, typeOf } from './jkit-panel.ts';
import styles from './library.module.css';
import { type LibraryTab, showLibraryTab, useLibrary } from './library-store.ts';
import { OwnJkits } from './own-jkits.tsx';
import { StarredJkits } from './starred-jkits.tsx';

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
      <div className={styles['keys']} aria-hidden="true">
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
