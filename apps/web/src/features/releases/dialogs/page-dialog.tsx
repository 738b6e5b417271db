/** Changes what visitors read first: the sentence of a project and its picture. */
import {
  type Picture,
  type PictureTheme,
  type Project,
  pictureLimits,
  pictureText,
  pictureThemes,
  pictureTypes,
  sentenceLimits,
  sentenceText,
} from '@wirebench/contract';
import { ImageUp, X } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../../shared/api/api-error.ts';
import { sizeText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useOpenings } from '../../../shared/ui/use-openings.ts';
import { leadOf } from '../../../workbench/release/release-hero.tsx';
import { useChangePage } from '../calls/page.ts';
import elfStyles from '../form/elf-field.module.css';
import rowStyles from '../form/file-row-fields.module.css';
import { releaseFailureText } from '../release-texts.ts';

export interface PageDialogProps {
  readonly project: Project;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function PageDialog(props: PageDialogProps) {
  return <PageForm key={useOpenings(props.open)} {...props} />;
}

const labels = { light: 'Picture', dark: 'Picture for the dark theme (optional)' } satisfies Record<
  PictureTheme,
  string
>;

/** A chosen file, null for a picture that is taken away, undefined for one that stays. */
type Choice = File | null | undefined;

function PageForm({ project, open, onClose }: PageDialogProps) {
  const { _id: id, name, picture } = project;
  const [sentence, setSentence] = useState(project.sentence ?? '');
  const [text, setText] = useState(picture?.text ?? leadOf(project));
  const [choices, setChoices] = useState<Readonly<Partial<Record<PictureTheme, Choice>>>>({});
  const [refusals, setRefusals] = useState<Readonly<Partial<Record<PictureTheme, string>>>>({});
  const [isChecked, setChecked] = useState(false);
  const saving = useChangePage(id, {
    onSuccess: () => {
      toast(`The page of ${name} is changed`);
      onClose();
    },
  });
  const said = sentence.trim();
  const words = text.trim();
  const hasPicture = pictureThemes.some((theme) => (choices[theme] === undefined ? picture?.[theme] : choices[theme]));
  const isShort = said !== '' && said.length < sentenceLimits.minLength;
  const lacksText = hasPicture && words === '';
  const save = () => {
    setChecked(true);
    if (isShort || lacksText) {
      return;
    }
    saving.mutate({
      page: {
        ...(said === (project.sentence ?? '') ? {} : { sentence: said === '' ? null : said }),
        ...(picture === undefined || words === picture.text || words === '' ? {} : { pictureText: words }),
      },
      text: words,
      pictures: pictureThemes.flatMap((theme) => {
        const choice = choices[theme];
        return choice === undefined ? [] : [[theme, choice] as const];
      }),
    });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Page of ${name}`}
      footer={
        <>
          <Button onClick={onClose} disabled={saving.isPending}>
            Cancel
          </Button>
          <Button variant="primary" busy={saving.isPending} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <Field
        label="One sentence"
        error={isChecked && isShort ? sentenceText : null}
        hint={`What it does for its owner. ${said.length} of ${sentenceLimits.maxLength} characters. Without one, the description begins the page.`}
      >
        {(ids) => (
          <TextInput
            {...ids}
            value={sentence}
            maxLength={sentenceLimits.maxLength}
            disabled={saving.isPending}
            onChange={({ currentTarget }) => setSentence(currentTarget.value)}
          />
        )}
      </Field>
      {pictureThemes.map((theme) => (
        <PictureField
          key={theme}
          label={labels[theme]}
          stored={picture?.[theme]}
          choice={choices[theme]}
          refusal={refusals[theme] ?? null}
          disabled={saving.isPending}
          onChoose={(file) => {
            const refusal = file === null || file === undefined ? null : refusalOf(file);
            saving.reset();
            setRefusals({ ...refusals, [theme]: refusal ?? undefined });
            setChoices({ ...choices, [theme]: refusal === null ? file : choices[theme] });
          }}
        />
      ))}
      <p className="small">
        PNG, JPEG, WebP or AVIF, at least {pictureLimits.width} × {pictureLimits.height} pixels, at most{' '}
        {sizeText(pictureLimits.fileSize)}. It is cut to 8 : 5.86 in the middle, and published as it is, with everything
        that a camera has written into it. Without one, the page draws the board.
      </p>
      {hasPicture ? (
        <Field
          label="Alternative text"
          error={isChecked && lacksText ? pictureText.textRequired : null}
          hint="Says what the picture shows, for people who do not see it."
        >
          {(ids) => (
            <TextInput
              {...ids}
              value={text}
              maxLength={pictureLimits.textMaxLength}
              disabled={saving.isPending}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
      ) : null}
      {saving.error === null ? null : (
        <Notice level="error" title={releaseFailureText.page}>
          {errorMessage(saving.error)}
        </Notice>
      )}
    </Dialog>
  );
}

/** Returns the reason why a file cannot be a picture; null if the server decides. */
function refusalOf({ name, type, size }: File): string | null {
  if (type !== '' && !pictureTypes.some((known) => known === type)) {
    return pictureText.unknown(name);
  }
  return size > pictureLimits.fileSize ? pictureText.tooLarge(name) : null;
}

interface PictureFieldProps {
  readonly label: string;
  readonly stored: Picture['light'];
  readonly choice: Choice;
  readonly refusal: string | null;
  readonly disabled: boolean;
  readonly onChoose: (choice: Choice) => void;
}

function PictureField({ label, stored, choice, refusal, disabled, onChoose }: PictureFieldProps) {
  const shown = choice ?? (choice === undefined ? stored : undefined);
  const name =
    shown === undefined ? 'Choose a picture' : 'name' in shown ? shown.name : `${shown.width} × ${shown.height} pixels`;
  return (
    <Field label={label} error={refusal}>
      {(ids) => (
        <div className={elfStyles['row']}>
          <label className={classNames('row', rowStyles['file'], shown === undefined && rowStyles['empty'])}>
            <input
              {...ids}
              type="file"
              accept={pictureTypes.join(',')}
              className={rowStyles['input']}
              disabled={disabled}
              aria-label={shown === undefined ? `${label}: choose a file` : `${label}: ${name}, replace`}
              onChange={({ currentTarget }) => {
                const [chosen] = Array.from(currentTarget.files ?? []);
                // Allows the user to choose the same file again.
                currentTarget.value = '';
                if (chosen !== undefined) {
                  onChoose(chosen);
                }
              }}
            />
            <ImageUp />
            <span className={`ellipsis ${rowStyles['name']}`}>{name}</span>
            {shown === undefined ? null : <span className={rowStyles['size']}>{sizeText(shown.size)}</span>}
          </label>
          {shown === undefined ? null : (
            <IconButton
              label={`Remove ${name}`}
              variant="quiet"
              icon={<X />}
              disabled={disabled}
              onClick={() => onChoose(stored === undefined ? undefined : null)}
            />
          )}
        </div>
      )}
    </Field>
  );
}
