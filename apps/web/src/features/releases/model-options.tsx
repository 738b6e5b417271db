import {
  type DeviceFamily,
  type DeviceModel,
  deviceModelName,
  moreDeviceModels,
  specifiedModels,
} from '@wirebench/contract';

export interface ModelOptionsProps {
  readonly families: readonly DeviceFamily[];
}

/**
 * Options of a selection of chips: the usual ones first, the others as "More chips". Arduino boards and their chips are
 * groups of their own.
 */
export function ModelOptions({ families }: ModelOptionsProps) {
  const usual = families.flatMap((family) => [...specifiedModels(family)]);
  const more = families.flatMap((family) => (family === 'avr' ? [] : [...moreDeviceModels[family]]));
  const avr = families.includes('avr') ? moreDeviceModels.avr : [];
  return (
    <>
      <Options models={usual} />
      {usual.length === 0 ? <Options models={more} /> : <OptionGroup label="More chips" models={more} />}
      <OptionGroup label="Arduino boards" models={avr.filter((model) => !isAvrChip(model))} />
      <OptionGroup label="AVR chips" models={avr.filter(isAvrChip)} />
    </>
  );
}

const isAvrChip = (model: DeviceModel): boolean => model.startsWith('atmega');

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
      {deviceModelName(model)}
    </option>
  ));
}
