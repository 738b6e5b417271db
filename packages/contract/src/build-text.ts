/** Texts of refused builds. A file of its own, because the release page shows none of them and has a limit on its script. */
import { buildLimits, firmwareEndings } from './build-rules.ts';

/** The usual ending of each format: `.bin`, `.hex`. */
const endings = Object.values(firmwareEndings).map(([usual]) => usual);

export const buildText = {
  limit: (limit: number) => `A version can have at most ${limit} builds.`,
  noOffsets: 'A form with builds has its offsets in them, and no field offsets',
  fileLimit: `A build can have at most ${buildLimits.files} files`,
  noFile: (model: string) => `The build for ${model} has no file.`,
  unknownFile: (index: number) => `There is no file ${index}. Files are counted from 0 in the order of the form.`,
  unusedFile: (name: string) => `"${name}" belongs to no build.`,
  formats: (name: string) =>
    `"${name}" has no ending of a firmware file: ${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}.`,
  noProjectModel: (model: string) => `One of the builds must be for ${model}, the device model of this project.`,
  same: (model: string) =>
    `Two builds are for ${model} under the same conditions. Give one of them a condition, or put their files together.`,
} as const;
