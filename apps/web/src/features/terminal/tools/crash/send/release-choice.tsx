/** Selects the release that a crash is sent to: one flashed with this browser, or one given by its link. */
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorMessage } from '../../../../../shared/api/api-error.ts';
import { dayText } from '../../../../../shared/dates/dates.ts';
import { Field } from '../../../../../shared/ui/field.tsx';
import { Select } from '../../../../../shared/ui/select.tsx';
import { TextInput } from '../../../../../shared/ui/text-input.tsx';
import { type FlashedRelease, flashedReleases } from '../../../../../workbench/crash/flashed-releases.ts';
import { type CrashTarget, readReleaseLink, targetsOf } from './release-of-link.ts';

export interface ReleaseChoiceProps {
  /** Chip that crashed, such as `esp32s3`; null if the dump does not name it. */
  readonly chip: string | null;
  readonly disabled: boolean;
  /** Receives the chosen release, or null while none is known. */
  readonly onChoose: (target: CrashTarget | null) => void;
}

const byLink = 'link';

/** Text for a private, deleted, renewed or mistyped link. The server does not tell them apart. */
const nothingThere =
  'No public release has this link. Check it, or ask whoever gave you the firmware for the link of today.';

export function ReleaseChoice({ chip, disabled, onChoose }: ReleaseChoiceProps) {
  const [flashed] = useState(() => flashedReleases().filter((release) => canRunOn(release, chip)));
  const [choice, setChoice] = useState(() => (flashed[0] === undefined ? byLink : keyOf(flashed[0])));
  const first = useRef(onChoose);
  useEffect(() => {
    const [newest] = flashed;
    if (newest !== undefined) {
      first.current(newest);
    }
  }, [flashed]);
  return (
    <>
      {flashed.length === 0 ? null : (
        <Field label="Firmware of the board">
          {(ids) => (
            <Select
              {...ids}
              disabled={disabled}
              value={choice}
              onChange={({ currentTarget: { value } }) => {
                setChoice(value);
                onChoose(flashed.find((release) => keyOf(release) === value) ?? null);
              }}
            >
              {flashed.map((release) => (
                <option key={keyOf(release)} value={keyOf(release)}>
                  {flashedText(release)}
                </option>
              ))}
              <option value={byLink}>Another release, by its link</option>
            </Select>
          )}
        </Field>
      )}
      {choice === byLink ? <LinkField chip={chip} disabled={disabled} onChoose={onChoose} /> : null}
    </>
  );
}

/** Returns false for a build for another chip than the one that crashed. Core dumps name Espressif chips only. */
const canRunOn = ({ build }: FlashedRelease, chip: string | null): boolean =>
  build === undefined || chip === null || build.deviceModel === chip;

const keyOf = ({ shareId, build }: FlashedRelease): string =>
  build === undefined ? shareId : `${shareId} ${build.id}`;

const flashedText = ({ name, version, publisher, at, build }: FlashedRelease): string =>
  `${name} ${version} of ${publisher}${build === undefined ? '' : ` for ${build.name}`}, flashed ${dayText(at)}`;

function LinkField({ chip, disabled, onChoose }: ReleaseChoiceProps) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly CrashTarget[]>([]);
  const [chosen, setChosen] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);
  const choose = (target: CrashTarget | null) => {
    setChosen(target?.shareId ?? '');
    onChoose(target);
  };
  const look = (typed: string) => {
    asking.current?.abort();
    setText(typed);
    setFound([]);
    setFault(null);
    choose(null);
    const link = readReleaseLink(typed);
    if (link === null) {
      setFault(
        typed.trim() === ''
          ? null
          : 'This is not a release link. Release links end in ?type=version&id=… or ?type=project&id=…',
      );
      return;
    }
    const controller = new AbortController();
    asking.current = controller;
    targetsOf(link, chip, controller.signal).then(
      (targets) => {
        if (!controller.signal.aborted) {
          setFound(targets);
          choose(targets[0] ?? null);
          setFault(targets.length === 0 ? 'This project has no public version.' : null);
        }
      },
      (error: unknown) => {
        if (!controller.signal.aborted) {
          setFault(error instanceof ApiError && error.status === 404 ? nothingThere : errorMessage(error));
        }
      },
    );
  };
  return (
    <>
      <Field
        label="Release link"
        error={fault}
        hint="The link of the release that the board was flashed with. Its page, and whoever gave you the firmware, have it."
      >
        {(ids) => (
          <TextInput
            {...ids}
            mono
            disabled={disabled}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => look(currentTarget.value)}
          />
        )}
      </Field>
      {found.length < 2 ? null : (
        <Field label="Version of the board">
          {(ids) => (
            <Select
              {...ids}
              disabled={disabled}
              value={chosen}
              onChange={({ currentTarget: { value } }) =>
                choose(found.find(({ shareId }) => shareId === value) ?? null)
              }
            >
              {found.map(({ shareId, version }) => (
                <option key={shareId} value={shareId}>
                  {version}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </>
  );
}
