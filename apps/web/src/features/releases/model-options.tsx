import { type DeviceFamily, deviceModelName, deviceModels, moreDeviceModels } from '@wirebench/contract';

export interface ModelOptionsProps {
  readonly families: readonly DeviceFamily[];
}

/** Options of a selection of chips: the usual ones first, the others as "More chips". */
export function ModelOptions({ families }: ModelOptionsProps) {
  const usual = families.flatMap((family) => (family === 'nrf' ? [] : deviceModels[family]));
  const more = families.flatMap((family) => [...moreDeviceModels[family]]);
  const options = more.map((model) => (
    <option key={model} value={model}>
      {deviceModelName(model)}
    </option>
  ));
  return (
    <>
      {usual.map((model) => (
        <option key={model} value={model}>
          {deviceModelName(model)}
        </option>
      ))}
      {usual.length === 0 ? options : <optgroup label="More chips">{options}</optgroup>}
    </>
  );
}
