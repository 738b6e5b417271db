import { type Jkit, jkitLimits } from '@wirebench/contract';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import { useJkitSearch } from './calls/search.ts';
import { JkitList } from './jkit-list.tsx';
import { type LibraryProps, typeOf } from './jkit-panel.ts';
import styles from './library.module.css';
import { searchLibrary, useLibrary } from './library-store.ts';
import { ListAnswer } from './list-answer.tsx';
import { MoreButton } from './more-button.tsx';
import { SharedRow } from './shared-row.tsx';

/** Suggested searches. Each finds JKits that are delivered with the product. */
const suggestedQueries = {
  uart: ['AT', 'GRBL', 'Marlin', 'NMEA', 'ESP-AT', 'MicroPython', 'Arduino', 'Modbus', 'demo'],
  decoder: ['Modbus', 'NMEA', 'UBX', 'CAN', 'MAVLink', 'DMX512', 'AT', 'COBS'],
  chip: ['BME280', '0x68', 'Sensors', 'Displays', 'Motor', 'Storage', 'RTC', 'Audio'],
} as const satisfies Record<Jkit['type'], readonly string[]>;

/** Delay after the last keystroke before the search starts, in milliseconds. */
const searchDelay = 250;

/** Search in shared JKits while typing. */
export function ExploreJkits(props: LibraryProps) {
  const query = useLibrary((state) => state.query);
  const field = useRef<HTMLInputElement>(null);
  const typed = query.trim();
  const settled = useSettled(typed, searchDelay);
  // Clearing the field ends the search at once, without the delay.
  const sought = typed === '' ? '' : settled;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: jsdom does not support the element yet. */}
      <div role="search" className={styles['search']}>
        <Search aria-hidden="true" />
        <TextInput
          ref={field}
          type="search"
          aria-label="Search shared JKits"
          placeholder="Search names, tags, publishers"
          autoComplete="off"
          spellCheck={false}
          maxLength={jkitLimits.queryMaxLength}
          value={query}
          onChange={(event) => searchLibrary(event.currentTarget.value)}
        />
      </div>
      {typed === '' ? (
        <Suggestions
          type={typeOf(props.panel)}
          onChoose={(suggested) => {
            searchLibrary(suggested);
            field.current?.focus();
          }}
        />
      ) : (
        <Results {...props} sought={sought} waiting={sought !== typed} />
      )}
    </>
  );
}

interface SuggestionsProps {
  readonly type: Jkit['type'];
  readonly onChoose: (query: string) => void;
}

function Suggestions({ type, onChoose }: SuggestionsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that looks like one.
    <div role="group" aria-label="Suggested searches" className={styles['suggestions']}>
      <p>JKits that others share. Try one of these:</p>
      {suggestedQueries[type].map((suggested) => (
        <Button key={suggested} size="sm" onClick={() => onChoose(suggested)}>
          {suggested}
        </Button>
      ))}
    </div>
  );
}

interface ResultsProps extends LibraryProps {
  readonly sought: string;
  /** True: the results belong to an earlier text. */
  readonly waiting: boolean;
}

function Results({ sought, waiting, ...props }: ResultsProps) {
  const query = useJkitSearch(props.user, sought, typeOf(props.panel));
  const [chosen, setChosen] = useState<string | null>(null);
  const found = sought === '' ? undefined : query.data?.pages.flatMap(({ data }) => data);
  const stale = waiting || query.isPlaceholderData;
  return (
    <>
      <ListAnswer query={{ ...query, data: found }} operation="Search JKits" waiting="Searching…" />
      {found?.length === 0 && !stale ? (
        <p role="status" className={styles['waiting']}>
          No shared JKit matches “{sought}”. Search for a part of its name, a tag or its publisher.
        </p>
      ) : null}
      {found === undefined || found.length === 0 ? null : (
        <JkitList label="Shared JKits" stale={stale}>
          {found.map((jkit) => (
            <SharedRow key={jkit._id} {...props} jkit={jkit} chosen={chosen === jkit._id} onChoose={setChosen} />
          ))}
        </JkitList>
      )}
      <MoreButton query={query} />
    </>
  );
}

/** Returns `value` after it has not changed for `delay` milliseconds, and the previous value until then. */
function useSettled<Value>(value: Value, delay: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
