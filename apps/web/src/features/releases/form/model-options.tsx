import {
  boardsOf,
  type DeviceModel,
  type FamilyId,
  families as familyRows,
  familyWords,
  furtherChipsOf,
  modelName,
  modelsOf,
  specifiedModelsOf,
} from '@wirebench/boards';
import { Fragment } from 'react';

export interface ModelOptionsProps {
  /** In the order of the list. With several, each is a group of its own. */
  readonly families: readonly FamilyId[];
}

/** Options of a selection of chips. Boards and their chips are groups of their own. */
export function ModelOptions({ families }: ModelOptionsProps) {
  const isSole = families.length === 1;
  return families.map((family) => {
    const { name } = familyRows[family];
    const usual = specifiedModelsOf(family);
    // Chips of families with boards are a group beside the boards.
    const { chips: chipLabel } = familyWords[family];
    if (chipLabel !== undefined) {
      return (
        <Fragment key={family}>
          <OptionGroup label={`${name} boards`} models={boardsOf(family)} />
          <OptionGroup label={chipLabel} models={furtherChipsOf(family)} />
        </Fragment>
      );
    }
    if (!isSole) {
      return <OptionGroup key={family} label={name} models={modelsOf(family)} />;
    }
    return usual.length === 0 ? (
      <Options key={family} models={furtherChipsOf(family)} />
    ) : (
      <Fragment key={family}>
        <Options models={usual} />
        <OptionGroup label="More chips" models={furtherChipsOf(family)} />
      </Fragment>
    );
  });
}

interface OptionsProps {
  readonly models: readonly DeviceModel[];
}

function OptionGroup({ label, models }: OptionsProps & { readonly label: string }) {
  return models.length === 0 ? null : (
    <optgroup label={label}>
      <Options models={models} />
    </optgroup>
  );
}

function Options({ models }: OptionsProps) {
  return models.map((model) => (
    <option key={model} value={model}>
      {modelName(model)}
    </option>
  ));
}
