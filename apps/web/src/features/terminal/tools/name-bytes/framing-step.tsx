/** First step: how bytes are cut into frames. Each way says what it would give. */
import type { DecoderContent, DecoderFraming } from '@wirebench/contract/decoders';
import type { FramingChoice, FramingDraft, FramingGuess } from '@wirebench/frames/guess';
import type { PortNumber } from '@wirebench/serial';
import { useEffect, useId, useState } from 'react';
import { counted } from '../../../../shared/format/numbers.ts';
import { Button } from '../../../../shared/ui/button.tsx';
import { FieldError } from '../../../../shared/ui/field-error.tsx';
import { getBench } from '../../../../workbench/bench.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { ByteGrid } from './byte-grid.tsx';
import { type ByteRange, newDraft } from './decoder-draft.ts';
import { agreementText } from './field-words.ts';
import { FramingFields } from './framing-fields.tsx';
import styles from './name-bytes-panel.module.css';
import { trialOf } from './work-store.ts';

const choices: readonly { readonly choice: FramingChoice; readonly words: string; readonly first: FramingDraft }[] = [
  { choice: 'cobs', words: 'COBS: a 0 ends a frame', first: { kind: 'cobs' } },
  { choice: 'slip', words: 'SLIP: C0 ends a frame', first: { kind: 'slip' } },
  { choice: 'lines', words: 'Lines of text', first: { kind: 'lines' } },
  { choice: 'until', words: 'Start and end bytes', first: { kind: 'until', end: ['0A'] } },
  { choice: 'fixed', words: 'Fixed length', first: { kind: 'length', length: 8 } },
  {
    choice: 'length',
    words: 'Length field',
    first: { kind: 'length', start: ['A5'], length: { at: 1, type: 'u8', add: 2 } },
  },
  { choice: 'gap', words: 'A silence', first: { kind: 'gap', ms: 20 } },
];

/** Newest bytes that are shown. */
const shownBytes = 96;
const emptyLook = 1_000;

export interface FramingStepProps {
  readonly port: PortNumber;
  readonly onChoose: (draft: DecoderContent) => void;
  /** Goes back to the fields; null: there is no decoder yet. */
  readonly onCancel: (() => void) | null;
}

type Guesses = Readonly<Partial<Record<FramingChoice, FramingGuess>>>;

export function FramingStep({ port, onChoose, onCancel }: FramingStepProps) {
  const name = useId();
  const [guesses, setGuesses] = useState<Guesses | null>(null);
  const [best, setBest] = useState<FramingChoice | null>(null);
  const [chosen, setChosen] = useState<FramingChoice | null>(null);
  const [raw, setRaw] = useState<Uint8Array>(new Uint8Array());
  const [selected, setSelected] = useState<ByteRange | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [looks, setLooks] = useState(0);
  const hasBytes = useBenchStatus(({ status }) => status.ports[port].received > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when it is asked to, and when bytes come.
  useEffect(() => {
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        const [found, bytes] = await Promise.all([getBench().call('guessFramings', port), newestBytes(port)]);
        if (!isWanted) {
          return;
        }
        const [first] = found;
        setGuesses(Object.fromEntries(found.map((guess) => [guess.choice, guess])));
        setRaw(bytes);
        setBest(first?.isLikely === true ? first.choice : null);
        setChosen((before) => before ?? first?.choice ?? null);
        setFault(null);
        if (bytes.length === 0) {
          timer = setTimeout(() => setLooks((count) => count + 1), emptyLook);
        }
      } catch (error) {
        if (isWanted) {
          setFault(error instanceof Error ? error.message : String(error));
        }
      }
    };
    void look();
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [port, looks, hasBytes]);

  const framingOf = (choice: FramingChoice): DecoderFraming => {
    const first = choices.find((one) => one.choice === choice)?.first ?? { kind: 'cobs' };
    return newDraft(guesses?.[choice]?.framing ?? first).framing;
  };
  const tryFraming = async (choice: FramingChoice, framing: FramingDraft) => {
    setChosen(choice);
    try {
      const counts = await getBench().call('countFraming', port, choice, framing);
      setGuesses((before) => ({ ...before, [choice]: counts }));
      setFault(null);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  const marked = selected === null ? '' : hexOf(raw.subarray(selected.from, Math.min(selected.to, selected.from + 8)));
  const beginWith = () => {
    const kind = chosen === 'fixed' || chosen === 'length' || chosen === 'until' ? chosen : 'until';
    const framing = framingOf(kind);
    if (framing.kind === 'until' || framing.kind === 'length') {
      void tryFraming(kind, { ...framing, start: [marked] });
    }
  };
  const endWith = () => {
    const { start } = framingOf('until') as { start?: string[] };
    void tryFraming('until', { kind: 'until', ...(start !== undefined && { start }), end: [marked] });
  };
  const guess = chosen === null ? null : (guesses?.[chosen] ?? null);
  const use = () => {
    if (chosen !== null) {
      onChoose(newDraft(framingOf(chosen), guess?.checksum?.checksum));
    }
  };
  if (guesses === null) {
    return fault === null ? <p className="small">Looking at the bytes…</p> : <FieldError>{fault}</FieldError>;
  }
  return (
    <section className={styles['step']} aria-label="How bytes become frames">
      <h3 className={styles['title']}>How bytes become frames</h3>
      {raw.length === 0 ? (
        <p className="small">No bytes have come on this port yet. What each way gives is counted as soon as they do.</p>
      ) : (
        <>
          <ByteGrid label="Newest bytes" bytes={raw} fields={[]} selected={selected} onSelect={setSelected} />
          {selected === null ? (
            <p className="small">
              The newest bytes. Select some that each frame begins or ends with, if you know them.
            </p>
          ) : (
            <div className="buttons tight">
              <Button size="sm" onClick={beginWith}>
                Frames begin with {marked}
              </Button>
              <Button size="sm" onClick={endWith}>
                Frames end with {marked}
              </Button>
            </div>
          )}
        </>
      )}
      <fieldset className={styles['ways']}>
        <legend className="visually-hidden">Framing</legend>
        {choices.map(({ choice, words }) => (
          <div key={choice} className={styles['way']} data-chosen={choice === chosen || undefined}>
            <label className={styles['choice']}>
              <input
                type="radio"
                name={name}
                checked={choice === chosen}
                onChange={() => void tryFraming(choice, framingOf(choice))}
              />
              <span className={styles['words']}>
                {words}
                {choice === best ? <em>fits best</em> : null}
              </span>
              <Counts guess={guesses[choice] ?? null} />
            </label>
            {choice === chosen ? (
              <FramingFields framing={framingOf(choice)} onChange={(framing) => void tryFraming(choice, framing)} />
            ) : null}
          </div>
        ))}
      </fieldset>
      {guess?.checksum == null ? null : <p className="small">Checksum: {agreementText(guess.checksum)}.</p>}
      {fault === null ? null : <FieldError>{fault}</FieldError>}
      <div className="buttons tight">
        <Button variant="primary" disabled={chosen === null} onClick={use}>
          Name bytes
        </Button>
        <Button variant="quiet" onClick={() => setLooks((count) => count + 1)}>
          Count again
        </Button>
        {onCancel === null ? null : (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </section>
  );
}

function Counts({ guess }: { readonly guess: FramingGuess | null }) {
  if (guess === null || guess.counts.frames === 0) {
    return <span className={styles['counts']}>no frames</span>;
  }
  const { frames, leftOvers, shortest, longest } = guess.counts;
  return (
    <span className={styles['counts']}>
      {counted(frames, 'frame')}, {leftOvers === 0 ? 'no left-overs' : counted(leftOvers, 'left-over')}
      <small>{shortest === longest ? counted(longest, 'byte') : `${shortest} to ${counted(longest, 'byte')}`}</small>
    </span>
  );
}

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');

/** Returns some of the newest bytes of a port, as they came. */
async function newestBytes(port: PortNumber): Promise<Uint8Array> {
  for (const length of [shownBytes, 8, 1]) {
    const { frames } = await getBench().call(
      'tryDecoder',
      port,
      await trialOf(newDraft({ kind: 'length', length })),
      null,
    );
    const newest = frames.findLast(({ direction }) => direction === 'received');
    if (newest !== undefined) {
      return newest.content;
    }
  }
  return new Uint8Array();
}
