/** Notices about the given files: what stops a write, builds to choose among, and files for another flasher. */
import { families } from '@wirebench/boards';
import { Check, Zap } from 'lucide-react';
import { useEffect } from 'react';
import type { ChosenFiles, Finding, GivenBuilds } from '../../../protocol/flash-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { joinedFew } from '../answer/plan-words.ts';
import { useShownFiles } from '../store/board-builds.ts';
import { carryFiles } from '../store/carried-files.ts';
import { fittingBuilds, pickBuild, settleBuild } from '../store/file-actions.ts';
import { useFlash, useWholeFlash } from '../store/flasher-store.ts';
import styles from './file-notices.module.css';

interface FileNoticesProps {
  /** True: the table has no files. */
  readonly empty: boolean;
  /** True: nothing can be changed now. */
  readonly locked: boolean;
}

export function FileNotices({ empty, locked }: FileNoticesProps) {
  const { conflicts, builds, elsewhere } = useShownFiles((chosen) => chosen);
  const { phase } = useWholeFlash();
  if (phase === 'writing' || (conflicts.length === 0 && builds === undefined && elsewhere === undefined)) {
    return null;
  }
  return (
    <div className={`stack ${styles['notices']}`} data-empty={empty || undefined}>
      {elsewhere === undefined ? null : <Elsewhere {...elsewhere} />}
      {builds === undefined ? null : <BuildChoice builds={builds} locked={locked} />}
      {conflicts
        .filter(({ code }) => code !== 'several-builds')
        .map((finding) => (
          <Conflict key={`${finding.code} ${finding.files.join()}`} {...finding} />
        ))}
    </div>
  );
}

function Conflict({ what, remedy, stops = false }: Finding) {
  return (
    <Notice level={stops ? 'error' : 'warning'} title={what}>
      {remedy}
    </Notice>
  );
}

/** Names the flasher that the files belong in. Its button takes them along. */
function Elsewhere({ family, names }: NonNullable<ChosenFiles['elsewhere']>) {
  const { name, page } = families[family];
  return (
    <Notice
      level="warning"
      title={`${joinedFew(names)} ${names.length === 1 ? 'belongs' : 'belong'} in the ${name} flasher.`}
      action={
        <a href={page} className={buttonClass({ size: 'sm' })} onClick={() => carryFiles(family)}>
          <Zap />
          Open the {name} flasher
        </a>
      }
    >
      Nothing was added here. The files go along.
    </Notice>
  );
}

/** Asks which of several builds is for the board. A connected board leaves those for its chip. */
function BuildChoice({ builds, locked }: { readonly builds: GivenBuilds; readonly locked: boolean }) {
  const chip = useFlash(({ board }) => board?.name ?? null);
  const { picked, options } = builds;
  useEffect(() => {
    if (chip !== null && !locked) {
      void settleBuild(chip);
    }
  }, [chip, locked]);
  const offered = fittingBuilds(builds, chip);
  const isNone = chip !== null && !options.some((option) => option.chip === chip || option.chip === null);
  const title =
    picked !== null
      ? `Build ${picked} is written, of ${options.length} that were given.`
      : isNone
        ? `None of the ${options.length} builds is for ${chip}.`
        : `Which of the ${options.length} builds is for your board?`;
  return (
    <Notice level={picked === null ? 'warning' : 'info'} title={title}>
      {isNone && picked === null ? 'Choose one to see its files, or connect the board that it is for.' : null}
      <fieldset aria-label="Builds" className={styles['builds']}>
        {offered.map(({ name, chip: of }) => (
          <Button
            key={name}
            size="sm"
            disabled={locked}
            aria-pressed={name === picked}
            icon={name === picked ? <Check /> : undefined}
            onClick={() => void pickBuild(name)}
          >
            {of === null || name === of ? name : `${name} · ${of}`}
          </Button>
        ))}
      </fieldset>
    </Notice>
  );
}
